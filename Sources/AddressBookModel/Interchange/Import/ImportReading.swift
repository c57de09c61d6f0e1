import ContactInterchange

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
