import AddressBookModel
import TerminalKit

/// The state of the screen of deleted contacts: the contacts, the selection, and the marks.
struct TrashState {
  /// The most recently deleted first.
  private(set) var contacts: [DeletedContact] = []
  /// False until the contacts have been read.
  private(set) var isLoaded = false
  /// Ids of marked contacts.
  private(set) var marked: Set<Int64> = []
  var selection = ListSelection(count: 0)

  var hasMarks: Bool { !marked.isEmpty }

  /// Shows these contacts. The selected index stays, if it exists; contacts that are gone are no longer marked.
  mutating func show(_ contacts: [DeletedContact]) {
    self.contacts = contacts
    isLoaded = true
    selection.count = contacts.count
    if hasMarks { marked.formIntersection(contacts.map(\.id)) }
  }

  /// The marked contacts, or the selected one.
  var chosen: [DeletedContact] {
    if hasMarks { return contacts.filter { marked.contains($0.id) } }
    return contacts.indices.contains(selection.selected) ? [contacts[selection.selected]] : []
  }

  /// Marks the selected contact, or removes its mark, and goes to the next.
  mutating func toggleMark() {
    guard contacts.indices.contains(selection.selected) else { return }
    let id = contacts[selection.selected].id
    if marked.remove(id) == nil { marked.insert(id) }
    selection.move(.down)
  }

  /// Marks all; if all are marked, removes the marks.
  mutating func toggleAll() {
    marked = marked.count == contacts.count ? [] : Set(contacts.map(\.id))
  }

  mutating func clearMarks() { marked = [] }
}
