@preconcurrency import Dispatch
import Synchronization

/// One change to a list as a listener gets it: the list before, the list after, and the difference.
public struct ResultsUpdate: Sendable {
  /// The list that the listener had.
  public let before: ResultsSnapshot
  /// The list now.
  public let after: ResultsSnapshot
  /// The difference. For an initial update, another order, or other `ids` that changed the number of rows, it is
  /// computed on first access: a list that only uses ``after`` need not wait for a hundred thousand deletes.
  public var changes: ChangeSet { source.changes }
  /// True if it is known without ``changes`` that rows were only inserted or deleted: rows in both lists are unchanged
  /// and in the same order.
  public let keepsRows: Bool
  /// True if the list got another order: any row may be anywhere, so read the visible ones again. ``changes`` is then
  /// only computed on first access, which takes seconds for a million rows.
  public let isReordered: Bool
  /// True for the first update of an iterator, and for its first update after a new `performFetch`: the list before is
  /// empty, and all rows are inserts.
  public let isInitial: Bool
  /// True once after a staged opening, when every row has its id: redraw the list; `changes` is empty.
  public let completesOpening: Bool
  private let source: ChangeSource

  init(before: ResultsSnapshot, after: ResultsSnapshot, changes: ChangeSet, completesOpening: Bool = false) {
    self.before = before
    self.after = after
    keepsRows = false
    isReordered = false
    isInitial = false
    self.completesOpening = completesOpening
    source = ChangeSource { changes }
  }

  /// Creates an update for rows that were inserted or deleted between two lists of one order.
  init(filteringFrom before: ResultsSnapshot, to after: ResultsSnapshot) {
    self.before = before
    self.after = after
    keepsRows = true
    isReordered = false
    isInitial = false
    completesOpening = false
    source = ChangeSource { ChangeSet(comparing: before, with: after, hasSameOrder: true, touched: [:]) }
  }

  init(reorderingFrom before: ResultsSnapshot, to after: ResultsSnapshot, touched: [Int64: Touch]) {
    self.before = before
    self.after = after
    keepsRows = false
    isReordered = true
    isInitial = false
    completesOpening = false
    source = ChangeSource { ChangeSet(comparing: before, with: after, hasSameOrder: false, touched: touched) }
  }

  init(initial list: ResultsSnapshot) {
    let empty = ResultsSnapshot.empty
    before = empty
    after = list
    keepsRows = true
    isReordered = false
    isInitial = true
    completesOpening = false
    source = ChangeSource { ChangeSet(comparing: empty, with: list, hasSameOrder: true, touched: [:]) }
  }
}

/// A change set that is computed once, on first access.
private final class ChangeSource: Sendable {
  private let made: Mutex<ChangeSet?>
  private let make: @Sendable () -> ChangeSet

  init(_ make: @escaping @Sendable () -> ChangeSet) {
    made = Mutex(nil)
    self.make = make
  }

  var changes: ChangeSet {
    made.withLock { made in
      let changes = made ?? make()
      made = changes
      return changes
    }
  }
}

/// A change to one section, for a delegate.
public enum SectionChange: Sendable, Hashable {
  /// The section was deleted; its ordinal refers to the old list.
  case deleted(ChangeSet.Section)
  /// The section was inserted; its ordinal refers to the new list.
  case inserted(ChangeSet.Section)
}

/// A change to one row, for a delegate.
public enum RowChange: Sendable, Hashable {
  /// The row was deleted.
  case deleted(ChangeSet.Row)
  /// The row was inserted.
  case inserted(ChangeSet.Row)
  /// The row changed its position relative to others, or its section.
  case moved(ChangeSet.Move)
  /// The row changed in place.
  case updated(ChangeSet.Update)
}

/// Receives each change in four steps: will change, sections, rows, did change. All steps are called on the
/// consumer's thread, where the controller already has the new list. An update that only completes an opening
/// (``ResultsUpdate/completesOpening``) is not sent.
public protocol ResultsDelegate: AnyObject, Sendable {
  /// A change begins.
  func resultsWillChange(_ update: ResultsUpdate)
  /// A section was inserted or deleted; all sections come before the first row.
  func results(_ update: ResultsUpdate, didChange section: SectionChange)
  /// A row was inserted, deleted, moved or updated.
  func results(_ update: ResultsUpdate, didChange row: RowChange)
  /// The change is complete.
  func resultsDidChange(_ update: ResultsUpdate)
  /// Fetching failed: the list stays as it was and tracking continues. Also called with `notTracked`, when changes are
  /// not tracked.
  func resultsDidFail(_ error: ResultsError)
}

extension ResultsDelegate {
  /// Does nothing.
  public func resultsWillChange(_ update: ResultsUpdate) {}
  /// Does nothing.
  public func results(_ update: ResultsUpdate, didChange section: SectionChange) {}
  /// Does nothing.
  public func results(_ update: ResultsUpdate, didChange row: RowChange) {}
  /// Does nothing.
  public func resultsDidChange(_ update: ResultsUpdate) {}
  /// Does nothing.
  public func resultsDidFail(_ error: ResultsError) {}

  func receive(_ update: ResultsUpdate) {
    let changes = update.changes
    resultsWillChange(update)
    for section in changes.deletedSections { results(update, didChange: .deleted(section)) }
    for section in changes.insertedSections { results(update, didChange: .inserted(section)) }
    for row in changes.deletes { results(update, didChange: .deleted(row)) }
    for row in changes.inserts { results(update, didChange: .inserted(row)) }
    for row in changes.moves { results(update, didChange: .moved(row)) }
    for row in changes.updates { results(update, didChange: .updated(row)) }
    resultsDidChange(update)
  }
}

/// The updates of a controller as an `AsyncSequence` that begins with the present list. An update's paths refer to its
/// own lists; the controller's `snapshot` changes on the consumer's thread, before or after an iterator gets the
/// update.
public struct ResultsUpdates: AsyncSequence, Sendable {
  /// One change to the list.
  public typealias Element = ResultsUpdate
  /// Fetching failed: the list stays as it was. The iterator can still be used, and a new one begins with the whole list.
  public typealias Failure = ResultsError

  let listeners: ControllerListeners

  /// Starts listening.
  public func makeAsyncIterator() -> Iterator { Iterator(listeners) }

  /// Takes one update after another; ends when the controller is released or the task is canceled.
  public struct Iterator: AsyncIteratorProtocol {
    private let subscription: Subscription
    private var signals: AsyncStream<Void>.Iterator

    init(_ listeners: ControllerListeners) {
      let (stream, continuation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
      subscription = Subscription(listeners, continuation)
      signals = stream.makeAsyncIterator()
    }

    /// The next update, combined from all changes since the last one; nil when the controller was released or the task
    /// was canceled. Throws `notTracked`, and what stopped a fetch.
    public mutating func next(
      isolation actor: isolated (any Actor)? = #isolation
    ) async throws(ResultsError) -> ResultsUpdate? {
      while true {
        if let update = try subscription.take() { return update }
        guard await signals.next(isolation: actor) != nil else { return nil }
      }
    }
  }
}

/// Listens during its lifetime.
private final class Subscription: Sendable {
  private let mailbox: Mailbox
  private let listeners: ControllerListeners

  init(_ listeners: ControllerListeners, _ continuation: AsyncStream<Void>.Continuation) {
    self.listeners = listeners
    mailbox = Mailbox { _ in continuation.yield() }
    listeners.countIterators(1)
    listeners.engine.queue.async { [engine = listeners.engine, mailbox] in
      engine.add(mailbox, wantsInitial: true, onEnd: { continuation.finish() })
    }
  }

  deinit {
    listeners.engine.queue.async { [engine = listeners.engine, mailbox] in engine.remove(mailbox) }
    listeners.countIterators(-1)
  }

  /// Returns the update that waits; an error only if there is none.
  func take() throws(ResultsError) -> ResultsUpdate? {
    let content = mailbox.take()
    if let update = content.update {
      listeners.dropRows(update)
      return update
    }
    if let error = content.error { throw error }
    return nil
  }
}
