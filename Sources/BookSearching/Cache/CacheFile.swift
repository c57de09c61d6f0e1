import AddressBookModel
import ContactSearch
import GRDB
import Glibc
import SystemCalls

/// A cache file of several parts: written to a temporary file and renamed, and verified completely when it is read.
///
/// Layout, in the machine's byte order: a header of 512 words (magic; format and number of parts; checksum of the words
/// after it; version of the contents; nonce; position in the change log; schema; changes since it was built; from word
/// 16 on length and checksum of each part), then the parts, each from a multiple of 16 bytes on.
package enum CacheFile {
  package struct Origin: Hashable, Sendable {
    /// A number that identifies the versions of everything that affects the parts.
    var form: UInt64
    var state: BookState
    /// How many changed contacts were applied since the parts were built from the whole book.
    var changes = 0
  }

  private static let magic: UInt64 = 0x6568_6361_436B_6241  // AbkCache
  private static let format: UInt64 = 3
  private static let headerWords = 512
  private static let table = 16
  private static let maximumParts = (headerWords - table) / 2
  private static let alignment = 16

  // MARK: Reading

  /// Returns the parts of a file; nil if there is no such file, or if it is invalid in any way.
  /// - Parameter isMapped: true for one answer, which a query in half the time of abook needs: a copy takes longer than
  ///   a search. A screen, which would end if its file was cut, keeps a copy.
  package static func read(_ path: String, isMapped: Bool = false) -> (origin: Origin, parts: [IndexMemory])? {
    guard let file = ReadableFile(path, O_NOFOLLOW), let status = file.status, status.isFile,
      status.st_uid == geteuid(), status.st_mode & 0o077 == 0
    else { return nil }
    var header = [UInt64](repeating: 0, count: headerWords)
    guard header.withUnsafeMutableBytes({ file.fill($0, at: 0) == $0.count }), header[0] == magic,
      header[1] & 0xFFFF_FFFF == format, header[2] == checksum(header)
    else { return nil }
    let count = Int(header[1] >> 32)
    guard count <= maximumParts else { return nil }
    let mapped = isMapped ? MappedFile(file, count: Int(status.st_size)) : nil
    var parts: [IndexMemory] = []
    var position = headerWords * 8
    for number in 0..<count {
      let entry = table + number * 2
      guard let length = Int(exactly: header[entry]), length <= Int(status.st_size) - position else { return nil }
      let part: IndexMemory
      if let mapped {
        let bytes = mapped.bytes[position..<position + length]
        part = IndexMemory(UnsafeMutableRawBufferPointer(rebasing: bytes), of: mapped)
      } else {
        part = IndexMemory(count: length)
        guard file.fill(part.bytes, at: position) == length else { return nil }
      }
      guard Checksum.of(UnsafeRawBufferPointer(part.bytes)) == header[entry + 1] else { return nil }
      parts.append(part)
      position += length + padding(after: length)
    }
    let state = BookState(
      nonces: [BookState.Nonce(high: header[4], low: header[5])], position: Int64(bitPattern: header[6]),
      schema: Int64(bitPattern: header[7]))
    return (Origin(form: header[3], state: state, changes: Int(truncatingIfNeeded: header[8])), parts)
  }

  private static func padding(after length: Int) -> Int { (alignment - length % alignment) % alignment }

  private static func checksum(_ header: [UInt64]) -> UInt64 {
    header.withUnsafeBytes { Checksum.of(UnsafeRawBufferPointer(rebasing: $0[24...])) }
  }

  // MARK: Writing

  /// Replaces the file at a path atomically. If two processes write at once, the later one wins.
  static func write(_ path: String, _ origin: Origin, _ parts: [UnsafeRawBufferPointer]) throws {
    guard parts.count <= maximumParts, let nonce = origin.state.nonces.first else {
      throw StoreError(.other, path: path)
    }
    var header = [UInt64](repeating: 0, count: headerWords)
    header[0] = magic
    header[1] = format | UInt64(parts.count) << 32
    header[3] = origin.form
    header[4] = nonce.high
    header[5] = nonce.low
    header[6] = UInt64(bitPattern: origin.state.position)
    header[7] = UInt64(bitPattern: origin.state.schema)
    header[8] = UInt64(origin.changes)
    for (number, part) in parts.enumerated() {
      header[table + number * 2] = UInt64(part.count)
      header[table + number * 2 + 1] = Checksum.of(part)
    }
    header[2] = checksum(header)
    // Not flushed: after a power failure, the checksums detect an incomplete file.
    let file = try FileReplacement(path: path, isDurable: false)
    try header.withUnsafeBytes { try writePieces($0, to: file) }
    for part in parts {
      try writePieces(part, to: file)
      try file.write(repeatElement(0, count: padding(after: part.count)))
    }
    try file.commit()
  }

  /// Writes a long part without copying it as a whole.
  private static func writePieces(_ bytes: UnsafeRawBufferPointer, to file: FileReplacement) throws {
    for start in stride(from: 0, to: bytes.count, by: 1 << 18) {
      try file.write(bytes[start..<min(bytes.count, start + (1 << 18))])
    }
  }
}

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
  /// See ``CacheFile/read(_:isMapped:)``.
  func read(
    _ kind: String, form: UInt64, _ state: BookState, _ db: Database, isMapped: Bool
  ) throws -> (origin: CacheFile.Origin, parts: [IndexMemory], changed: Set<Int64>)? {
    guard let path = path(kind), let file = CacheFile.read(path, isMapped: isMapped), file.origin.form == form,
      let changed = try state.changes(since: file.origin.state, db)
    else { return nil }
    return (file.origin, file.parts, changed)
  }

  /// Returns the places of contacts in the list; see ``StoredOrder/places(of:_:)``.
  func places(of ids: UnsafeBufferPointer<Int64>) throws -> [UInt32] {
    try store.read { try StoredOrder.places(of: ids, $0) }
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
      let path = folder + "/" + name
      let life = name.hasSuffix(".tmp") ? 3600 : maximumAge
      if let status = stat(of: path, followsLinks: false), now - status.st_mtim.tv_sec > life { unlink(path) }
    }
  }
}
