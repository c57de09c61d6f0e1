import Contacts

/// The schema of a book that ``Migrations`` has made current: its number, and its tables.
enum Schema {
  /// `PRAGMA application_id` of every book: the letters `abk1`.
  static let applicationID: Int32 = 0x6162_6B31

  /// `PRAGMA user_version`: the number of migrations that a current book has seen.
  static let version = Int32(Migrations.all.count)

  /// The sections of contacts: A to Z, then `#`.
  static let sections = 0...26

  /// Child tables with a label and a value.
  static let labeledTables = ContactFields.standard.values.map(\.table)

  /// Tables of parts of a contact, each with a `contact_id`.
  static let partTables = labeledTables + ["address", "avatar", "group_member", "contact_card"]
}
