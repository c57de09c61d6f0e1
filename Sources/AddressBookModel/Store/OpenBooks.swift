import Synchronization

/// Books that this process has open.
///
/// POSIX drops all locks that a process holds on a file as soon as it closes any descriptor of that file
/// (https://www.sqlite.org/howtocorrupt.html, 2.2), so the header of a book that is open already must not be read apart
/// from SQLite. It was looked at when it was opened first.
enum OpenBooks {
  private static let counts = Mutex<[FileIdentity: Int]>([:])

  /// Inspects the file unless this process has it open.
  /// - Returns: what the file is, or nil when it is open in this process already.
  static func inspect(_ location: StoreLocation) throws(StoreError) -> StoreFile.State? {
    guard let path = location.path else { return .fresh(exists: false) }
    return try counts.withLock { (counts) throws(StoreError) -> StoreFile.State? in
      if let identity = StoreFile.identity(of: path), counts[identity, default: 0] > 0 { return nil }
      return try StoreFile.inspect(location)
    }
  }

  static func add(_ path: String?) -> FileIdentity? {
    guard let path, let identity = StoreFile.identity(of: path) else { return nil }
    counts.withLock { $0[identity, default: 0] += 1 }
    return identity
  }

  static func remove(_ identity: FileIdentity?) {
    guard let identity else { return }
    counts.withLock { counts in
      let left = counts[identity, default: 1] - 1
      counts[identity] = left > 0 ? left : nil
    }
  }
}
