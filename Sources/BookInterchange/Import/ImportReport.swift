import AddressBookModel
import ContactInterchange
import Contacts
import Messages

/// The result of an import: ``imported`` + ``updated`` + ``skipped`` is the number of cards that were read.
public struct ImportReport: Hashable, Sendable {
  /// Cards that became new contacts or groups, or restored deleted ones.
  public internal(set) var imported = 0
  /// Cards that changed a contact or a group of the book.
  public internal(set) var updated = 0
  /// Cards that are already in the book, unchanged.
  public internal(set) var unchanged = 0
  /// Cards that could not be imported, such as empty ones.
  public internal(set) var unreadable = 0

  /// Cards that changed nothing: ``unchanged`` and ``unreadable`` ones.
  public var skipped: Int { unchanged + unreadable }
  /// Cards that were read.
  public var cards: Int { imported + updated + skipped }
}

/// The progress of an import.
public struct ImportProgress: Hashable, Sendable {
  /// Cards read so far.
  public let cards: Int
  /// The fraction of the input that was read, 0 to 1; nil if its size is unknown.
  public let fraction: Double?
}

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

/// The formats for import.
public enum ImportFormat: Hashable, Sendable {
  /// vCard 2.1, 3.0 or 4.0.
  case vCard
  /// Contacts as JSON: an array, or consecutive objects.
  case json
  /// jCard (RFC 7095): one card, an array of cards, or consecutive cards.
  case jCard
  /// Comma-separated values with a header line.
  case csv
  /// LDIF, from a directory or Thunderbird.
  case ldif
  /// The address book of abook.
  case abook
}

/// How files are read.
public struct ImportReading: Hashable, Sendable {
  /// Their format; nil to detect it.
  public var format: ImportFormat?
  /// Whether `3/4/1990` is 3 April in CSV, LDIF and abook's file; otherwise it is 4 March.
  public var isDayFirst = false
  /// How CSV is read.
  public var csv = CSVReading()

  /// A reading that detects everything.
  public init() {}
}
