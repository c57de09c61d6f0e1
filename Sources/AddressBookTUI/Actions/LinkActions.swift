import AddressBookModel
import Contacts
import Glibc

/// Opens and copies the values of a contact: its phone numbers, email and postal addresses, websites and name.
@MainActor
final class LinkActions: BrowserAction {
  let parts: BrowserParts

  init(_ parts: BrowserParts) { self.parts = parts }

  /// Opens the website (also one in the note), email address or phone number of the selected contact; lets the user
  /// choose if there are several.
  func openLink() { if let contact = list.contactForAction() { openLink(of: contact) } }

  /// The same for any contact.
  func openLink(of contact: Contact) {
    choose(
      of: contact, from: [.url, .email, .phone, .note], title: strings("open.title"), hint: strings("open.hint"),
      nothing: strings("status.nothingToOpen")
    ) { [weak self] in self?.open($0) }
  }

  /// Opens the postal address of the selected contact on a map; lets the user choose if there are several.
  func openMap() { if let contact = list.contactForAction() { openMap(of: contact) } }

  /// The same for any contact.
  func openMap(of contact: Contact) {
    choose(
      of: contact, from: [.address], title: strings("open.title"), hint: strings("open.hint"),
      nothing: strings("status.nothingOnMap")
    ) { [weak self] in self?.open($0) }
  }

  /// Copies the name of the selected contact, the name with an email address, or a postal address; lets the user choose
  /// if there are several.
  func copyText() { if let contact = list.contactForAction() { copyText(of: contact) } }

  /// The same for any contact.
  func copyText(of contact: Contact) {
    choose(
      of: contact, from: [.name, .mailbox, .address], title: strings("copy.title"), hint: strings("copy.hint"),
      nothing: strings("status.noTextToCopy")
    ) { [weak self] in self?.copy($0) }
  }

  /// Copies the phone number, email address or website (also one in the note) of the selected contact; lets the user
  /// choose if there are several.
  func copySelected() { if let contact = list.contactForAction() { copyLink(of: contact) } }

  /// The same for any contact.
  func copyLink(of contact: Contact) {
    choose(
      of: contact, from: [.phone, .email, .url, .note], title: strings("copy.title"), hint: strings("copy.hint"),
      nothing: strings("status.nothingToCopy")
    ) { [weak self] in self?.copy($0) }
  }

  private func copy(_ link: ContactLink) {
    // A number is copied and shown without grouping; a postal address is shown on one line.
    let text = link.copied
    let shown = link.kind == .address ? link.text : text
    let clipboard = environment.clipboard
    let loop = environment.loop
    guard clipboard.command != nil else { return copyByTerminal(text, shown) }
    status.say(strings("status.copying", shown, clipboard.name))
    do {
      try clipboard.copy(text) { [weak self] status in loop.post { self?.copyEnded(text, shown, status) } }
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

  private func choose(
    of contact: Contact, from kinds: [ContactLink.Kind], title: String, hint: String, nothing: String,
    _ act: @escaping @MainActor (ContactLink) -> Void
  ) {
    let links = contact.links(kinds)
    guard let first = links.first else {
      status.say(nothing)
      return
    }
    guard links.count > 1 else { return act(first) }
    environment.choose(title: title, items: ContactLink.lines(links, strings), hint: hint) { choice in
      if case .item(let index) = choice { act(links[index]) }
    }
  }

  /// The key of the command that copies a link; if that command has no key, the key of the list of commands.
  private func copyKey(for link: ContactLink) -> String {
    let key = environment.keys.label(of: link.kind == .address ? .copyText : .copy, in: .list)
    return key.isEmpty ? environment.keys.label(of: .palette, in: .list) : key
  }

  private func open(_ link: ContactLink) {
    let (strings, loop, opener) = (strings, environment.loop, environment.opener)
    let copyKey = copyKey(for: link)
    do {
      let address = try link.address()
      do {
        try opener.open(address) { [weak self] exitStatus in
          loop.post { self?.status.fail(strings("open.ended", copyKey, opener.name, String(exitStatus))) }
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
