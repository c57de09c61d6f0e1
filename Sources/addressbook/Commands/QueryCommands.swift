import AddressBookModel
import AddressBookTUI
import ArgumentParser
import BookSearching
import ContactInterchange
import Contacts

/// `addressbook query`: finds addresses for mutt, neomutt and aerc, which run it while the user types.
///
/// Prints a message line, then `address<TAB>name<TAB>other` for each email address of each match, best first. Without a
/// match it only prints the message line and exits with status 1, which makes mutt show the line.
struct QueryCommand: ParsableCommand {
  static let configuration = CommandConfiguration(commandName: "query", abstract: strings("Help/query"))

  enum Format: String, ExpressibleByArgument, CaseIterable {
    case mutt, table, tsv, json, jsonl
  }

  @OptionGroup var book: BookOptions

  @Option(name: .long, help: help("queryFormat"))
  var format = Format.mutt

  @Flag(name: .customLong("no-header"), help: help("noHeader"))
  var noHeader = false

  @OptionGroup var condition: ConditionArguments

  @OptionGroup var search: SearchArguments

  @OptionGroup var login: LoginOptions

  @OptionGroup var directory: DirectoryOptions

  func run() throws {
    let source = try book.openToRead(login, directory, search, limit: Self.limit, withPhotos: false)
    // By then the answer has been printed, so saving the search index does not delay it.
    defer { source.close() }
    let output = StandardOutput()
    switch format {
    case .mutt, .table, .tsv: try printAddresses(source, output)
    case .json, .jsonl: try printJSON(source, output)
    }
  }

  /// How many of the contacts found are compared with their checksums: more than a user looks at.
  private static let checked = 100

  /// How many entries of a directory are requested: more than a user looks through.
  private static let limit = 200

  private func printAddresses(_ source: BookToRead, _ output: StandardOutput) throws {
    let book = source.book
    let found = try source.ranked(search, where: condition, withEmail: true)
    let lines = try source.queries.mailLines(of: found.map(\.id), form: MailLine.form)
    guard lines.count > 0 else {
      let query = condition.description(with: search)
      // Without words, a directory sends all entries, but a book is not searched.
      let nothing = source.answer == nil ? strings("Found/emptyQuery") : strings("Found/noAddresses")
      let unknown = CommandFailure.unknownField(in: search.text)
      let message = query.isEmpty ? nothing : unknown?.message ?? strings("Found/noAddressMatches", query)
      // mutt shows the first line of the output if the status is not 0. Anything on standard error would stay on the
      // screen of a mail program that queries while the user types.
      guard format == .mutt else { throw unknown ?? CommandFailure(.nothingFound, message) }
      if !noHeader { output.line(MailLine.clean(message)) }
      try output.flush()
      throw CommandFailure(.nothingFound, "")
    }
    let hasHeader = format == .mutt && !noHeader
    if hasHeader {
      let more = source.answer?.isCut == true ? " " + strings("Directory/more") : ""
      let count = strings("Found/addresses", count: lines.count)
      output.line(found[0].isCorrected ? strings("Found/corrected", search.text, count) : count + more)
    }
    if format == .table {
      let listing = Listing<[String]>(
        columns: [Column("email", 40), Column("name", 40), Column("details", 60)], rows: { [$0] }, json: JSON.texts)
      let rows = String(decoding: lines.text, as: UTF8.self).split(separator: "\n").map { line in
        line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
      }
      try listing.print(.table, rows, empty: "")
    } else {
      output.write(lines.text)
      try output.flush()
    }
    if !hasHeader { noteCorrection(found) }
    if format != .mutt, let answer = source.answer, answer.isCut {
      StandardError.say(strings("Directory/cut", answer.host))
    }
    // The output was made without reading whole contacts: read the first ones now, to compare them with their
    // checksums.
    _ = try book.contacts(ids: found.prefix(Self.checked).map(\.id))
    try book.reportDamage()
  }

  private func printJSON(_ source: BookToRead, _ output: StandardOutput) throws {
    let book = source.book
    let found = try source.ranked(search, where: condition, explaining: true)
    let matches = Dictionary(found.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
    try JSONContacts.write(of: book, found.map(\.id), matches: matches, inLines: format == .jsonl, to: output)
    try output.flush()
    noteCorrection(found)
    try book.reportDamage()
    // Not a failure: the program requested no more than `limit` entries.
    if let answer = source.answer, answer.isCut { StandardError.say(strings("Directory/cut", answer.host)) }
    if found.isEmpty { throw CommandFailure.unknownField(in: search.text) ?? CommandFailure(.nothingFound, "") }
  }

  private func noteCorrection(_ found: [FoundContact]) {
    if found.first?.isCorrected == true { StandardError.say(strings("Found/onlyCorrected", search.text)) }
  }
}

/// A line for mail programs. neomutt builds `"name" <address>` without escaping, so that a quote or a backslash in
/// a name could add another address (alias/dlg_query.c): they are removed. Tabs and line ends become spaces.
enum MailLine {
  /// Address, name and the rest, separated by tabs; nil if no mail could be sent to the address.
  static let form = MailLineForm(version: 3) { entry in
    guard let address = MailAddress.bare(entry.address) else { return nil }
    let label = clean(entry.label)
    let other = clean(entry.organization.isEmpty ? entry.nickname : entry.organization)
    let rest = label.isEmpty ? other : other.isEmpty ? label : label + ", " + other
    return address + "\t" + clean(entry.name) + "\t" + rest
  }

  /// Text with single spaces, and without characters that could end a cell, a line or a quoted name.
  static func clean(_ text: String) -> String {
    if isPlain(text) { return text }
    return without("\"\\", PlainText.cell(text)).split(separator: " ").joined(separator: " ")
  }

  /// Text without certain characters, even if a combining mark follows them.
  private static func without(_ unwanted: String, _ text: String) -> String {
    String(String.UnicodeScalarView(text.unicodeScalars.filter { !unwanted.unicodeScalars.contains($0) }))
  }

  /// A fast check that is enough for most texts: only plain characters, no quotes or backslashes, and only single
  /// spaces inside.
  private static func isPlain(_ text: String) -> Bool {
    guard !PlainText.mayNeedEscaping(text) else { return false }
    var last = UInt8(ascii: " ")
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "\""), UInt8(ascii: "\\"): return false
      case UInt8(ascii: " ") where last == byte: return false
      default: last = byte
      }
    }
    return last != UInt8(ascii: " ") || text.isEmpty
  }
}

/// `addressbook pick`: opens the full-screen interface as a chooser, on the controlling terminal, and prints what was
/// chosen.
struct PickCommand: ParsableCommand {
  static let configuration = CommandConfiguration(commandName: "pick", abstract: strings("Help/pick"))

  /// What is printed for each contact.
  enum Format: String, ExpressibleByArgument, CaseIterable {
    case id, uid, name, email, phone
    /// `Name <address>`.
    case mailbox
    case json, vcard
  }

  @OptionGroup var book: BookOptions

  @Option(name: .long, help: help("pickFormat"))
  var format: Format?

  @Flag(name: .customLong("email"), help: help("pickEmail"))
  var picksEmail = false

  @Flag(name: .customLong("phone"), help: help("pickPhone"))
  var picksPhone = false

  @Flag(name: .customLong("id"), help: help("pickID"))
  var picksID = false

  @Flag(name: [.customShort("m"), .customLong("multi")], help: help("pickMulti"))
  var picksSeveral = false

  @Flag(name: .customLong("print-query"), help: help("printQuery"))
  var printsQuery = false

  @Flag(name: [.customShort("0"), .customLong("null")], help: help("pickNull"))
  var endsWithNull = false

  @Argument(parsing: .allUnrecognized, help: help("pickQuery", valueName: "query"))
  var query: [String] = []

  func validate() throws {
    try SearchWords.refuseOptions(in: query)
    let flags = [picksEmail, picksPhone, picksID].count { $0 } + (format == nil ? 0 : 1)
    if flags > 1 { throw ValidationError(strings("Misuse/oneFormat")) }
  }

  private var chosenFormat: Format { format ?? (picksEmail ? .email : picksPhone ? .phone : .id) }

  func run() throws {
    let format = chosenFormat
    let kind: ScreenPick.Kind =
      switch format {
      case .email, .mailbox: .email
      case .phone: .phone
      case .id, .uid, .name, .json, .vcard: .contact
      }
    let picked = try Screen.pick(
      kind, isMultiple: picksSeveral, query: SearchWords.text(query), from: book.book, tracesSQL: book.tracesSQL)
    guard let choices = picked.choices else { throw CommandFailure(.interrupted, "") }
    let output = StandardOutput()
    func end() { output.write(endsWithNull ? "\0" : "\n") }
    if printsQuery {
      output.write(PlainText.cell(picked.query))
      end()
    }
    let book = try book.openToRead()
    defer { book.close() }
    for choice in choices {
      guard let contact = try book.contact(id: choice.id) else { continue }
      switch format {
      case .id: output.write(String(contact.id))
      case .uid: output.write(PlainText.cell(contact.uid))
      case .name: output.write(PlainText.cell(contact.displayName))
      case .email: output.write(PlainText.cell(MailAddress.bare(choice.value) ?? choice.value))
      case .phone: output.write(PlainText.cell(choice.value))
      case .mailbox: output.write(mailbox(contact, choice.value))
      case .json: output.write(JSONContacts.text(contact))
      case .vcard:
        try CardOutput(book: book, version: nil).write(contact) { output.write($0) }
        // Its last line has an end already.
        if !endsWithNull { continue }
      }
      end()
    }
    try output.flush()
    if choices.isEmpty { throw CommandFailure(.nothingFound, "") }
  }

  /// The name, in quotation marks so that none of its characters has a special meaning (RFC 5322, 3.2.4), and the
  /// address; only the address if the contact has no other name.
  private func mailbox(_ contact: Contact, _ value: String) -> String {
    let address = PlainText.cell(MailAddress.bare(value) ?? value)
    let name = MailLine.clean(contact.displayName)
    return name.isEmpty || name == address ? address : "\"\(name)\" <\(address)>"
  }
}
