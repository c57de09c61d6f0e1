import GRDB

/// Code of the program that runs inside the transactions of a context's saves: to keep a journal of what is saved, or to update
/// tables that the model does not know.
///
/// Both closures are called once for each SQLite database that a save writes, and never for other stores. When one throws, nothing is
/// saved, and the error comes out of the save as `ObjectGraphError.refused`.
public struct SaveHooks {
  /// Called when the changes are merged and validated, before the first row is written.
  public var willWrite: (Database) throws -> Void
  /// Called when all rows are written, before the commit. The second argument gives the number of an object, also of one that
  /// this save inserted; nil for an object that has none.
  public var didWrite: (Database, (ManagedObject) -> Int64?) throws -> Void

  /// Hooks of a context.
  public init(
    willWrite: @escaping (Database) throws -> Void = { _ in },
    didWrite: @escaping (Database, (ManagedObject) -> Int64?) throws -> Void = { _, _ in }
  ) {
    self.willWrite = willWrite
    self.didWrite = didWrite
  }
}
