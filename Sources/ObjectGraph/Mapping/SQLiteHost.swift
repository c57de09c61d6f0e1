import GRDB

/// A database that the program opened and a mapped store reads and writes: the program's own checks, waiting times and
/// connections stay in force.
///
/// What these methods throw of their own comes out as `ObjectGraphError.host`.
public protocol SQLiteHost: AnyObject, Sendable {
  /// Calls the body with a connection that sees one state of the database for as long as the body runs.
  func read<Result>(_ body: (Database) throws -> Result) throws -> Result
  /// Calls the body in a write transaction, which takes the lock at its beginning. When the body throws, nothing is written.
  func write<Result>(_ body: (Database) throws -> Result) throws -> Result
}
