import AddressBookModel
import BookInterchange
import Contacts
import LDAPDirectory

/// The actions of a directory's screen: copying entries to the user's book, undo and redo, and opening and copying
/// values.
@MainActor
final class DirectoryActions: BrowserAction {
  let parts: BrowserParts
  let source: any DirectorySource
  let links: LinkActions
  let undoing: UndoActions

  init(_ parts: BrowserParts, source: any DirectorySource) {
    self.parts = parts
    self.source = source
    links = LinkActions(parts)
    undoing = UndoActions(parts)
  }

  func text(of error: DirectoryError) -> String {
    DirectoryMessage.text(of: error, host: source.host, in: strings.localization)
  }

  /// Reads the entries again, with their photos, and copies them to the book as one undo step.
  /// - Parameter done: called when the copying has ended without an error.
  func add(_ entries: [DirectoryContact], done: @escaping @MainActor () -> Void) {
    guard !entries.isEmpty else { return }
    let (strings, book, session, source) = (strings, environment.book, editor.session, source)
    let names = entries.map { parts.name(of: $0.contact) }
    work.write(strings("directory.adding"), stopped: "status.writeStopped") { report in
      var copied: [CopiedContact] = []
      var missing = 0
      for (index, entry) in entries.enumerated() {
        if report.isCancelled() { throw CancellationError() }
        if entries.count > 1 { report.progress(strings("directory.adding") + " \(index + 1)/\(entries.count)") }
        if let now = try source.contact(entry.id, isCancelled: report.isCancelled) {
          copied.append(CopiedContact(contact: now.contact, picture: now.picture))
        } else {
          missing += 1
        }
      }
      let result = try book.copy(copied, from: source.host, in: session, isCancelled: report.isCancelled)
      return BackgroundWork.Outcome(
        message: Self.message(result.cards, missing, names, strings), count: result.recordedCount)
    } failed: { [self] error in
      guard !work.isStop(error) else { return false }
      switch error {
      case let error as DirectoryError where error.reason == .cancelled: status.say(strings("status.writeStopped"))
      case let error as DirectoryError: status.fail(text(of: error))
      case let error as StoreError:
        parts.show(error, isRequested: false) { [self] in add(entries, done: done) }
      default: return false
      }
      return true
    } done: { _ in
      done()
    }
  }

  /// Returns the message about the result, with the name of a single entry or the numbers of several.
  private nonisolated static func message(
    _ report: ImportReport, _ missing: Int, _ names: [String], _ strings: Strings
  ) -> String {
    guard names.count > 1 else {
      let key =
        missing > 0
        ? "gone"
        : report.imported > 0 ? "added" : report.updated > 0 ? "updated" : report.unchanged > 0 ? "same" : "refused"
      return strings("directory." + key, names.first ?? "")
    }
    let text = strings(
      "directory.addedMany", strings.number(report.imported), strings.number(report.updated),
      strings.number(report.unchanged))
    let lost = missing + report.unreadable
    return lost == 0 ? text : text + " " + strings.count("directory.notAdded", lost)
  }
}
