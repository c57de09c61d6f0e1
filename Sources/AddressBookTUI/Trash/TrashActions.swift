import AddressBookModel
import Dispatch

/// Shows the deleted contacts, restores them, and removes them for good.
@MainActor
final class TrashActions: BrowserAction {
  let parts: BrowserParts
  let undoing: UndoActions
  /// More deleted contacts than this are read on another thread.
  private static let quickCount = 2000

  init(_ parts: BrowserParts, undoing: UndoActions) {
    self.parts = parts
    self.undoing = undoing
  }

  func open() {
    environment.screens.push(TrashScreen(environment: environment, actions: self))
  }

  func read(_ done: @escaping @MainActor (Result<[DeletedContact], StoreError>) -> Void) {
    let (book, loop) = (environment.book, environment.loop)
    let work = { @Sendable in Result { () throws(StoreError) in try book.allDeleted() } }
    do {
      if try book.deletedCount() <= Self.quickCount { return done(work()) }
    } catch {
      return done(.failure(error))
    }
    DispatchQueue.global(qos: .userInitiated).async {
      let result = work()
      loop.post { done(result) }
    }
  }

  /// Restores contacts, as one undo step.
  func restore(_ contacts: [DeletedContact], done: @escaping @MainActor () -> Void) {
    guard let first = contacts.first, !work.refusesWork() else { return }
    let ids = contacts.map(\.id)
    let name = name(of: first)
    let step = StepName(.restore, contacts.count == 1 ? name : "")
    let strings = strings
    // Others may have restored or removed some of them.
    let message = { @Sendable (count: Int) in
      count == 1 && ids.count == 1 ? strings("trash.restored", name) : strings.count("trash.restoredMany", count)
    }
    parts.edit(ids, .restore, step: step, message: message) { [self] count in
      if ids.count <= ContactEditor.bulkThreshold { list.select(id: first.id) }
      done()
    }
  }

  /// Removes contacts for good, if the user confirms it.
  func askToRemove(_ contacts: [DeletedContact], done: @escaping @MainActor () -> Void) {
    guard let first = contacts.first, !work.refusesWork() else { return }
    let title =
      contacts.count == 1
      ? strings("trash.remove", name(of: first)) : strings.count("trash.removeMany", contacts.count)
    environment.ask(
      title, detail: strings("trash.remove.detail"),
      answers: [
        .init(key: "y", word: strings("trash.remove.yes")) { [self] in remove(contacts.map(\.id), done) },
        .init(key: "n", word: strings("trash.remove.no")) {},
      ])
  }

  private func remove(_ ids: [Int64], _ done: @escaping @MainActor () -> Void) {
    let (strings, book) = (strings, environment.book)
    work.run(strings("trash.removing"), stopped: "status.writeStopped") { _ in
      try book.emptyTrash(ids)
    } done: { [self] count in
      status.say(strings.count("trash.removed", count))
      done()
    }
  }

  private func name(of contact: DeletedContact) -> String {
    contact.displayName.isEmpty ? strings("contact.nameless") : contact.displayName
  }

}
