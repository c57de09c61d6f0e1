import AddressBookModel
import Contacts
import IDSets
import ResultsController
import TerminalKit

/// How a question or a prompt says to which contacts a command applies: their number, and the names of the first.
extension BrowserParts {
  /// The contacts that a prompt is about: “李强”, or “12 contacts: 李强, 李小龙, 林青霞 and 9 more”.
  func description(ofChosen ids: IDSet) throws(StoreError) -> String {
    let names = try names(of: ids, limit: Self.namesInPrompt).text
    return ids.count == 1 ? names : environment.strings.count("chosen.many", ids.count, names)
  }

  /// The same for the marked contacts, or the selected one; nil, with a message, if they cannot be read.
  func chosenText() -> String? {
    do {
      return try description(ofChosen: listPane.chosen)
    } catch {
      status.show(reading: error)
      return nil
    }
  }

  /// Lines for a question about the marked contacts: the names of the first, and how many are not visible.
  func description(ofMarked ids: IDSet) throws(StoreError) -> [String] {
    let strings = environment.strings
    let (text, listed) = try names(of: ids, limit: Self.namesInQuestion)
    let filtered = ids.count - listed
    let unseen = ids.count - listPane.visibleMarkCount
    if filtered > 0 { return [text, strings.count("confirm.delete.filtered", filtered)] }
    return unseen > 0 ? [text, strings.count("confirm.delete.unseen", unseen)] : [text]
  }

  /// How many names fit into a question, and on a line of a prompt, in a small window.
  private static var namesInQuestion: Int { 5 }
  private static var namesInPrompt: Int { 3 }

  /// The names of the first contacts in the order of the list, then of those that it does not show; and how many it
  /// shows.
  private func names(of ids: IDSet, limit: Int) throws(StoreError) -> (text: String, listed: Int) {
    let strings = environment.strings
    let snapshot = list.snapshot
    let (first, listed) = snapshot.rows(in: ids, first: limit)
    let shown =
      first + (first.count < limit ? ids.lazy.filter { !snapshot.contains($0) }.prefix(limit - first.count) : [])
    let contacts = try environment.book.contacts(ids: shown)
    let names = shown.compactMap { id in contacts.first { $0.id == id }.map { DisplayText.clean(name(of: $0)) } }
    let text = names.joined(separator: strings("list.comma"))
    let rest = ids.count - shown.count
    return (rest > 0 ? strings.count("confirm.delete.more", rest, text) : text, listed)
  }
}
