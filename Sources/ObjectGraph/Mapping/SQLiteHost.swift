import GRDB

/// A database that the program opened and that a mapped store reads and writes, with the program's own checks, timeouts
/// and connections.
///
/// A `DatabaseError` that these methods throw becomes `ObjectGraphError.store`, and an error of the program's own
/// becomes `ObjectGraphError.host`.
public protocol SQLiteHost: AnyObject, Sendable {
  /// Calls the body with a connection that sees one snapshot of the database while the body runs.
  func read<Result>(_ body: (Database) throws -> Result) throws -> Result
  /// Calls the body in a write transaction that takes the lock when it begins. If the body throws, nothing is written.
  func write<Result>(_ body: (Database) throws -> Result) throws -> Result
}
