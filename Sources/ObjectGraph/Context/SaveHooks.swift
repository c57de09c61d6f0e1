import GRDB

/// The program's own code inside the transactions of a context's saves: to keep a journal of what is saved, or to
/// update tables outside of the model.
///
/// Both closures are called once for each SQLite database that a save writes, and never for other stores. If one
/// throws, nothing is saved, and the save throws the error as `ObjectGraphError.refused`; an error of the database is
/// thrown as `store`, and an `ObjectGraphError` as it is.
public struct SaveHooks {
  /// Called after merging and validation, before the first row is written.
  public var willWrite: (Database) throws -> Void
  /// Called after all rows are written, before the commit. The second argument returns the number of an object, even of
  /// one that this save inserted; nil if it has none.
  public var didWrite: (Database, (ManagedObject) -> Int64?) throws -> Void

  /// Creates hooks. A closure that is left out does nothing.
  public init(
    willWrite: @escaping (Database) throws -> Void = { _ in },
    didWrite: @escaping (Database, (ManagedObject) -> Int64?) throws -> Void = { _, _ in }
  ) {
    self.willWrite = willWrite
    self.didWrite = didWrite
  }
}
