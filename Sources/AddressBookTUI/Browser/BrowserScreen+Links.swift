import AddressBookModel
import Glibc

/// Opening and copying what the selected person can be reached by.
extension BrowserScreen {
  /// Opens the link, mail address or number of the selected person, or lets one of several be chosen.
  func openLink() {
    let strings = environment.strings
    choose(
      from: [.url, .email, .phone], title: strings("open.title"), hint: strings("open.hint"),
      nothing: strings("status.nothingToOpen")
    ) { [weak self] in self?.open($0) }
  }

  /// Copies the number, mail address or link of the selected person, or lets one of several be chosen.
  func copySelected() {
    let strings = environment.strings
    choose(
      from: [.phone, .email, .url], title: strings("copy.title"), hint: strings("copy.hint"),
      nothing: strings("status.nothingToCopy")
    ) { [weak self] in self?.copy($0.value) }
  }

  private func copy(_ text: String) {
    let strings = environment.strings
    let clipboard = environment.clipboard
    let loop = environment.loop
    guard clipboard.command != nil else { return copyByTerminal(text) }
    message = (strings("status.copying", text, clipboard.name), false)
    do {
      try clipboard.copy(text) { [weak self] status in loop.post { self?.copyEnded(text, status) } }
    } catch {
      if clipboard.isTmux { return copyByTerminal(text) }
      let reason =
        error.code == ENOENT
        ? strings("copy.missing", clipboard.name)
        : strings("copy.notStarted", clipboard.name, String(cString: strerror(error.code)))
      message = (reason, true)
    }
  }

  private func copyEnded(_ text: String, _ status: Int32) {
    let strings = environment.strings
    let clipboard = environment.clipboard
    switch (status, clipboard.isTmux) {
    case (0, true): message = (strings("status.copiedToTmux", text), false)
    case (0, false): message = (strings("status.copied", text), false)
    case (_, true): copyByTerminal(text)
    case (_, false): message = (strings("copy.failed", clipboard.name, String(status)), true)
    }
  }

  /// The terminal does not say what it did with it, so neither do we.
  private func copyByTerminal(_ text: String) {
    environment.terminal.copyToClipboard(text)
    message = (environment.strings("status.sentToTerminal", text), false)
  }

  private func choose(
    from kinds: [ContactLink.Kind], title: String, hint: String, nothing: String,
    _ act: @escaping @MainActor (ContactLink) -> Void
  ) {
    guard let contact = list.contactForAction() else { return }
    let links = contact.links(kinds)
    guard let first = links.first else {
      message = (nothing, false)
      return
    }
    guard links.count > 1 else { return act(first) }
    environment.choose(title: title, items: ContactLink.lines(links, environment.strings), hint: hint) { choice in
      if case .item(let index) = choice { act(links[index]) }
    }
  }

  private func open(_ link: ContactLink) {
    let strings = environment.strings
    let opener = environment.opener
    let loop = environment.loop
    do {
      let address = try link.address()
      do {
        try opener.open(address) { [weak self] status in
          loop.post { self?.message = (strings("open.ended", opener.name, String(status)), true) }
        }
        message = (strings("status.opened", address.text), false)
      } catch {
        message = (strings.text(of: error), true)
      }
    } catch {
      message = (strings("open.refused." + error.key, link.value), true)
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
  fileprivate func text(of failure: LinkOpener.Failure) -> String {
    switch failure {
    case .noDisplay: self("open.noDisplay")
    case .missing(let program):
      program == LinkOpener.standard[0] ? self("open.noOpener", program) : self("open.missing", program)
    case .system(let program, let code): self("open.failed", program, String(cString: strerror(code)))
    }
  }
}
