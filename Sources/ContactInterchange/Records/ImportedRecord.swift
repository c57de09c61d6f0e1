import Contacts

/// A contact or group read from a format other than vCard and JSON: CSV, LDIF, abook's file, an entry of a directory.
public struct ImportedRecord: Sendable {
  /// The contact; without a UID if the record has none.
  public var contact = Contact()
  /// The bytes of its photo, unchecked.
  public var picture: [UInt8]?
  /// The name by which groups of the same file refer to it, such as the DN in LDIF; empty if there is none.
  public var reference = ""
  /// The references of its members if it is a group; then only the name and the UID of the contact matter.
  public var members: [String]?
  /// The line of the input where it begins, from 1; 0 if it does not come from a file.
  public var line: Int

  /// Creates an empty record.
  public init(line: Int) { self.line = line }
}

/// What a reader of records finds.
public enum RecordEvent: Sendable {
  /// A contact or a group.
  case record(ImportedRecord)
  /// Something that was not imported, or was imported with a warning.
  case problem(line: Int, RecordProblem)
  /// A record, or a whole file, that cannot be imported.
  case refused(line: Int, RecordProblem)
}

/// Why something in a file was not imported, or was changed.
public enum RecordProblem: Hashable, Sendable {
  /// Attributes or keys with values that were not imported, because a contact has no field for them or holds only one.
  case notImported([SkippedColumn])
  /// Columns of CSV with such values; the user can map them to fields.
  case notMapped([SkippedColumn])
  /// Columns that the user mapped to fields, but the file lacks.
  case absentColumns([String])
  /// The text is not a date; it was left out.
  case notADate(name: String, text: String)
  /// The date can be read in two ways; `isDayFirst` says how it was read.
  case ambiguousDate(name: String, text: String, isDayFirst: Bool)
  /// The dates of a column that can be read in two ways were read like this one, which cannot.
  case inferredDateOrder(name: String, proof: String, isDayFirst: Bool)
  /// The number of characters that cannot be read in the charset of the text.
  case unreadableCharacters(Int)
  /// A quoted value without an end; the quotation mark was read as text.
  case unclosedQuote
  /// The number of values beyond the last column of the header.
  case furtherValues(Int)
  /// The beginning of a line that is not part of the format.
  case malformedLine(String)
  /// A value, or the line that it is on, is longer than this limit, in bytes; the rest of it was dropped.
  case tooLong(Int)
  /// A value that is given by a URL, which is never read.
  case elsewhere(name: String)
  /// A record that changes or deletes an entry of a directory; with the kind of the change.
  case changeRecord(String)
  /// The number of entries that are not contacts, such as the units of a directory.
  case notContacts(Int)
  /// The name of the charset in which the text was read, although nothing declares it.
  case guessedCharset(String)
  /// No column of the header is known.
  case noKnownColumn

  /// A column, attribute or key with values that were not imported.
  public struct SkippedColumn: Hashable, Sendable {
    /// Its name in the file; in lower case if it is not a column.
    public let name: String
    /// The number of values that were not imported.
    public let count: Int
  }
}

extension [String: Int] {
  /// Numbers of values that were not imported, by column, in the order of their names.
  var skippedColumns: [RecordProblem.SkippedColumn] {
    sorted { $0.key < $1.key }.map(RecordProblem.SkippedColumn.init)
  }
}

/// A reader of a format whose records become contacts.
public protocol RecordReader {
  /// The error of its source.
  associatedtype Failure: Error
  /// Reads on, and appends what it finds, which may be nothing.
  /// - Returns: false at the end.
  mutating func next(_ events: inout [RecordEvent]) throws(Failure) -> Bool
}

/// The part of a contact that takes a value from a column, an attribute or a key of another format.
public enum FieldSlot: Hashable, Sendable {
  /// A single text.
  case text(ContactField.Text)
  /// A full name whose parts are not known.
  case name
  /// A labeled value, added to the others.
  case value(ContactField.Values, label: String)
  /// A part of the address with this label.
  case address(AddressPart, label: String)
  /// The birthday.
  case birthday
  /// The names of groups.
  case groups
  /// Person or organization.
  case kind
  /// The UID.
  case uid

  /// Whether several values are stored separately, rather than rejected or joined.
  var isMultiValued: Bool {
    switch self {
    case .value, .groups: true
    case .text, .name, .address, .birthday, .kind, .uid: false
    }
  }
}

/// A count of what an export leaves out because its format has no place for it.
public struct LossTally: Hashable, Sendable {
  /// The number of contacts that lose something in a field, keyed by ``ContactField/name``.
  public private(set) var counts: [String: Int] = [:]
  /// The number of contacts that lose the label of a value.
  public private(set) var labels = 0

  /// Creates an empty tally.
  public init() {}

  /// Whether nothing was lost.
  public var isEmpty: Bool { counts.isEmpty && labels == 0 }

  /// Counts a contact that loses these fields, and perhaps the label of a value.
  mutating func add(_ fields: Set<String>, labels losesLabel: Bool) {
    for field in fields { counts[field, default: 0] += 1 }
    if losesLabel { labels += 1 }
  }

  /// Returns the names of the fields of a contact that have a value, except the kind.
  static func filled(_ contact: Contact) -> Set<String> {
    var filled: Set<String> = []
    for field in ContactFields.standard.all where isFilled(field, contact) { filled.insert(field.name) }
    return filled
  }

  private static func isFilled(_ field: ContactField, _ contact: Contact) -> Bool {
    switch field {
    case .text(let text): !contact[text].isEmpty
    case .values(let values): !contact[keyPath: values.property].isEmpty
    case .special(.kind): false
    case .special(.addresses): !contact.addresses.isEmpty
    case .special(.birthday): contact.birthday != nil
    case .special(.groups): !contact.groups.isEmpty
    case .special(.photo): contact.photo != nil
    case .special(.cardLines): ParsedCard(kept: contact.cardLines, .standard).hasFurtherLines
    }
  }
}
