import AddressBookModel
import Contacts
import TerminalKit

/// Deletes contacts, after a question that names them.
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
        detail.insert(contentsOf: try description(ofMarked: ids), at: 0)
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

  /// The names of the first marked contacts, and how many marked ones are not visible.
  private func description(ofMarked ids: [Int64]) throws -> [String] {
    let ordered = ids.map { (id: $0, row: list.snapshot.flatRow(ofID: $0)) }
      .sorted { ($0.row ?? .max, $0.id) < ($1.row ?? .max, $1.id) }
    let shown = ordered.prefix(Self.namesInQuestion).map(\.id)
    let contacts = try environment.book.contacts(ids: shown)
    let names = shown.compactMap { id in contacts.first { $0.id == id }.map { DisplayText.clean(parts.name(of: $0)) } }
    let text = names.joined(separator: strings("list.comma"))
    let rest = ids.count - shown.count
    var lines = [rest > 0 ? strings.count("confirm.delete.more", rest, text) : text]
    let filtered = ordered.count { $0.row == nil }
    let unseen = ids.count { !parts.listPane.isOnScreen($0) }
    if filtered > 0 {
      lines.append(strings.count("confirm.delete.filtered", filtered))
    } else if unseen > 0 {
      lines.append(strings.count("confirm.delete.unseen", unseen))
    }
    return lines
  }

  /// How many names fit into a question in a small window.
  private static var namesInQuestion: Int { 5 }

  private func delete(_ ids: [Int64], single: String?) {
    let step = StepName(.delete, single ?? "")
    let done = single.map { strings("status.deleted", $0) } ?? strings.count("status.deletedMany", ids.count)
    if ids.count > ContactEditor.bulkThreshold {
      return parts.editInBulk(ids, .delete, step: step, message: done) { [weak self] in self?.deselect(ids) }
    }
    do {
      try editor.delete(ids, name: step)
      deselect(ids)
      status.showUndoable(done)
    } catch {
      parts.show(error) { [weak self] in self?.delete(ids, single: single) }
    }
  }

  /// Cleans up after these contacts were deleted.
  private func deselect(_ ids: [Int64]) {
    parts.listPane.marked.subtract(ids)
    if !parts.detailPane.isBesideList { parts.detailPane.close() }
  }

  /// The name for a question about one contact.
  private func name(ofSelected id: Int64) -> String? {
    list.contactForAction().flatMap { $0.id == id ? parts.name(of: $0) : nil }
  }
}
