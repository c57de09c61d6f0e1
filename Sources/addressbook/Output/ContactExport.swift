import AddressBookModel
import ArgumentParser
import ContactInterchange
import Contacts

/// The formats of `export`.
enum ExportFormat: String, ExpressibleByArgument, CaseIterable {
  case vcard, csv, ldif, json, jcard, mutt
}

/// Writes contacts in one of the formats.
struct ContactExport {
  /// The number of contacts written.
  private(set) var count = 0
  private var losses = LossTally()
  private let book: AddressBook
  private let format: ExportFormat
  private let version: VCardVersion?

  /// - Parameter version: the version of vCards; nil for each card's original version, or else 3.0.
  init(book: AddressBook, format: ExportFormat, version: VCardVersion?) {
    self.book = book
    self.format = format
    self.version = version
  }

  /// Writes these contacts, or all, in section order.
  mutating func write(_ ids: [Int64]?, to sink: (String) throws -> Void) throws {
    switch format {
    case .vcard:
      let groups = try ids == nil ? book.groupsWithCard() : []
      let cards = CardOutput(book: book, version: version, groupsWithCard: groups)
      count = try forEach(ids) { try cards.write($0, to: sink) }
      if !groups.isEmpty {
        for card in try book.groupCards(version: version?.rawValue) { try sink(String(decoding: card, as: UTF8.self)) }
      }
    case .json: count = try writeJSON(ids, sink)
    case .jcard: count = try writeJCards(ids, sink)
    case .csv: (count, losses) = try writeCSV(ids, sink)
    case .ldif: (count, losses) = try writeLDIF(ids, sink)
    case .mutt:
      var aliases = MuttAliases()
      count = try forEach(ids) { try sink(aliases.lines(of: $0)) }
    }
  }

  /// Writes these contacts, or all, into a folder, one card per file.
  mutating func write(_ ids: [Int64]?, into folder: SplitExport) throws {
    try write(ids) { try folder.write(Array($0.utf8)) }
    try folder.finish()
  }

  /// Says on standard error what the contacts have that the format has no place for.
  func reportLosses() {
    guard !losses.isEmpty else { return }
    let words = Localization.shared
    var parts = losses.counts.sorted { $0.key < $1.key }.map { field, count in
      "\(words.propertyName(field, entity: "Person")) (\(count))"
    }
    if losses.labels > 0 { parts.append("\(strings("Export/label")) (\(losses.labels))") }
    StandardError.line(strings("Export/losses", format.rawValue, parts.joined(separator: ", ")))
  }

  /// - Returns: the number of contacts.
  private func forEach(_ ids: [Int64]?, _ body: (Contact) throws -> Void) throws -> Int {
    var count = 0
    try book.forEachContact(ids: ids) { contact in
      try body(contact)
      count += 1
      return true
    }
    return count
  }

  private func writeJSON(_ ids: [Int64]?, _ sink: (String) throws -> Void) throws -> Int {
    var isFirst = true
    try sink("[")
    let count = try forEach(ids) { contact in
      let photo = try book.photoForExport(of: contact)
      var contact = contact
      contact.photo = photo?.summary
      let text = ContactJSON.encodeWhole(
        contact, section: contact.sectionTitle, picture: photo.map { [UInt8]($0.data) })
      try sink((isFirst ? "\n" : ",\n") + text)
      isFirst = false
    }
    try sink(isFirst ? "]\n" : "\n]\n")
    return count
  }

  /// An array of jCards, even of one.
  private func writeJCards(_ ids: [Int64]?, _ sink: (String) throws -> Void) throws -> Int {
    let exporter = CardExporter(version: nil)
    var isFirst = true
    try sink("[")
    let count = try forEach(ids) { contact in
      try sink((isFirst ? "\n" : ",\n") + exporter.jCard(of: contact, photo: book.photoForExport(of: contact)))
      isFirst = false
    }
    try sink(isFirst ? "]\n" : "\n]\n")
    return count
  }

  /// The columns depend on all contacts, so they are read twice.
  private func writeCSV(_ ids: [Int64]?, _ sink: (String) throws -> Void) throws -> (Int, LossTally) {
    var extent = CSVWriter.Extent()
    _ = try forEach(ids) { extent.include($0) }
    var writer = CSVWriter(extent)
    try sink(writer.header)
    let count = try forEach(ids) { try sink(writer.row(of: $0)) }
    return (count, writer.losses)
  }

  private func writeLDIF(_ ids: [Int64]?, _ sink: (String) throws -> Void) throws -> (Int, LossTally) {
    var writer = LDIFWriter()
    try sink(writer.header)
    let count = try forEach(ids) { contact in
      let photo = try book.photoForExport(of: contact).map { [UInt8]($0.data) }
      try sink(writer.entry(of: contact, photo: photo))
    }
    try sink(writer.groups())
    return (count, writer.losses)
  }
}
