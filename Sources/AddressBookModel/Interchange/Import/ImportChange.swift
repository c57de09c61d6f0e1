import Contacts

/// What an import changes in one contact of the book, for the report of a dry run.
public struct ImportChange: Sendable {
  /// The contact as it is.
  public let before: Contact
  /// The contact as the import makes it.
  public let after: Contact
  /// The fields that differ.
  public let fields: [ContactField]

  init(from before: Contact, to after: Contact) {
    self.before = before
    self.after = after
    let delta = ContactDelta(from: before, to: after)
    fields = ContactFields.standard.all.filter { delta.changes($0.name) }
  }

  /// Returns the name of the contact, and below it a line for each field, with both values. Text from contacts may
  /// contain control characters.
  public func lines(in words: Localization) -> [String] {
    let differences = fields.map { FieldDifference($0, from: before, to: after, in: words) }
    let shown = differences.filter { !$0.isEmpty }
    // If no displayed value differs, but only the order of a card's lines, the names of the fields are enough.
    let texts = shown.isEmpty ? differences.map(\.title) : shown.map { $0.line(in: words) }
    return [before.displayName] + texts.map { "    " + $0 }
  }
}
