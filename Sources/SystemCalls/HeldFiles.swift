import Synchronization

/// The database files that this process has open.
///
/// POSIX drops all locks that a process holds on a file as soon as it closes any descriptor of that file
/// (https://www.sqlite.org/howtocorrupt.html, 2.2), so only SQLite may open them: otherwise another process could
/// consider itself the last one and remove the write-ahead log, and later writes would be lost.
public enum HeldFiles {
  private struct Holding {
    var count: Int
    /// Without symbolic links: SQLite puts the additional files next to the link's target.
    let path: String
  }

  private static let held = Mutex<[FileIdentity: Holding]>([:])
  /// The write-ahead log, its index, which holds the locks, and the rollback journal.
  private static let sideFiles = ["-wal", "-shm", "-journal"]

  /// Counts the file at a path as open, until ``remove(_:)`` is called as often; nil if there is none.
  public static func add(_ path: String) -> FileIdentity? {
    guard let identity = FileIdentity(of: path) else { return nil }
    let first = Holding(count: 0, path: RealPath.target(of: path))
    held.withLock { $0[identity, default: first].count += 1 }
    return identity
  }

  /// Counts a file as closed.
  public static func remove(_ identity: FileIdentity) {
    held.withLock { held in
      held[identity]?.count -= 1
      if let left = held[identity]?.count, left <= 0 { held[identity] = nil }
    }
  }

  /// Returns true if the file at a path, under this or another name, belongs to a database that this process has open.
  public static func contain(_ path: UnsafePointer<CChar>) -> Bool {
    guard let identity = FileIdentity(of: path) else { return false }
    return held.withLock { held in
      held[identity] != nil
        || held.values.contains { holding in sideFiles.contains { FileIdentity(of: holding.path + $0) == identity } }
    }
  }

  /// Calls `body`, which may open the file at a path, unless this process has it open; meanwhile it is not added.
  /// - Parameter check: gets the path under which this process opened the file first, without symbolic links.
  /// - Returns: the result of `body`; nil if the file is open.
  @discardableResult
  public static func ifClosed<Value: Sendable, Failure: Error>(
    _ path: String, orElse check: (String) throws(Failure) -> Void, _ body: () throws(Failure) -> Value
  ) throws(Failure) -> Value? {
    try held.withLock { (held) throws(Failure) -> Value? in
      guard let identity = FileIdentity(of: path), let holding = held[identity] else { return try body() }
      try check(holding.path)
      return nil
    }
  }
}
