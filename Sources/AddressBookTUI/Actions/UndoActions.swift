import AddressBookModel
import Contacts
import TerminalKit

/// Undo and redo; bulk writes are undone in the background.
@MainActor
final class UndoActions: BrowserAction {
  let parts: BrowserParts

  init(_ parts: BrowserParts) { self.parts = parts }

  /// An undo or a redo.
  private struct Move {
    let step: @MainActor (MergePolicy) throws(ContactEditor.Failure) -> ContactEditor.Step?
    let done: String
    let nothing: String
    /// The text of the answer that continues anyway.
    let anyway: String
  }

  func undo() {
    let editor = editor
    guard !work.isBusy else { return }
    if let step = editor.bulkStepToUndo { return revert(step, isUndo: true) }
    perform(
      Move(
        step: { policy throws(ContactEditor.Failure) in try editor.undo(policy: policy) }, done: "status.undone",
        nothing: "status.nothingToUndo", anyway: "conflict.undo.anyway"))
  }

  func redo() {
    let editor = editor
    guard !work.isBusy else { return }
    if let step = editor.bulkStepToRedo { return revert(step, isUndo: false) }
    perform(
      Move(
        step: { policy throws(ContactEditor.Failure) in try editor.redo(policy: policy) }, done: "status.redone",
        nothing: "status.nothingToRedo", anyway: "conflict.redo.anyway"))
  }

  /// Undoes or redoes a bulk write in the background.
  private func revert(_ step: ContactEditor.BulkStep, isUndo: Bool, policy: MergePolicy = .byField) {
    let (strings, book) = (strings, environment.book)
    let running = isUndo ? "status.undoing" : "status.redoing"
    work.run(strings(running, step.name, ""), stopped: isUndo ? "status.undoStopped" : "status.redoStopped") {
      report in
      try book.revert(step.journal, policy: policy, isCancelled: report.isCancelled) { share in
        report.progress(strings(running, step.name, " (\(Int(share * 100)) %)"))
      }
    } failed: { [weak self] error in
      guard case .conflict(let conflict)? = error as? RevertError else { return false }
      self?.ask(
        about: ContactEditor.Conflict(conflict), anyway: isUndo ? "conflict.undo.anyway" : "conflict.redo.anyway",
        isAskedFor: false
      ) {
        self?.revert(step, isUndo: isUndo, policy: $0)
      }
      return true
    } done: { [weak self] inverse in
      guard let self else { return }
      let result = isUndo ? editor.didUndo(step, inverse) : editor.didRedo(step, inverse)
      if let id = result.id { list.select(id: id) }
      status.say(strings(isUndo ? "status.undone" : "status.redone", result.name))
    }
  }

  private func perform(_ move: Move, policy: MergePolicy = .byField) {
    do {
      guard let step = try move.step(policy) else {
        status.say(strings(move.nothing))
        return
      }
      if let id = step.id { list.select(id: id) }
      status.say(strings(move.done, step.name))
    } catch {
      guard case .conflict(let conflict) = error else {
        return parts.show(error) { [weak self] in self?.perform(move, policy: policy) }
      }
      ask(about: conflict, anyway: move.anyway) { [weak self] in self?.perform(move, policy: $0) }
    }
  }

  /// The same data were written elsewhere since: lets the user decide.
  /// - Parameters:
  ///   - anyway: the key of the answer that continues anyway.
  ///   - isAskedFor: false for background work, whose end is not caused by a key press.
  private func ask(
    about conflict: ContactEditor.Conflict, anyway: String, isAskedFor: Bool = true,
    _ goOn: @escaping @MainActor (MergePolicy) -> Void
  ) {
    let title =
      conflict.count == 1
      ? strings(conflict.isDeleted ? "conflict.since.deleted" : "conflict.since", name(of: conflict))
      : strings.count("conflict.since.many", conflict.count)
    environment.ask(
      title, detail: conflict.fields.isEmpty ? "" : strings("conflict.since.detail", conflict.fieldNames(strings)),
      answers: [
        .init(key: "m", word: strings(anyway)) { goOn(.objectWins) },
        .init(key: "t", word: strings("conflict.since.keep")) { goOn(.storeWins) },
        .init(key: "b", word: strings("conflict.since.cancel")) {},
      ], isAskedFor: isAskedFor)
  }

  /// The name of the first contact that a question is about.
  private func name(of conflict: ContactEditor.Conflict) -> String {
    guard let id = conflict.ids.first else { return "" }
    do {
      let contact = try environment.book.contact(id: id) ?? environment.book.deletedContact(id: id)
      return parts.name(of: contact ?? Contact())
    } catch {
      return strings("contact.nameless")
    }
  }
}
