import AddressBookModel
import Contacts
import TerminalKit

/// Deletes contacts, after a question.
@MainActor
final class ContactDeleting: BrowserAction {
  let parts: BrowserParts

  init(_ parts: BrowserParts) { self.parts = parts }

  /// Deletes all marked contacts, or the selected one, if the user confirms it.
  func deleteChosen() {
    let (ids, marked) = (parts.listPane.chosenIDs, parts.listPane.marked)
    guard !ids.isEmpty else { return }
    do {
      if !marked.isEmpty {
        let description = try parts.description(ofMarked: marked)
        ask(strings.count("confirm.deleteMany", ids.count), description, toDelete: ids, single: nil)
      } else if let contact = try list.selectedContact() {
        let name = parts.name(of: contact)
        ask(strings("confirm.delete", name), [], toDelete: ids, single: name)
      } else {
        status.fail(strings("status.gone"))
      }
    } catch {
      status.show(reading: error)
    }
  }

  private func ask(_ title: String, _ description: [String], toDelete ids: [Int64], single: String?) {
    environment.ask(
      title, detail: environment.undoableDetail(description),
      answers: [
        .init(key: "y", word: strings("confirm.delete.yes")) { [self] in delete(ids, single: single) },
        .init(key: "n", word: strings("confirm.delete.no")) {},
      ])
  }

  private func delete(_ ids: [Int64], single: String?) {
    let step = StepName(.delete, single ?? "")
    let done = single.map { strings("status.deleted", $0) } ?? strings.count("status.deletedMany", ids.count)
    parts.edit(ids, .delete, step: step) { _ in
      done
    } done: { [self] _ in
      deselect(ids)
    }
  }

  /// Unmarks deleted contacts, and closes the detail if it replaces the list.
  private func deselect(_ ids: [Int64]) {
    parts.listPane.unmark(ids)
    if !parts.detailPane.isBesideList { parts.detailPane.close() }
  }
}
