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
    let ids = parts.listPane.chosenIDs
    guard let first = ids.first else { return }
    let single = parts.listPane.marked.isEmpty ? name(ofSelected: first) : nil
    let title = single.map { strings("confirm.delete", $0) } ?? strings.count("confirm.deleteMany", ids.count)
    var detail = [strings("confirm.delete.detail", environment.keys.label(of: .undo, in: .list))]
    if single == nil {
      do {
        detail.insert(contentsOf: try parts.description(ofMarked: parts.listPane.marked), at: 0)
      } catch {
        status.show(reading: error)
        return
      }
    }
    environment.ask(
      title, detail: detail.joined(separator: "\n"),
      answers: [
        .init(key: "y", word: strings("confirm.delete.yes")) { [weak self] in self?.delete(ids, single: single) },
        .init(key: "n", word: strings("confirm.delete.no")) {},
      ])
  }

  private func delete(_ ids: [Int64], single: String?) {
    let step = StepName(.delete, single ?? "")
    let done = single.map { strings("status.deleted", $0) } ?? strings.count("status.deletedMany", ids.count)
    if ids.count > ContactEditor.bulkThreshold {
      return parts.editInBulk(ids, .delete, step: step) { _ in
        done
      } done: { [weak self] _ in
        self?.deselect(ids)
      }
    }
    do {
      let count = try editor.delete(ids, name: step)
      deselect(ids)
      status.show(done, changed: count)
    } catch {
      parts.show(error) { [weak self] in self?.delete(ids, single: single) }
    }
  }

  /// Unmarks deleted contacts, and closes the detail if it replaces the list.
  private func deselect(_ ids: [Int64]) {
    parts.listPane.unmark(ids)
    if !parts.detailPane.isBesideList { parts.detailPane.close() }
  }

  /// The name of the selected contact, for a question; nil if another contact is selected now, or if the selected
  /// contact is gone or cannot be read.
  private func name(ofSelected id: Int64) -> String? {
    list.contactForAction().flatMap { $0.id == id ? parts.name(of: $0) : nil }
  }
}
