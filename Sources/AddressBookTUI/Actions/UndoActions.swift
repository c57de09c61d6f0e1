import AddressBookModel
import Contacts
import TerminalKit

/// Undo and redo; steps with many contacts are reversed in the background.
@MainActor
final class UndoActions: BrowserAction {
  let parts: BrowserParts
  /// Called when the mark "not the same" is removed from contacts (false) or set again (true).
  var onNotSameChange: @MainActor ([Int64], Bool) -> Void = { _, _ in }
  /// Called after a step was reversed.
  var onEnd: @MainActor () -> Void = {}
  private var notSame = NotSameHistory()

  init(_ parts: BrowserParts) { self.parts = parts }

  /// The string keys of the messages of an undo or a redo.
  private struct MessageKeys {
    let running: String
    let stopped: String
    let done: String
    /// If nothing of a step was left to reverse.
    let empty: String
    /// If there is no step.
    let nothing: String
    /// The key of the answer that continues anyway.
    let force: String

    static let undo = MessageKeys(
      running: "status.undoing", stopped: "status.undoStopped", done: "status.undone",
      empty: "status.nothingLeftToUndo", nothing: "status.nothingToUndo", force: "conflict.undo.anyway")
    static let redo = MessageKeys(
      running: "status.redoing", stopped: "status.redoStopped", done: "status.redone",
      empty: "status.nothingLeftToRedo", nothing: "status.nothingToRedo", force: "conflict.redo.anyway")
  }

  func undo() {
    let editor = editor
    do {
      if let ids = notSame.toUndo(at: try moment()) { return setNotSame(ids, false) }
    } catch {
      return parts.show(error)
    }
    begin(.undo) { () throws(StoreError) in try editor.stepToUndo() }
  }

  func redo() {
    let editor = editor
    do {
      if let ids = notSame.toRedo(at: try moment()) { return setNotSame(ids, true) }
    } catch {
      return parts.show(error)
    }
    begin(.redo) { () throws(StoreError) in try editor.stepToRedo() }
  }

  // MARK: Contacts that are not the same

  /// Records that these contacts were marked as not the same, so that an undo can remove the mark.
  func recordNotSame(_ ids: [Int64]) {
    do {
      notSame.add(ids, at: try moment())
    } catch {
      parts.show(error)
    }
  }

  private func moment() throws(StoreError) -> NotSameHistory.Moment {
    NotSameHistory.Moment(undo: try editor.stepToUndo()?.id, redo: try editor.stepToRedo()?.id)
  }

  private func setNotSame(_ ids: [Int64], _ isNotSame: Bool) {
    let (strings, book) = (strings, environment.book)
    work.run(strings("duplicates.remembering"), stopped: "status.writeStopped") { _ in
      if isNotSame { try book.markNotSame(ids) } else { try book.unmarkNotSame(ids) }
    } failed: { [self] error in
      guard let error = error as? StoreError else { return false }
      parts.show(error, isRequested: false) { [self] in setNotSame(ids, isNotSame) }
      return true
    } done: { [self] in
      finishNotSame(ids, isNotSame)
    }
  }

  private func finishNotSame(_ ids: [Int64], _ isNotSame: Bool) {
    do {
      if isNotSame { notSame.redo() } else { notSame.undo(at: try moment()) }
    } catch {
      return parts.show(error)
    }
    status.say(strings(isNotSame ? "duplicates.apartRedone" : "duplicates.apartUndone"))
    onNotSameChange(ids, isNotSame)
  }

  // MARK: Steps

  /// Undoes a step, or redoes one that was undone.
  func reverse(_ step: EditStep) { begin(step.kind == .undo ? .redo : .undo) { step } }

  private func begin(_ keys: MessageKeys, _ find: () throws(StoreError) -> EditStep?) {
    guard !work.refusesWork() else { return }
    do {
      guard let step = try find() else {
        status.say(strings(keys.nothing))
        return
      }
      if step.count > ContactEditor.bulkThreshold {
        reverseInBackground(step, keys)
      } else {
        reverse(step, keys)
      }
    } catch {
      parts.show(error)
    }
  }

  private func reverse(_ step: EditStep, _ keys: MessageKeys, policy: ContactMergePolicy = .byField) {
    do {
      finish(try editor.reverse(step, policy: policy), of: step, keys)
    } catch {
      resolve(error, keys, policy) { [self] in reverse(step, keys, policy: $0) }
    }
  }

  private func reverseInBackground(_ step: EditStep, _ keys: MessageKeys, policy: ContactMergePolicy = .byField) {
    let (strings, book, session) = (strings, environment.book, editor.session)
    let name = text(of: step)
    work.run(strings(keys.running, name, ""), stopped: keys.stopped) { report in
      try book.reverse(step, policy: policy, in: session, isCancelled: report.isCancelled) { share in
        report.progress(strings(keys.running, name, " " + strings.percent(share)))
      }
    } failed: { [self] error in
      guard !work.isStop(error), let error = error as? EditError else { return false }
      resolve(error, keys, policy, isRequested: false) { [self] in
        reverseInBackground(step, keys, policy: $0)
      }
      return true
    } done: { [self] reversal in
      finish(reversal, of: step, keys)
    }
  }

  private func finish(_ reversal: Reversal, of step: EditStep, _ keys: MessageKeys) {
    if let id = reversal.anyID { list.select(id: id) }
    let message =
      reversal.isEmpty
      ? strings(keys.empty, text(of: step)) : strings(keys.done, text(of: reversal.step))
    status.say(message)
    onEnd()
  }

  private func text(of step: EditStep) -> String { Favorites.text(of: step.name, count: step.count, strings) }

  /// Asks about a conflict, and says why a step was not reversed otherwise.
  private func resolve(
    _ error: EditError, _ keys: MessageKeys, _ policy: ContactMergePolicy, isRequested: Bool = true,
    _ again: @escaping @MainActor (ContactMergePolicy) -> Void
  ) {
    switch error {
    case .writtenSince(let conflict): ask(about: conflict, keys, isRequested: isRequested, again)
    case .missing: status.fail(strings("status.saveFailed", strings("status.stepGone")))
    default: parts.show(error, isRequested: isRequested) { again(policy) }
    }
  }

  /// Asks what to do if others have since changed the contacts or fields that the step changed.
  /// - Parameter isRequested: false for background work, whose end is not caused by a key press.
  private func ask(
    about conflict: RevertConflict, _ keys: MessageKeys, isRequested: Bool,
    _ proceed: @escaping @MainActor (ContactMergePolicy) -> Void
  ) {
    let isDeleted = conflict.count == 1 && conflict.isDeleted
    let title =
      conflict.count == 1
      ? strings(isDeleted ? "conflict.since.deleted" : "conflict.since", name(of: conflict))
      : strings.count("conflict.since.many", conflict.count)
    let keep = strings(isDeleted ? "conflict.theirs.deleted" : "conflict.since.keep")
    let fields = Set(conflict.fields.map { strings.localization.propertyPath($0, entity: "Person") }).sorted()
    let since = conflict.steps.map { $0.localTime + "  " + text(of: $0) }
    environment.ask(
      title,
      detail: ((fields.isEmpty ? [] : [strings("conflict.since.detail", strings.list(fields))]) + since)
        .joined(separator: "\n"),
      answers: [
        .init(key: "m", word: strings(keys.force)) { proceed(.objectWins) },
        .init(key: "t", word: keep) { proceed(.storeWins) },
        .init(key: "b", word: strings("conflict.since.cancel")) {},
      ], isRequested: isRequested)
  }

  /// The name of the first contact that a question is about.
  private func name(of conflict: RevertConflict) -> String {
    guard let id = conflict.ids.first else { return "" }
    do {
      let contact = try environment.book.contactOrDeleted(id: id)
      return parts.name(of: contact ?? Contact())
    } catch {
      return strings("contact.nameless")
    }
  }
}

/// Undo and redo of marking contacts as not the same. The book's history has no such steps, only changes to contacts
/// and groups.
struct NotSameHistory {
  /// A position in the book's history; while it is unchanged, this session has not made, undone or redone a step.
  struct Moment: Equatable {
    /// The step that an undo would reverse.
    let undo: Int64?
    /// The step that a redo would reverse.
    let redo: Int64?
  }

  private var marked: [(ids: [Int64], step: Int64?)] = []
  private var unmarked: [(ids: [Int64], moment: Moment)] = []

  /// Records contacts that were just marked as not the same.
  mutating func add(_ ids: [Int64], at moment: Moment) {
    marked.append((ids, moment.undo))
    unmarked = []
  }

  /// Returns the contacts whose mark an undo removes instead of reversing a step; nil if there is none, or if a newer
  /// step is to be undone first.
  func toUndo(at moment: Moment) -> [Int64]? { marked.last.flatMap { $0.step == moment.undo ? $0.ids : nil } }

  /// Returns the contacts that a redo marks again instead of reversing a step; nil if there are none, or if a step was
  /// made, undone or redone since the undo.
  func toRedo(at moment: Moment) -> [Int64]? { unmarked.last.flatMap { $0.moment == moment ? $0.ids : nil } }

  /// Records that the newest mark was removed.
  mutating func undo(at moment: Moment) { if let last = marked.popLast() { unmarked.append((last.ids, moment)) } }

  /// Records that the most recently removed mark was set again.
  mutating func redo() { if let last = unmarked.popLast() { marked.append((last.ids, last.moment.undo)) } }
}
