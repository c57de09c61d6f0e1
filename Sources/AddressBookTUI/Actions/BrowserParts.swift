import AddressBookModel
import Contacts
import IDSets
import ResultsController
import TerminalKit

/// The parts of the main screen, for the actions of its commands.
@MainActor
final class BrowserParts {
  let environment: AppEnvironment
  let editor: ContactEditor
  let list: ContactList
  let listPane: ListPane
  let detailPane: DetailPane
  let indexBar: IndexBarPane
  let search: ListSearch
  let status: StatusLine
  let work: BackgroundWork
  let reopening: BookReopening

  init(environment: AppEnvironment, list: ContactList, editor: ContactEditor) {
    self.environment = environment
    self.editor = editor
    self.list = list
    status = StatusLine(environment: environment)
    listPane = ListPane(list: list, environment: environment)
    detailPane = DetailPane(list: list, environment: environment)
    indexBar = IndexBarPane(list: list, theme: environment.theme)
    search = ListSearch(list: list)
    work = BackgroundWork(status: status, environment: environment)
    reopening = BookReopening(environment: environment, status: status)
  }

  /// True when keys are commands of the list: no other screen is open, no search is being typed, and the index bar is
  /// not waiting for a letter.
  var isListOnTop: Bool {
    !search.isTyping && !indexBar.isWaiting && environment.screens.top is BrowserScreen
  }

  /// The name of a contact, for use in a sentence.
  func name(of contact: Contact) -> String {
    let name = environment.names.name(of: contact)
    return name.isEmpty ? environment.strings("contact.nameless") : name
  }

  /// Says why something was not written, or asks what to do about it.
  /// - Parameters:
  ///   - isRequested: false for background work, whose end is not caused by a key press.
  ///   - again: retries the action; offered if other writers, in any process, took too long.
  func show(_ error: any Error, isRequested: Bool = true, again: (@MainActor () -> Void)? = nil) {
    let strings = environment.strings
    let failure = StoreError(behind: error)
    let reason = failure?.message(in: strings.localization) ?? ""
    switch (failure?.reason, error) {
    case (.busy?, _):
      guard let again else { return status.fail(reason) }
      // Unlike a message, a question stays until it is answered.
      environment.ask(
        strings("busy.title"), detail: reason,
        answers: [
          .init(key: "r", word: strings("busy.retry"), action: again), .init(key: "b", word: strings("busy.back")) {},
        ], isRequested: isRequested)
    case (let unavailable?, _) where unavailable.isOfLostFile: reopening.offer(reason, isRequested: isRequested)
    case (_?, _): status.fail(strings("status.saveFailed", reason))
    case (nil, EditError.invalid(let issues)):
      let messages = Set(issues.map { $0.message(in: strings.localization) }).sorted()
      status.fail(strings("status.saveFailed", messages.joined(separator: " ")))
    case (nil, let error as EditError):
      status.fail(strings("status.saveFailed", error.message(in: strings.localization)))
    default: status.fail(strings("status.saveFailed", String(describing: error)))
    }
  }
}

extension StoreError.Reason {
  /// True if nothing can be saved, because the book's file or its log is no longer the one that was opened, or a newer
  /// version of this program changed the book.
  var isOfLostFile: Bool { [.replaced, .removed, .logRemoved, .newerSchema].contains(self) }
}

extension BrowserParts {
  /// Deletes, restores or changes contacts, many of them in the background.
  /// - Parameters:
  ///   - message: returns the message about the number of contacts that were changed.
  ///   - done: called before the message is shown.
  func edit(
    _ ids: [Int64], _ edit: BulkEdit, step: StepName, message: @escaping @Sendable (Int) -> String,
    done: @escaping @MainActor (Int) -> Void = { _ in }
  ) {
    if ids.count > ContactEditor.bulkThreshold {
      return editInBackground(ids, edit, step: step, message: message, done: done)
    }
    do {
      let count = try editor.edit(ids, edit, name: step)
      done(count)
      status.show(message(count), changed: count)
    } catch {
      show(error) { [self] in self.edit(ids, edit, step: step, message: message, done: done) }
    }
  }

  private func editInBackground(
    _ ids: [Int64], _ edit: BulkEdit, step: StepName, message: @escaping @Sendable (Int) -> String,
    done: @escaping @MainActor (Int) -> Void
  ) {
    let (strings, book, session) = (environment.strings, environment.book, editor.session)
    let name = Favorites.text(of: step, count: ids.count, strings)
    work.write(strings("status.writing", name, ""), stopped: "status.writeStopped") { report in
      let count = try book.bulkEdit(ids, edit, as: step, in: session, isCancelled: report.isCancelled) { share in
        report.progress(strings("status.writing", name, " " + strings.percent(share)))
      }
      return BackgroundWork.Outcome(message: message(count), count: count)
    } failed: { [self] error in
      guard !work.isStop(error), let error = error as? StoreError else { return false }
      show(error, isRequested: false) { [self] in self.edit(ids, edit, step: step, message: message, done: done) }
      return true
    } done: { outcome in
      done(outcome.count)
    }
  }
}

/// A class that performs commands other than navigation, with the parts of the main screen.
@MainActor
protocol BrowserAction: AnyObject {
  var parts: BrowserParts { get }
}

extension BrowserAction {
  var environment: AppEnvironment { parts.environment }
  var strings: Strings { parts.environment.strings }
  var editor: ContactEditor { parts.editor }
  var list: ContactList { parts.list }
  var status: StatusLine { parts.status }
  var work: BackgroundWork { parts.work }
}

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
