import AddressBookModel
import AddressBookTUI
import ArgumentParser
import AvatarImage
import Contacts
import Foundation
import Messages

/// `addressbook show`: prints all details of a contact by id, UID or URI, or of every contact that a query
/// finds.
struct ShowCommand: ParsableCommand {
  static let configuration = CommandConfiguration(commandName: "show", abstract: strings("Help/show"))

  enum Format: String, ExpressibleByArgument, CaseIterable {
    case table, tsv, json, jsonl, vcard, qr

    /// Reads a format, or `text`, the old name of `table`.
    init?(argument: String) { self.init(rawValue: argument == "text" ? "table" : argument) }
  }

  @OptionGroup var book: BookOptions

  @Option(name: .long, help: help("showFormat"))
  var format = Format.table

  @OptionGroup var search: SearchArguments

  @OptionGroup var login: LoginOptions

  @OptionGroup var directory: DirectoryOptions

  func validate() throws {
    if search.query.isEmpty { throw ValidationError(strings("Misuse/nothingToShow")) }
  }

  func run() throws {
    let source = try book.openToRead(login, directory, search, withPhotos: true)
    let book = source.book
    defer { book.close() }
    let contacts = try contacts(in: source)
    guard !contacts.isEmpty else { throw CommandFailure.unknownField(in: search.text) ?? .nothingFound(search.text) }
    let output = StandardOutput()
    for (index, contact) in contacts.enumerated() {
      switch format {
      case .table, .tsv:
        let folders = try book.folderNames(ofContact: contact.id)
        if format == .tsv {
          let pairs =
            [(strings("Column/name"), contact.displayName)] + ContactDescription.pairs(contact, folders: folders)
          for (title, value) in pairs { output.line(TabSeparated.row([String(contact.id), title, value])) }
          continue
        }
        if index > 0 { output.line("") }
        if book.damage.has(contact.id) { output.line(strings("Show/damaged")) }
        for line in ContactDescription.lines(contact, folders: folders) { output.line(line) }
      case .json, .jsonl: output.line(JSONContacts.text(contact))
      case .qr: try printCode(of: contact, to: output)
      case .vcard: try CardOutput(book: book, version: nil).write(contact) { output.write($0) }
      }
    }
    try output.flush()
    try source.reportProblems()
  }

  /// Prints a QR code that fits the terminal above the next prompt, with text beside or below it. Into a file or a pipe
  /// only the code is written, of any size, without colors.
  private func printCode(of contact: Contact, to output: StandardOutput) throws {
    let window = output.isTerminal ? (StandardOutput.terminalRows - 1, StandardOutput.terminalColumns) : nil
    // Not an ornament: without colors, a code on a dark terminal cannot be read.
    let colors = CellPictureText.colors(evenIfUnwanted: true)
    let code: ContactCode
    do {
      code = try ContactCode(of: contact, named: contact.displayName, in: window, colors: colors, .shared)
    } catch {
      throw CommandFailure(.failed, error.message(in: .shared))
    }
    for (row, line) in CellPictureText.lines(code.picture).enumerated() {
      let isBeside = row < code.linesBeside.count
      let text = isBeside ? String(repeating: " ", count: ContactCode.gap) + code.linesBeside[row] : ""
      output.write(Array((line + text + "\n").utf8))
    }
    for line in code.linesBelow { output.line(line) }
    if window == nil, let leftOut = code.leftOut { StandardError.say(leftOut) }
  }

  private func contacts(in source: BookToRead) throws -> [Contact] {
    let book = source.book
    if source.answer == nil, search.query.count == 1,
      let contact = try ContactReference.identified(search.query[0], in: book)
    {
      return [contact]
    }
    return try book.contacts(ids: source.ranked(search).map(\.id))
  }
}

/// A readable description of a contact: one value per line, localized labels in their own column.
enum ContactDescription {
  /// The labels and values below the name.
  /// - Parameter folders: the names of the folders that the contact is in.
  static func pairs(_ contact: Contact, folders: [String]) -> [(String, String)] {
    let localization = Localization.shared
    var pairs: [(String, String)] = []
    func add(_ title: String, _ value: String) {
      if !value.isEmpty { pairs.append((title, value)) }
    }
    func name(_ property: String) -> String { localization.propertyName(property, entity: "Person") }
    func add(_ values: ContactField.Values) {
      for value in values.read(contact) {
        let (name, label) = (name(values.name + ".one"), localization.label(value.label))
        // The label of a field of the user's own is its name.
        let isNamed = values.card.form == .custom && !label.isEmpty
        add(isNamed ? label : localization.noted(name, label), value.value)
      }
    }

    let transcription = contact.transcription
    add(addressbook.strings("Show/phonetic"), transcription.isEmpty ? contact.phoneticName : transcription)
    for field in ContactFields.standard.texts where field.role == .detail || field.role == .employment {
      let isShown = field.name == "organization" && contact[field] == contact.displayName
      add(name(field.title), isShown ? "" : contact[field])
    }
    for field in ContactFields.standard.all {
      switch field {
      case .values(let values):
        // Keep dates together, the birthday first.
        if values.rule == .date { add(name("birthday"), contact.birthday?.iso ?? "") }
        add(values)
      case .special(.addresses):
        for address in contact.addresses {
          add(localization.noted(name("addresses.one"), localization.label(address.label)), address.joined(by: ", "))
        }
      default: break
      }
    }
    add(name("groups"), localization.list(contact.groups))
    add(name("folders"), localization.list(folders))
    if let photo = contact.photo { add(name("photo"), addressbook.strings("Show/photo", photo.bytes)) }
    for field in ContactFields.standard.texts where field.role == .prose { add(name(field.title), contact[field]) }
    add("id", String(contact.id))
    add("uid", contact.uid)
    add("uri", ContactURI(uid: contact.uid).text)
    add(addressbook.strings("Column/section"), contact.sectionTitle)
    return pairs
  }

  /// The name, and the labels and values in columns.
  static func lines(_ contact: Contact, folders: [String]) -> [String] {
    let title = contact.displayName
    let pairs = pairs(contact, folders: folders)
    let safe = StandardOutput.isTerminal ? PlainColumns.clean : PlainText.cell
    let width = pairs.map { TextTable.width($0.0) }.max() ?? 0
    var lines = [safe(title.isEmpty ? addressbook.strings("Show/noName") : title)]
    for (title, value) in pairs {
      let rows = value.split(omittingEmptySubsequences: false) { $0 == "\n" || $0 == "\r\n" || $0 == "\r" }
      for (index, row) in rows.enumerated() {
        let head = index == 0 ? title : ""
        lines.append("  " + TextTable.padded(safe(head), to: width) + "  " + safe(String(row)))
      }
    }
    return lines
  }
}

/// A photo as lines of text, with ECMA-48 colors (SGR) if a terminal shows them.
enum CellPictureText {
  /// The colors for standard output: none in a file or pipe, if NO_COLOR is set (no-color.org), or if TERM is `dumb` or
  /// not set.
  /// - Parameter evenIfUnwanted: whether to ignore NO_COLOR.
  static func colors(evenIfUnwanted: Bool = false) -> CellColors {
    let environment = ProcessInfo.processInfo.environment
    let terminal = environment["TERM"] ?? ""
    guard StandardOutput.isTerminal, evenIfUnwanted || (environment["NO_COLOR"] ?? "").isEmpty,
      !["", "dumb"].contains(terminal)
    else { return .monochrome }
    if ["truecolor", "24bit"].contains(environment["COLORTERM"] ?? "") || terminal.hasSuffix("-direct") {
      return .trueColor
    }
    return terminal.contains("256color") ? .palette256 : .palette16
  }

  /// The lines; without colors they contain no control characters.
  static func lines(_ picture: CellPicture) -> [String] {
    (0..<picture.rows).map { row in
      var line = ""
      var current = (CellColor.standard, CellColor.standard)
      for column in 0..<picture.columns {
        let cell = picture[row, column]
        if current != (cell.foreground, cell.background) {
          current = (cell.foreground, cell.background)
          line += "\u{1B}[0" + code(cell.foreground, 30) + code(cell.background, 40) + "m"
        }
        line += cell.text
      }
      if current != (.standard, .standard) { line += "\u{1B}[0m" }
      while line.last == " " { line.removeLast() }
      return line
    }
  }

  /// `;38;5;n` and the like; `base` is 30 for the foreground and 40 for the background.
  private static func code(_ color: CellColor, _ base: Int) -> String {
    switch color {
    case .standard: ""
    case .palette(let index) where index < 8: ";\(base + Int(index))"
    case .palette(let index) where index < 16: ";\(base + 52 + Int(index))"
    case .palette(let index): ";\(base + 8);5;\(index)"
    case .rgb(let red, let green, let blue): ";\(base + 8);2;\(red);\(green);\(blue)"
    }
  }
}
