import ContactInterchange
import Contacts

/// What the beginning of a file says about an import of it.
public struct ImportOutline: Sendable {
  /// The format, given or recognized.
  public let format: ImportFormat
  /// The columns of a CSV file; nil for any other format.
  public let csv: CSVOutline?
  /// The first contacts.
  public let contacts: [Contact]

  /// Reads the beginning of a file.
  /// - Parameters:
  ///   - path: the file; `-` is the standard input.
  ///   - reading: how its cards are read.
  ///   - limit: the maximum number of contacts to read.
  /// - Throws: `ImportError` if it is not a file of cards, except for one of CSV without a known column, which the user
  ///   may still map.
  public init(path: String, _ reading: ImportReading, contacts limit: Int) throws(ImportError) {
    let input = try ImportInput(path: path) { false }
    guard let format = try CardFile.format(of: input, reading) else { throw ImportError(.noCards, file: path) }
    self.format = format
    var contacts: [Contact] = []
    if format == .csv {
      let beginning = try ImportInput(path: path) { false }
      csv = try CSVReader(reading.csv, isDayFirst: reading.isDayFirst) { () throws(ImportError) in
        try beginning.next()
      }.outline
    } else {
      csv = nil
    }
    do throws(ImportError) {
      let source = try CardFile.cards(of: input, reading)
      while contacts.count < limit,
        try source?.next({ if case .card(let card) = $0 { contacts.append(card.contact) } }) == true
      {}
    } catch  where error.reason == .noKnownColumn {
    }
    self.contacts = Array(contacts.prefix(limit))
  }
}

extension ImportFormat {
  /// The number of bytes from which a format is recognized.
  public static let beginning = 4096

  /// Recognizes the format of a file by its beginning, or by its name if that says nothing; nil if it does not look like
  /// a file of contacts.
  public init?(beginning: [UInt8], name: String) {
    guard case .text(let format) = InputKind(beginning, name: name) else { return nil }
    if format == .vCard, !["vcf", "vcard"].contains(InputKind.suffix(of: name)) {
      guard String(decoding: beginning, as: UTF8.self).lowercased().contains("begin:vcard") else { return nil }
    }
    self = format
  }
}
