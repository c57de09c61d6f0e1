import AddressBookModel
import Contacts
import IDSets
import ResultsController
import TerminalKit

/// Texts that tell the user which contacts a command applies to: their number, and the names of the first few.
extension BrowserParts {
  /// The contacts that a prompt is about: “李强”, or “12 contacts: 李强, 李小龙, 林青霞 and 9 more”.
  func description(ofChosen ids: IDSet) throws(StoreError) -> String {
    let names = try names(of: ids, limit: Self.namesInPrompt).text
    return ids.count == 1 ? names : environment.strings.count("chosen.many", ids.count, names)
  }

  /// The same text for the marked contacts, or for the selected one; nil, with a message, if they cannot be read.
  func chosenText() -> String? {
    do {
      return try description(ofChosen: listPane.chosen)
    } catch {
      status.show(reading: error)
      return nil
    }
  }

  /// Lines for a question about the marked contacts: the names of the first few, and how many the filter hides or, if
  /// it hides none, are outside the window.
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

  /// The names of the first `limit` contacts and the number of the others as text, and how many of `ids` are in the
  /// list, in the order of ``inListOrder(_:first:)``.
  private func names(of ids: IDSet, limit: Int) throws(StoreError) -> (text: String, listed: Int) {
    let strings = environment.strings
    let (shown, listed) = inListOrder(ids, first: limit)
    let names = try environment.book.contacts(ids: shown).map { DisplayText.clean(name(of: $0)) }
    let text = strings.list(names)
    let rest = ids.count - shown.count
    return (rest > 0 ? strings.count("confirm.delete.more", rest, text) : text, listed)
  }

  /// Returns the first `limit` of these ids, those in the list first, in its order, and how many are in the list.
  func inListOrder(_ ids: IDSet, first limit: Int) -> (ids: [Int64], listed: Int) {
    let snapshot = list.snapshot
    let (first, listed) = snapshot.rows(in: ids, first: limit)
    let others = first.count < limit ? ids.lazy.filter { !snapshot.contains($0) }.prefix(limit - first.count) : []
    return (first + others, listed)
  }
}
