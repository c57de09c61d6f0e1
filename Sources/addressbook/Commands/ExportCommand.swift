import AddressBookModel
import ArgumentParser
import BookInterchange

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

  @OptionGroup var condition: ConditionArguments

  @OptionGroup var search: SearchArguments

  @OptionGroup var login: LoginOptions

  @OptionGroup var directory: DirectoryOptions

  func validate() throws {
    if folder != nil, format != .vcard || output != nil { throw ValidationError(strings("Misuse/split")) }
  }

  func run() throws {
    let source = try book.openToRead(login, directory, search, withPhotos: format != .csv && format != .mutt)
    let book = source.book
    defer { book.close() }
    let ids = try source.idsInOrder(search, where: condition)
    if let ids, ids.isEmpty { throw condition.nothingFound(search) }
    var export = ContactExport(book: book, format: format, version: version)
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
