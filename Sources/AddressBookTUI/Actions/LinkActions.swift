import AddressBookModel
import Contacts
import Glibc
import TerminalKit

/// Opens and copies the values of a contact: its phone numbers, email and postal addresses, websites and name.
@MainActor
final class LinkActions: BrowserAction {
  let parts: BrowserParts

  init(_ parts: BrowserParts) { self.parts = parts }

  /// The most contacts, and the most of their websites, that are opened, copied or edited as text at once.
  static let mostContacts = 100
  private static let mostWebsites = 10

  /// Opens the website (also one in the note), email address or phone number of the selected contact; lets the user
  /// choose if there are several. With marks, writes one email to all marked contacts, or opens their websites.
  func openLink() { chosen.map { openLink(of: $0) } }

  /// The same for any contacts.
  func openLink(of contacts: [Contact]) {
    let (title, nothing) = (strings("open.title"), strings("status.nothingToOpen"))
    if contacts.count > 1 {
      return chooseKind(of: contacts, from: [.email, .url], title, nothing) { [self] in openAll($0, $1) }
    }
    choose(of: contacts, from: [.url, .email, .phone, .note], title, word: "openLink", nothing) {
      [self] in open($0)
    }
  }

  /// Writes one email to all of these contacts.
  func writeEmail(to contacts: [Contact]) {
    let links = contacts.compactMap { $0.links([.email]).first }
    links.isEmpty ? status.say(strings("status.nothingToOpen")) : openAll(.email, links)
  }

  /// Opens the postal address of the selected contact on a map; lets the user choose if there are several.
  func openMap() { if let contact = list.contactForAction() { openMap(of: contact) } }

  /// The same for any contact.
  func openMap(of contact: Contact) {
    choose(
      of: [contact], from: [.address], strings("open.title"), word: "openLink", strings("status.nothingOnMap")
    ) { [self] in open($0) }
  }

  /// Shows the selected contact as a QR code.
  func showCode() { if let contact = list.contactForAction() { showCode(of: contact) } }

  /// The same for any contact.
  func showCode(of contact: Contact) {
    let screen = ContactCodeScreen(contact, environment)
    screen.prepare(in: Rect(environment.terminal.size))
    if let failure = screen.failure { return status.fail(failure.message(in: strings.localization)) }
    environment.screens.push(screen)
  }

  /// Copies the name of the selected contact, the name with an email address, or a postal address; lets the user choose
  /// if there are several. With marks, copies those of all marked contacts.
  func copyText() { chosen.map { copyText(of: $0) } }

  /// The same for any contacts.
  func copyText(of contacts: [Contact]) {
    copy(of: contacts, from: [.name, .mailbox, .address], strings("status.noTextToCopy"))
  }

  /// Copies the phone number, email address or website (also one in the note) of the selected contact; lets the user
  /// choose if there are several. With marks, copies those of all marked contacts.
  func copySelected() { chosen.map { copyLink(of: $0) } }

  /// The same for any contacts.
  func copyLink(of contacts: [Contact]) {
    copy(of: contacts, from: [.phone, .email, .url, .note], strings("status.nothingToCopy"))
  }

  /// The marked contacts in the order of the list, or the selected one; nil, with a message, if they cannot be read or
  /// are too many.
  private var chosen: [Contact]? {
    let marked = parts.listPane.marks.ids
    guard !marked.isEmpty else { return list.contactForAction().map { [$0] } }
    guard marked.count <= Self.mostContacts else {
      status.say(strings("links.tooMany", strings.number(Self.mostContacts)))
      return nil
    }
    do {
      return try environment.book.contacts(ids: parts.inListOrder(marked, first: marked.count).ids)
    } catch {
      status.show(reading: error)
      return nil
    }
  }

  private func copy(of contacts: [Contact], from kinds: [ContactLink.Kind], _ nothing: String) {
    let title = strings("copy.title")
    if contacts.count > 1 {
      // For the header of an email.
      let kinds = kinds.map { $0 == .email ? .mailbox : $0 }
      return chooseKind(of: contacts, from: kinds, title, nothing) { [self] in copyAll($0, $1) }
    }
    choose(of: contacts, from: kinds, title, word: "copy", nothing) { [self] in copy($0) }
  }

  /// Copies the addresses of emails in one line, for the header of an email; other values line by line.
  private func copyAll(_ kind: ContactLink.Kind, _ links: [ContactLink]) {
    let texts = links.map(\.copied)
    let separator = kind == .mailbox ? ", " : kind == .address ? "\n\n" : "\n"
    copy(texts.joined(separator: separator), shown: strings.list(links.map(\.text)))
  }

  private func openAll(_ kind: ContactLink.Kind, _ links: [ContactLink]) {
    guard kind == .url else { return open(ContactLink(kind: kind, label: "", value: links[0].value), with: links) }
    guard links.count <= Self.mostWebsites else {
      return status.say(strings("links.tooMany", strings.number(Self.mostWebsites)))
    }
    links.forEach { open($0) }
  }

  private func copy(_ link: ContactLink) {
    // A number is copied and shown without grouping; a postal address is shown on one line.
    copy(link.copied, shown: link.kind == .address ? link.text : link.copied)
  }

  private func copy(_ text: String, shown: String) {
    let clipboard = environment.clipboard
    let loop = environment.loop
    guard clipboard.command != nil else { return copyByTerminal(text, shown) }
    status.say(strings("status.copying", shown, clipboard.name))
    do {
      try clipboard.copy(text) { [self] status in loop.post { self.copyEnded(text, shown, status) } }
    } catch {
      if clipboard.isTmux { return copyByTerminal(text, shown) }
      let reason =
        error.code == ENOENT
        ? strings("copy.missing", clipboard.name)
        : strings("copy.notStarted", clipboard.name, String(cString: strerror(error.code)))
      status.fail(reason)
    }
  }

  private func copyEnded(_ text: String, _ shown: String, _ exitStatus: Int32) {
    let clipboard = environment.clipboard
    switch (exitStatus, clipboard.isTmux) {
    case (0, true): status.say(strings("status.copiedToTmux", shown))
    case (0, false): status.say(strings("status.copied", shown))
    case (_, true): copyByTerminal(text, shown)
    case (_, false): status.fail(strings("copy.failed", clipboard.name, String(exitStatus)))
    }
  }

  /// The terminal does not confirm the copy, so the message does not either.
  private func copyByTerminal(_ text: String, _ shown: String) {
    environment.terminal.copyToClipboard(text)
    status.say(strings("status.sentToTerminal", shown))
  }

  /// Lets the user choose one of the values of the contacts.
  private func choose(
    of contacts: [Contact], from kinds: [ContactLink.Kind], _ title: String, word: String, _ nothing: String,
    _ act: @escaping @MainActor (ContactLink) -> Void
  ) {
    let links = contacts.flatMap { $0.links(kinds) }
    guard let first = links.first else { return status.say(nothing) }
    guard links.count > 1 else { return act(first) }
    environment.choose(title: title, items: ContactLink.lines(links, strings), word: word) { choice in
      if case .item(let index) = choice { act(links[index]) }
    }
  }

  /// Lets the user choose a kind of value, of which each contact gives its first one.
  private func chooseKind(
    of contacts: [Contact], from kinds: [ContactLink.Kind], _ title: String, _ nothing: String,
    _ act: @escaping @MainActor (ContactLink.Kind, [ContactLink]) -> Void
  ) {
    let found = kinds.filter { $0 != .note }.map { kind in (kind, contacts.compactMap { $0.links([kind]).first }) }
      .filter { !$1.isEmpty }
    guard let first = found.first else { return status.say(nothing) }
    guard found.count > 1 else { return act(first.0, first.1) }
    let items = found.map { kind, links in
      ChooserState.Item(strings("field." + kind.rawValue), detail: strings.number(links.count))
    }
    environment.choose(title: title, items: items) { choice in
      if case .item(let index) = choice { act(found[index].0, found[index].1) }
    }
  }

  /// The key of the command that copies a link; if that command has no key, the key of the list of commands.
  private func copyKey(for link: ContactLink) -> String {
    let key = environment.keys.label(of: link.kind == .address ? .copyText : .copy, in: .list)
    return key.isEmpty ? environment.keys.label(of: .palette, in: .list) : key
  }

  /// - Parameter others: if they are emails, all of which are written to at once.
  private func open(_ link: ContactLink, with others: [ContactLink] = []) {
    let (strings, loop, opener) = (strings, environment.loop, environment.opener)
    let copyKey = copyKey(for: link)
    do {
      let address = others.isEmpty ? try link.address() : try LinkAddress.emails(others.map(\.value))
      do {
        // The user saw how it ended.
        if opener.usesTerminal(address) { return try opener.run(address, on: loop) }
        let name = opener.name(for: address)
        try opener.open(address) { [self] exitStatus in
          loop.post { self.status.fail(strings("open.ended", copyKey, name, String(exitStatus))) }
        }
        status.say(strings("status.opened", address.text))
      } catch {
        status.fail(strings.text(of: error, copyKey: copyKey))
      }
    } catch {
      status.fail(strings("open.refused." + error.key, link.value))
    }
  }
}

extension LinkAddress.Refusal {
  fileprivate var key: String {
    switch self {
    case .notWeb: "notWeb"
    case .malformed: "malformed"
    case .notAnEmail: "notAnEmail"
    case .notANumber: "notANumber"
    }
  }
}

extension Strings {
  fileprivate func text(of failure: LinkOpener.Failure, copyKey: String) -> String {
    switch failure {
    case .noDisplay: self("open.noDisplay", copyKey)
    case .missing(let program):
      program == LinkOpener.standard[0]
        ? self("open.noOpener", copyKey, program) : self("open.missing", copyKey, program)
    case .system(let program, let code): self("open.failed", copyKey, program, String(cString: strerror(code)))
    }
  }
}
