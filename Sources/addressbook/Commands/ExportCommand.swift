import AddressBookModel
import ArgumentParser
import ContactInterchange

/// `addressbook export`: writes contacts as vCard or JSON, in section order, to standard output or to a file that is
/// replaced atomically.
struct ExportCommand: ParsableCommand {
  static let configuration = CommandConfiguration(commandName: "export", abstract: strings("Help/export"))

  @OptionGroup var book: BookOptions

  @Option(name: .long, help: help("exportFormat"))
  var format = CardFormat.vcard

  @Option(name: .customLong("vcard-version"), help: help("vcardVersion", valueName: "version"))
  var version: VCardVersion?

  @Option(name: [.short, .long], help: help("output", valueName: "file"), completion: .file())
  var output: String?

  @OptionGroup var condition: ConditionArguments

  @OptionGroup var search: SearchArguments

  func run() throws {
    let book = try book.openToRead()
    defer { book.close() }
    let ids = try search.idsInOrder(of: book, where: condition)
    if let ids, ids.isEmpty { throw CommandFailure.nothingFound(condition.description(with: search)) }
    if let path = output, path != "-" {
      let file = try FileReplacement(path: path)
      let count = try write(book, ids) { try file.write($0.utf8) }
      try file.commit()
      StandardError.line(strings("Export/done", count: count))
    } else {
      let output = StandardOutput()
      _ = try write(book, ids) {
        output.write($0)
        if output.hasFailed { try output.flush() }
      }
      try output.flush()
    }
    try book.reportDamage()
  }

  private func write(_ book: AddressBook, _ ids: [Int64]?, _ sink: (String) throws -> Void) throws -> Int {
    var count = 0
    switch format {
    case .vcard:
      let groups = try ids == nil ? book.groupsWithCard() : []
      let cards = CardOutput(book: book, version: version, groupsWithCard: groups)
      try book.forEachContact(ids: ids) { contact in
        try cards.write(contact, to: sink)
        count += 1
        return true
      }
      if !groups.isEmpty {
        for card in try book.groupCards(version: version?.rawValue) { try sink(String(decoding: card, as: UTF8.self)) }
      }
    case .json:
      try sink("[")
      try book.forEachContact(ids: ids) { contact in
        let photo = try book.photoForExport(of: contact)
        var contact = contact
        contact.photo = photo?.summary
        let text = ContactJSON.encodeWhole(
          contact, section: contact.sectionTitle, picture: photo.map { [UInt8]($0.data) })
        try sink((count == 0 ? "\n" : ",\n") + text)
        count += 1
        return true
      }
      try sink(count == 0 ? "]\n" : "\n]\n")
    }
    return count
  }
}

/// The supported vCard versions for export.
enum VCardVersion: String, ExpressibleByArgument, CaseIterable {
  case v21 = "2.1"
  case v30 = "3.0"
  case v40 = "4.0"
}
