import AddressBookModel
import Glibc

/// Opening and copying what the selected person can be reached by.
extension BrowserScreen {
  /// Opens the link, mail address or number of the selected person, or lets one of several be chosen.
  func openLink() {
    let words = environment.words
    choose(
      from: [.url, .email, .phone], title: words("open.title"), hint: words("open.hint"),
      nothing: words("status.nothingToOpen")
    ) { [weak self] in self?.open($0) }
  }

  /// Copies the number, mail address or link of the selected person, or lets one of several be chosen.
  func copySelected() {
    let words = environment.words
    choose(
      from: [.phone, .email, .url], title: words("copy.title"), hint: words("copy.hint"),
      nothing: words("status.nothingToCopy")
    ) { [weak self] link in
      self?.environment.terminal.copyToClipboard(link.value)
      self?.message = (words("status.copied", link.value), false)
    }
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
    environment.choose(title: title, items: ContactLink.lines(links, environment.words), hint: hint) { choice in
      if case .item(let index) = choice { act(links[index]) }
    }
  }

  private func open(_ link: ContactLink) {
    let words = environment.words
    let opener = environment.opener
    let loop = environment.loop
    do {
      let address = try link.address()
      do {
        try opener.open(address) { [weak self] status in
          loop.post { self?.message = (words("open.ended", opener.name, String(status)), true) }
        }
        message = (words("status.opened", address.text), false)
      } catch {
        message = (words.text(of: error), true)
      }
    } catch {
      message = (words("open.refused." + error.key, link.value), true)
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

extension Words {
  fileprivate func text(of failure: LinkOpener.Failure) -> String {
    switch failure {
    case .noDisplay: self("open.noDisplay")
    case .missing(let program):
      program == LinkOpener.standard[0] ? self("open.noOpener", program) : self("open.missing", program)
    case .system(let program, let code): self("open.failed", program, String(cString: strerror(code)))
    }
  }
}
