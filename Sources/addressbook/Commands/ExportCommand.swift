import AddressBookModel
import ArgumentParser
import BookInterchange
import ContactInterchange
import Contacts
import Messages
import Synchronization

/// `addressbook export`: writes contacts in section order, to standard output, to a file that is replaced atomically, to
/// a device or pipe, or to a folder with a file for each card.
struct ExportCommand: ParsableCommand {
  static let configuration = CommandConfiguration(commandName: "export", abstract: strings("Help/export"))

  @OptionGroup var book: BookOptions

  @Option(name: .long, help: help("exportFormat"))
  var format = ExportFormat.vcard

  @Option(name: .customLong("vcard-version"), help: help("vcardVersion", valueName: "version"))
  var version: VCardVersion?

  @Option(name: [.short, .long], help: help("output", valueName: "file"), completion: .file())
  var output: String?

  @Option(name: .customLong("split"), help: help("split", valueName: "folder"), completion: .directory)
  var folder: String?

  @Option(name: .long, parsing: .upToNextOption, help: help("layout", valueName: "list|labels 3x8"))
  var layout: [String] = []

  @OptionGroup var condition: ConditionArguments

  @OptionGroup var search: SearchArguments

  @OptionGroup var login: LoginOptions

  @OptionGroup var directory: DirectoryOptions

  func validate() throws {
    if !layout.isEmpty, format != .html || PrintedPage.Layout(layout) == nil {
      throw ValidationError(strings("Misuse/layout"))
    }
    if folder != nil, format != .vcard || output != nil { throw ValidationError(strings("Misuse/split")) }
  }

  func run() throws {
    let source = try book.openToRead(
      login, directory, search, withPhotos: ![.csv, .mutt, .template, .html].contains(format))
    let book = source.book
    defer { book.close() }
    let ids = try source.idsInOrder(search, where: condition)
    if let ids, ids.isEmpty { throw condition.nothingFound(search) }
    var export = ContactExport(book: book, format: format, version: version)
    if let layout = PrintedPage.Layout(layout) { export.layout = layout }
    if let folder {
      let files = try SplitExport(folder: folder)
      try export.write(ids, into: files)
      StandardError.line(strings("Export/split", files.written, files.unchanged))
    } else {
      let file = try OutputFile(output ?? "-")
      try export.write(ids) { try file.write(text: $0) }
      try file.commit()
      if output ?? "-" != "-" { StandardError.line(strings("Export/done", count: export.count)) }
    }
    export.reportLosses()
    try source.reportProblems()
  }
}

/// The supported vCard versions for export.
enum VCardVersion: String, ExpressibleByArgument, CaseIterable {
  case v21 = "2.1"
  case v30 = "3.0"
  case v40 = "4.0"
}

/// The formats of `export`.
enum ExportFormat: String, ExpressibleByArgument, CaseIterable {
  case vcard, csv, ldif, json, jcard, jscontact, mutt, template, html
}

/// Writes contacts in one of the formats.
struct ContactExport {
  /// Receives the output as UTF-8.
  typealias Sink = (UnsafeRawBufferPointer) throws -> Void

  /// The number of contacts written.
  private(set) var count = 0
  private var losses = LossTally()
  /// How contacts are printed.
  var layout = PrintedPage.Layout.list
  /// The number of contacts that are not printed, because labels are for postal addresses.
  private var withoutAddress = 0
  private let book: AddressBook
  private let format: ExportFormat
  private let version: VCardVersion?

  /// - Parameter version: the version of vCards; nil for each card's original version, or else 3.0.
  init(book: AddressBook, format: ExportFormat, version: VCardVersion?) {
    self.book = book
    self.format = format
    self.version = version
  }

  /// Writes these contacts in their order, or all in section order.
  mutating func write(_ ids: [Int64]?, to sink: Sink) throws {
    switch format {
    case .vcard:
      let groups = try ids == nil ? book.groupsWithCard() : []
      let exporter = CardExporter(version: version?.rawValue, groupsWithCard: groups)
      count = try write(ids, withPhotos: true, sink) { exporter.append($0.contact, photo: $1, to: &$2) }
      if !groups.isEmpty {
        for card in try book.groupCards(version: version?.rawValue) { try card.withUnsafeBytes(sink) }
      }
    case .json: count = try writeJSON(ids, sink)
    case .jcard: count = try writeCards(ids, sink) { $0.jCard(of: $1, photo: $2) }
    case .jscontact: count = try writeCards(ids, sink) { $0.jsContact(of: $1, photo: $2) }
    case .csv: (count, losses) = try writeCSV(ids, sink)
    case .ldif: (count, losses) = try writeLDIF(ids, sink)
    case .mutt: (count, losses) = try writeAliases(ids, sink)
    case .html: try writePage(ids, sink)
    case .template:
      count = try write(ids, withPhotos: false, sink) { contact, _, bytes in
        var text = ContactTemplate.separator + "\n"
        ContactTemplate.append(contact.contact, to: &text)
        bytes += text.utf8
      }
    }
  }

  /// Writes these contacts, or all, into a folder, one card per file.
  mutating func write(_ ids: [Int64]?, into folder: SplitExport) throws {
    try write(ids) { try folder.write(Array($0)) }
    try folder.finish()
  }

  /// Reports on standard error which values of the contacts the format cannot store.
  func reportLosses() {
    if withoutAddress > 0 { StandardError.line(strings("Paper/noAddress", count: withoutAddress)) }
    guard !losses.isEmpty else { return }
    let words = Localization.shared
    var parts = losses.counts.sorted { $0.key < $1.key }.map { field, count in
      words.noted(words.propertyName(field, entity: "Person"), String(count))
    }
    if losses.labels > 0 { parts.append(words.noted(strings("Export/label"), String(losses.labels))) }
    StandardError.line(strings("Export/losses", format.rawValue, words.list(parts)))
  }

  /// The encoded contacts are sections, a NUL and entries.
  private mutating func writePage(_ ids: [Int64]?, _ sink: Sink) throws {
    let page = PrintedPage(layout, in: .shared)
    try Self.write(page.beginning, sink)
    var section = ""
    var (printed, empty) = (0, 0)
    try book.forEachEncoded(ids: ids) { stored, _, bytes in
      bytes += (stored.sectionTitle + "\0" + page.entry(of: stored.contact)).utf8
    } _: { bytes in
      let parts = String(decoding: bytes, as: UTF8.self).split(separator: "\0", omittingEmptySubsequences: false)
      if parts[1].isEmpty { empty += 1 } else { printed += 1 }
      if parts[0] != section {
        section = String(parts[0])
        try Self.write(page.heading(section), sink)
      }
      try Self.write(String(parts[1]), sink)
      return true
    }
    try Self.write(page.end, sink)
    (count, withoutAddress) = (printed, empty)
  }

  /// Writes the output of `encode` for each contact.
  private func write(
    _ ids: [Int64]?, withPhotos: Bool, _ sink: Sink,
    _ encode: @escaping @Sendable (StoredContact, Photo?, inout [UInt8]) throws -> Void
  ) throws -> Int {
    try book.forEachEncoded(ids: ids, withPhotos: withPhotos, encode) { bytes in
      try sink(bytes)
      return true
    }
  }

  private func writeArray(
    _ ids: [Int64]?, _ sink: Sink, _ encode: @escaping @Sendable (StoredContact, Photo?, inout [UInt8]) throws -> Void
  ) throws -> Int {
    var array = JSONArrayLines()
    try Self.write("[", sink)
    let count = try book.forEachEncoded(ids: ids, withPhotos: true, encode) { item in
      try Self.write(array.separator, sink)
      try sink(item)
      return true
    }
    try Self.write(array.end, sink)
    return count
  }

  private func writeJSON(_ ids: [Int64]?, _ sink: Sink) throws -> Int {
    try writeArray(ids, sink) { stored, photo, bytes in
      var contact = stored.contact
      contact.photo = photo?.summary
      ContactJSON.appendWhole(
        contact, section: stored.sectionTitle, picture: photo.map { [UInt8]($0.data) }, to: &bytes)
    }
  }

  /// An array of cards, even for a single contact.
  private func writeCards(
    _ ids: [Int64]?, _ sink: Sink, _ card: @escaping @Sendable (CardExporter, Contact, Photo?) -> String
  ) throws -> Int {
    let exporter = CardExporter(version: nil)
    return try writeArray(ids, sink) { $2 += card(exporter, $0.contact, $1).utf8 }
  }

  /// The columns depend on all contacts, so the contacts are read twice.
  private func writeCSV(_ ids: [Int64]?, _ sink: Sink) throws -> (Int, LossTally) {
    let extent = Shared(CSVWriter.Extent())
    try book.forEachEncoded(ids: ids) { contact, _, _ in
      extent.value.withLock { $0.include(contact.contact) }
    } _: { _ in
      true
    }
    let writer = Shared(CSVWriter(extent.value.withLock(\.self)))
    try Self.write(writer.value.withLock(\.header), sink)
    let count = try write(ids, withPhotos: false, sink) { contact, _, bytes in
      bytes += writer.value.withLock { $0.row(of: contact.contact) }.utf8
    }
    return (count, writer.value.withLock(\.losses))
  }

  /// The entries of groups name their members in the order of the contacts.
  private func writeLDIF(_ ids: [Int64]?, _ sink: Sink) throws -> (Int, LossTally) {
    let maker = LDIFWriter()
    var writer = maker
    let count = try book.forEachEncoded(ids: ids, withPhotos: true) { stored, photo, bytes in
      maker.entry(of: stored.contact, photo: photo.map { [UInt8]($0.data) }).append(to: &bytes)
    } _: { bytes in
      if let entry = LDIFWriter.Entry(packed: bytes) { try Self.write(writer.write(entry), sink) }
      return true
    }
    try Self.write(writer.groups(), sink)
    return (count, writer.losses)
  }

  /// Which aliases are taken depends on the order of the contacts.
  private func writeAliases(_ ids: [Int64]?, _ sink: Sink) throws -> (Int, LossTally) {
    var aliases = MuttAliases()
    let count = try book.forEachEncoded(ids: ids) { stored, _, bytes in
      let entry = MuttAliases.Entry(stored.contact)
      if !entry.isEmpty { entry.append(to: &bytes) }
    } _: { bytes in
      if let entry = MuttAliases.Entry(packed: bytes) { try Self.write(aliases.lines(of: entry), sink) }
      return true
    }
    return (count, aliases.losses)
  }

  private static func write(_ text: String, _ sink: Sink) throws {
    var text = text
    try text.withUTF8 { try sink(UnsafeRawBufferPointer($0)) }
  }
}

/// A value that two threads change.
private final class Shared<Value: Sendable>: Sendable {
  let value: Mutex<Value>

  init(_ value: Value) { self.value = Mutex(value) }
}

/// Writes contacts as vCards with their photos.
struct CardOutput {
  private let book: AddressBook
  private let exporter: CardExporter

  /// Writes cards of a version; nil for each card's original version, or else 3.0.
  init(book: AddressBook, version: VCardVersion?) {
    self.book = book
    exporter = CardExporter(version: version?.rawValue)
  }

  func write(_ contact: Contact, to sink: (String) throws -> Void) throws {
    let photo = try book.photoForExport(of: contact)
    try sink(String(decoding: exporter.card(of: contact, photo: photo), as: UTF8.self))
  }
}
