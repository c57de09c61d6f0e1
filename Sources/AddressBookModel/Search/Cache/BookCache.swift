import ContactSearch
import GRDB
import Glibc
import SystemCalls

/// The cache files of one book: reading those that are valid, and writing them.
struct BookCache: Sendable {
  private let store: Store

  init(store: Store) { self.store = store }

  /// Returns a number that identifies the versions of everything that affects the contents of a file.
  /// - Parameter name: a text that has these versions.
  static func form(_ name: String) -> UInt64 {
    name.utf8.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
  }

  /// Returns the path of a file; nil if none is kept: without a cache folder, for a book in memory, and for one that
  /// cannot be written.
  private func path(_ kind: String) -> String? {
    guard let folder = store.location.cacheFolder, let file = store.identity, !store.database.configuration.readonly
    else { return nil }
    return "\(folder)/\(file.device)-\(file.inode).\(kind)"
  }

  /// Returns a file that is valid for the state of a transaction, and the contacts written since; nil if there is none.
  func read(
    _ kind: String, form: UInt64, _ state: BookState, _ db: Database
  ) throws -> (origin: CacheFile.Origin, parts: [IndexMemory], changed: Set<Int64>)? {
    guard let path = path(kind), let file = CacheFile.read(path), file.origin.form == form,
      let changed = try state.changes(since: file.origin.state, db)
    else { return nil }
    return (file.origin, file.parts, changed)
  }

  /// Writes a file, if the book and the folder permit it. `parts` passes the parts to its argument.
  func write(
    _ kind: String, _ origin: CacheFile.Origin, _ parts: (([UnsafeRawBufferPointer]) throws -> Void) throws -> Void
  ) {
    guard let path = path(kind), let folder = store.location.cacheFolder else { return }
    do {
      var origin = origin
      try PrivateFolder.make(folder)
      origin.state.nonces = [try store.writeUnlessBusy { try BookState.writeNonce($0) }]
      try parts { try CacheFile.write(path, origin, $0) }
      CacheFolder.removeOld(folder)
    } catch {
      // Without the file the next query is slower, but still answered.
    }
  }
}

private enum CacheFolder {
  /// The time in seconds after which cache files that are not written again are removed.
  private static let maximumAge = 90 * 86_400

  /// Removes files that have not been written for a long time, and leftovers of interrupted processes.
  static func removeOld(_ folder: String) {
    let now = time(nil)
    for name in Folder.names(in: folder) {
      guard name.hasSuffix(".index") || name.hasSuffix(".lines") || name.hasSuffix(".tmp") else { continue }
      var status = stat()
      let path = folder + "/" + name
      let life = name.hasSuffix(".tmp") ? 3600 : maximumAge
      if lstat(path, &status) == 0, now - status.st_mtim.tv_sec > life { unlink(path) }
    }
  }
}
