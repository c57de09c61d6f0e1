import AddressBookModel
import BookSearching
import Contacts
import TerminalKit

/// Goes from a contact to a related one of the book, and back.
@MainActor
final class RelatedActions: BrowserAction {
  let parts: BrowserParts
  /// The contacts that were left, with the one that was gone to.
  private var trail: [(from: Int64, to: Int64)] = []

  init(_ parts: BrowserParts) { self.parts = parts }

  /// Goes to the contact that is related to the selected one; lets the user choose if there are several.
  func follow() {
    guard let contact = list.contactForAction() else { return }
    do {
      let related = try environment.book.relatedContacts(of: contact)
      if related.count > 1 { return choose(from: related, of: contact) }
      if let only = related.first { return go(to: only.id, from: contact.id) }
      let names = contact.related.map(\.value)
      if !names.isEmpty { status.say(strings("related.notInBook", strings.list(names))) }
    } catch {
      status.show(reading: error)
    }
  }

  private func choose(from related: [RelatedContact], of contact: Contact) {
    let labels = related.map { DisplayText.clean(strings.label($0.label, else: strings("field.related"))) }
    let widest = labels.map { TextWidth.columns(of: $0) }.max() ?? 0
    let items = zip(related, labels).map { other, label in
      let gap = String(repeating: " ", count: widest - TextWidth.columns(of: label))
      return label + gap + (other.isInverse ? " ← " : " → ") + other.name
    }
    environment.choose(title: strings("related.title"), items: items, word: "show") { [self] choice in
      if case .item(let index) = choice { go(to: related[index].id, from: contact.id) }
    }
  }

  private func go(to id: Int64, from: Int64) {
    trail.append((from, id))
    parts.show(contact: id)
  }

  /// Goes back to the contact from which the selected one was reached; false if it was not reached like that.
  func goBack() -> Bool {
    guard let last = trail.popLast(), last.to == list.selectedID else {
      trail = []
      return false
    }
    parts.show(contact: last.from)
    return true
  }
}

extension BrowserParts {
  /// Selects a contact, among all contacts if the displayed ones do not include it.
  func show(contact id: Int64) {
    if list.snapshot.contains(id) { list.select(id: id) } else { search.showAll(selecting: id) }
    detailPane.detail.rewind()
  }
}
