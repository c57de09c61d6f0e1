import AddressBookModel
import ArgumentParser
import ContactInterchange
import Contacts
import Glibc
import Messages

/// `addressbook add-email`: adds the sender of an email message on standard input, for a key of a mail program.
struct AddEmailCommand: ParsableCommand {
  static let configuration = CommandConfiguration(commandName: "add-email", abstract: strings("Help/add-email"))

  /// The header field that contains the address.
  enum Field: String, ExpressibleByArgument, CaseIterable {
    case from, sender
    case replyTo = "reply-to"
  }

  @OptionGroup var book: BookOptions

  @Option(name: .long, help: help("mailHeader"))
  var header = Field.from

  @Option(name: .long, help: help("mailTo", valueName: "id"))
  var to: String?

  @Flag(name: .customLong("same-name"), help: help("mailSameName"))
  var joinsSameName = false

  func validate() throws {
    if to != nil, joinsSameName { throw ValidationError(strings("Misuse/toAndSameName")) }
  }

  func run() throws {
    let sender = try sender(of: MailHeader(of: try Self.mail()))
    let book = try book.openToChange()
    defer { book.closeAfterWriting() }
    let chosen = try chosenContact(in: book)
    if let known = try book.contactIDs(withEmail: sender.address).first(where: { $0 == chosen ?? $0 }) {
      StandardError.line(strings("AddEmail/known", sender.address, try name(of: known, in: book)))
      return try StandardOutput.printStored([known])
    }
    let namesake = try chosen == nil ? namesake(of: sender, in: book) : nil
    if let id = chosen ?? (joinsSameName ? namesake : nil) {
      try book.refuseDamage(of: [id])
      _ = try book.newContext().edit(id) { $0.emails.append(LabeledValue(value: sender.address)) }
      StandardError.line(strings("AddEmail/joined", sender.address, try name(of: id, in: book)))
      return try StandardOutput.printStored([id])
    }
    let context = book.newContext()
    let person = context.insertPerson()
    var contact = Contact()
    contact.formattedName = sender.name
    contact.emails = [LabeledValue(value: sender.address)]
    try person.apply(contact)
    try context.save()
    StandardError.line(strings("AddEmail/added", sender.address, contact.displayName))
    if let namesake { StandardError.line(strings("AddEmail/namesake", namesake, sender.name)) }
    try StandardOutput.printStored([person.id])
  }

  /// Reads the whole message, so that the mail program does not write to a closed pipe; only the beginning, with the
  /// header, is kept.
  private static func mail() throws -> [UInt8] {
    if isatty(STDIN_FILENO) == 1 { throw CommandFailure(.misuse, strings("AddEmail/terminal")) }
    var mail: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = read(STDIN_FILENO, &chunk, chunk.count)
      if count < 0, errno == EINTR { continue }
      if count < 0 { throw CommandFailure(.failed, strings("AddEmail/unreadable", SystemError(code: errno).message)) }
      if count == 0 { return mail }
      if mail.count < MailHeader.limit { mail += chunk[..<count] }
    }
  }

  private func sender(of mail: MailHeader) throws -> MailAddress {
    let names = header == .from ? [Field.from, .sender] : [header]
    for name in names {
      if let address = mail.addresses(in: name.rawValue).first { return address }
    }
    throw CommandFailure(.nothingFound, strings("AddEmail/noSender", Localization.shared.list(names.map(\.rawValue))))
  }

  /// The contact of `--to`, which gets the address even if another contact has it too; nil without the option.
  private func chosenContact(in book: AddressBook) throws -> Int64? {
    try to.map { try ContactReference.one($0, in: book).id }
  }

  /// The contact with the sender's name, which gets the address with `--same-name`. Otherwise it is only mentioned,
  /// because it may be another person.
  private func namesake(of sender: MailAddress, in book: AddressBook) throws -> Int64? {
    sender.name.isEmpty ? nil : try book.contactIDs(named: sender.name).first
  }

  private func name(of id: Int64, in book: AddressBook) throws -> String {
    try book.contact(id: id)?.displayName ?? String(id)
  }
}
