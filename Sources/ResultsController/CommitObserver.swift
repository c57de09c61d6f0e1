import GRDB

/// Wakes after each commit of the database's own writing connection.
final class CommitObserver: TransactionObserver, Sendable {
  private let onCommit: @Sendable () -> Void

  init(onCommit: @escaping @Sendable () -> Void) { self.onCommit = onCommit }

  func observes(eventsOfKind eventKind: DatabaseEventKind) -> Bool { false }
  func databaseDidChange(with event: DatabaseEvent) {}
  func databaseDidCommit(_ db: Database) { onCommit() }
  func databaseDidRollback(_ db: Database) {}
}
