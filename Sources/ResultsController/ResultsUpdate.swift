import Synchronization

/// One change of a list as it reaches a listener: the list before, the list after, and what lies between.
public struct ResultsUpdate: Sendable {
  /// The list that the listener knew.
  public let before: ResultsSnapshot
  /// The list now.
  public let after: ResultsSnapshot
  /// How the one becomes the other. When a filter lets many rows go or come, it is worked out as it is first asked for: a list
  /// that reads ``after`` alone need not wait for a hundred thousand deletes.
  public var changes: ChangeSet { source.changes }
  /// True when rows came or went and nothing else happened: those that both lists have are as they were, in the same order.
  public let keepsRows: Bool
  /// True of the first update that an iterator gets, and of the one after a new `performFetch`: the list before is empty, and all
  /// rows are inserts.
  public let isInitial: Bool
  /// True once after a staged opening, when every row has its id: the list must be drawn again and `changes` is empty.
  public let completesOpening: Bool
  private let source: ChangeSource

  init(before: ResultsSnapshot, after: ResultsSnapshot, changes: ChangeSet, completesOpening: Bool = false) {
    self.before = before
    self.after = after
    keepsRows = false
    isInitial = false
    self.completesOpening = completesOpening
    source = ChangeSource { changes }
  }

  /// Rows came or went between two lists of one order.
  init(filteringFrom before: ResultsSnapshot, to after: ResultsSnapshot) {
    self.before = before
    self.after = after
    keepsRows = true
    isInitial = false
    completesOpening = false
    source = ChangeSource { ChangeSet(comparing: before, with: after, hasSameOrder: true, touched: [:]) }
  }

  /// A whole list.
  init(initial list: ResultsSnapshot) {
    let empty = ResultsSnapshot.empty
    before = empty
    after = list
    keepsRows = true
    isInitial = true
    completesOpening = false
    source = ChangeSource { ChangeSet(comparing: empty, with: list, hasSameOrder: true, touched: [:]) }
  }
}

/// A change set that is worked out once, by whoever asks first.
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

/// What a delegate is told about one section.
public enum SectionChange: Sendable, Hashable {
  /// The section is gone; its ordinal is of the old list.
  case deleted(ChangeSet.Section)
  /// The section is new; its ordinal is of the new list.
  case inserted(ChangeSet.Section)
}

/// What a delegate is told about one row.
public enum RowChange: Sendable, Hashable {
  /// The row is gone.
  case deleted(ChangeSet.Row)
  /// The row is new.
  case inserted(ChangeSet.Row)
  /// The row passed others or changed its section.
  case moved(ChangeSet.Move)
  /// The row changed in its place.
  case updated(ChangeSet.Update)
}

/// Hears of each change in four steps: will change, sections, rows, did change. All steps come on the consumer's thread,
/// and during all of them the controller already answers with the new list.
public protocol ResultsDelegate: AnyObject, Sendable {
  /// A change begins.
  func resultsWillChange(_ update: ResultsUpdate)
  /// A section came or went; all sections come before the first row.
  func results(_ update: ResultsUpdate, didChange section: SectionChange)
  /// A row came, went, moved or changed.
  func results(_ update: ResultsUpdate, didChange row: RowChange)
  /// The change is complete.
  func resultsDidChange(_ update: ResultsUpdate)
  /// Fetching failed; the list stays as it was and tracking goes on.
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
