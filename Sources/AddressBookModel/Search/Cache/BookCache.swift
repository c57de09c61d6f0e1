import GRDB

/// The files of one book that can be made again at any time: where they are, and whether they still fit.
struct BookCache: Sendable {
  private let store: Store

  init(store: Store) { self.store = store }

  /// Names the versions of everything that shapes a file.
  static func form(_ name: String) -> UInt64 {
    name.utf8.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
  }

  /// The file of a kind; nil where none may be kept: for a book in memory or one that cannot be written.
  private func path(_ kind: String) -> String? {
    guard let folder = store.location.cacheFolder, let file = store.identity, !store.database.configuration.readonly
    else { return nil }
    return "\(folder)/\(file.device)-\(file.inode).\(kind)"
  }

  /// A file that fits the state that a transaction sees, and who was written since; nil when there is none.
  func read(
    _ kind: String, form: UInt64, _ state: BookState, _ db: Database
  ) throws -> (origin: CacheFile.Origin, parts: [CacheFile.Part], changed: Set<Int64>)? {
    guard let path = path(kind), let file = CacheFile.read(path), file.origin.form == form,
      let changed = try state.changes(since: file.origin.state, db)
    else { return nil }
    return (file.origin, file.parts, changed)
  }

  /// Writes a file, if the book and the folder let it. `parts` calls what it is given with the parts; `isValid` says
  /// afterwards whether they were right.
  func write(
    _ kind: String, _ origin: CacheFile.Origin, isValid: @escaping () -> Bool = { true },
    _ parts: (([UnsafeRawBufferPointer]) throws -> Void) throws -> Void
  ) {
    guard let path = path(kind), let folder = store.location.cacheFolder else { return }
    do {
      var origin = origin
      try PrivateFolder.make(folder)
      origin.state.nonces = [try store.writeUnlessBusy { try BookState.writeNonce($0) }]
      try parts { try CacheFile.write(path, origin, $0, isValid: isValid) }
      CacheFolder.removeOld(folder)
    } catch {
      // Without the file the next question takes longer, and is answered all the same.
    }
  }
}
