/// Email addresses that belong to an office and to no person: `info@`, `sales@`.
enum RoleAddress {
  static func isOne(_ email: String) -> Bool {
    email.lastIndex(of: "@").map { roles.contains(email[..<$0].lowercased()) } ?? false
  }

  private static let roles = Set(
    """
    abuse accounting accounts admin administration anfrage billing booking bookings buchhaltung buero career
    careers contact contacto contato customer-service customerservice do-not-reply donotreply empfang enquiries
    enquiry feedback finance hello help helpdesk hostmaster hr info information inquiries inquiry invoice invoices
    jobs kefu kontakt kundenservice kundtjanst mail mailer-daemon marketing media newsletter newsletters no-reply
    no_reply noreply office order orders postmaster press presse privacy rechnung reception recruiting recruitment
    reservations root sales security sekretariat service services shop soporte support team ventas verkauf
    vertrieb verwaltung webmaster xiaoshou zentrale zhaopin
    """.split { $0.isWhitespace }.map(String.init))
}
