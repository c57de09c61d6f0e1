import AddressBookModel
import AddressBookTUI
import ArgumentParser
import ContactInterchange
import Contacts

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

  func validate() throws {
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
    let picked = try Screen.pick(kind, from: book.book, tracesSQL: book.tracesSQL)
    guard !picked.isEmpty else { throw CommandFailure(.nothingFound, "") }
    let book = try book.openToRead()
    defer { book.close() }
    let output = StandardOutput()
    for choice in picked {
      guard let contact = try book.contact(id: choice.id) else { continue }
      switch format {
      case .id: output.line(String(contact.id))
      case .uid: output.line(PlainText.cell(contact.uid))
      case .name: output.line(PlainText.cell(contact.displayName))
      case .email: output.line(PlainText.cell(MailAddress.bare(choice.value) ?? choice.value))
      case .phone: output.line(PlainText.cell(choice.value))
      case .mailbox: output.line(mailbox(contact, choice.value))
      case .json: output.line(JSONContacts.text(contact))
      case .vcard: try CardOutput(book: book, version: nil).write(contact) { output.write($0) }
      }
    }
    try output.flush()
  }

  /// The name, in quotation marks so that none of its characters has a special meaning (RFC 5322, 3.2.4), and the
  /// address; only the address if the contact has no other name.
  private func mailbox(_ contact: Contact, _ value: String) -> String {
    let address = PlainText.cell(MailAddress.bare(value) ?? value)
    let name = MailLine.clean(contact.displayName)
    return name.isEmpty || name == address ? address : "\"\(name)\" <\(address)>"
  }
}
