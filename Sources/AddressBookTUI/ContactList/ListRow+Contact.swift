import AddressBookModel
import BookSearching
import Contacts

extension ListRow {
  /// The line of a contact with its search matches.
  /// - Parameters:
  ///   - whole: the whole contact, if the line cannot be made from `contact` alone.
  ///   - names: how names are displayed.
  ///   - others: the texts of ``ListLayout/others``.
  ///   - isDamaged: true when the contact does not match its checksum; its line says so.
  init(
    _ contact: ContactRow, whole: Contact? = nil, names: NameStyle = NameStyle(), others: [String] = [],
    matches: [ContactMatch], isDamaged: Bool = false, strings: Strings
  ) {
    func ranges(_ field: String) -> [Range<Int>] { matches.first { $0.field == field }?.ranges ?? [] }
    name = Cell(
      text: contact.displayName.isEmpty ? strings("contact.nameless") : contact.displayName, matches: ranges("name"))
    if let whole, let composed = names.composed(whole) {
      name = Cell(text: composed.text, matches: composed.ranges(name.matches, of: whole))
    }
    if isDamaged { name = Cell(text: strings("list.damaged", name.text), matches: []) }
    let grouped = PhoneText.grouped(contact.phone)
    phone = Cell(text: grouped, matches: PhoneText.ranges(ranges("phones[0]"), of: contact.phone, in: grouped))
    // An organization's own line does not repeat its name.
    if contact.organization != contact.displayName {
      organization = Cell(text: contact.organization, matches: ranges("organization"))
    }
    email = Cell(text: contact.email, matches: ranges("emails[0]"))
    self.others = others.map { Cell(text: $0) }
    hints = matches.compactMap { match in Self.hint(match, strings) }
  }

  /// The line of a contact that is not in the book.
  init(_ contact: Contact, names: NameStyle = NameStyle(), strings: Strings) {
    let shown = names.name(of: contact)
    name = Cell(text: shown.isEmpty ? strings("contact.nameless") : shown)
    phone = Cell(text: PhoneText.grouped(contact.phones.first { !$0.value.isEmpty }?.value ?? ""))
    if contact.organization != shown { organization = Cell(text: contact.organization) }
    email = Cell(text: contact.emails.first { !$0.value.isEmpty }?.value ?? "")
  }

  /// A match with its field's name, such as `note: …text around the match`, and the column that can show it.
  private static func hint(_ match: ContactMatch, _ strings: Strings) -> (field: ListColumns.Field?, cell: Cell)? {
    guard let first = match.ranges.first, !match.text.isEmpty else { return nil }
    let field: ListColumns.Field? =
      switch match.field {
      case "name": .name
      case "phones[0]": .phone
      case "organization": .organization
      case "emails[0]": .email
      default: nil
      }
    let key = String(match.field.prefix { $0 != "[" })
    let label = strings(
      "search.field." + key, else: ContactFields.standard.field(jsonKey: key).map(strings.name) ?? key)
    let scalars = Array(match.text.unicodeScalars)
    // A long text starts a little before the match, so that the match is visible.
    let start = first.lowerBound > leadingText ? first.lowerBound - leadingText : 0
    var view = String.UnicodeScalarView()
    view.append(contentsOf: scalars.dropFirst(start).prefix(hintLength))
    let prefix = strings("search.matchIn", label, start > 0 ? "…" : "")
    let shift = prefix.unicodeScalars.count - start
    return (
      field,
      Cell(
        text: prefix + String(view),
        matches: match.ranges.compactMap { range in
          range.lowerBound >= start ? range.lowerBound + shift..<range.upperBound + shift : nil
        })
    )
  }

  private static var leadingText: Int { 8 }
  private static var hintLength: Int { 80 }
}
