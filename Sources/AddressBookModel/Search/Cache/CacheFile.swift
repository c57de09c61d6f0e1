import Glibc

/// A cache file of several parts: written to a temporary file and renamed, verified completely before it is used, and
/// mapped into memory.
///
/// Layout, in the machine's byte order: a header of 512 words (magic; format and number of parts; checksum of the words
/// after it; version of the contents; nonce; position in the change log; schema; changes since it was built; from word
/// 16 on offset, length and checksum of each part), then the parts, each at a multiple of 16 KiB.
enum CacheFile {
  struct Origin: Hashable, Sendable {
    /// A number that identifies the versions of everything that affects the parts.
    var form: UInt64
    var state: BookState
    /// How many changed contacts were applied since the parts were built from the whole book.
    var changes = 0
  }

  /// A mapped part. Its memory is private: writing to it does not change the file.
  struct Part {
    let memory: UnsafeMutableRawBufferPointer
    let count: Int
    let owner: MappedFile
  }

  private static let magic: UInt64 = 0x6568_6361_436B_6241  // AbkCache
  private static let format: UInt64 = 1
  private static let headerWords = 512
  private static let table = 16
  private static let alignment = 16_384
  private static let maximumParts = (headerWords - table) / 3

  // MARK: Reading

  /// Returns the parts of a file; nil if there is no such file, or if it is invalid in any way.
  static func read(_ path: String) -> (origin: Origin, parts: [Part])? {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var status = stat()
    // A file that others may write could change under the mapping.
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_uid == geteuid(),
      status.st_mode & 0o077 == 0
    else { return nil }
    var header = [UInt64](repeating: 0, count: headerWords)
    guard pread(descriptor, &header, headerWords * 8, 0) == headerWords * 8, header[0] == magic,
      header[1] & 0xFFFF_FFFF == format, header[2] == checksum(header)
    else { return nil }
    let count = Int(header[1] >> 32)
    guard count <= maximumParts else { return nil }
    var ranges: [Range<Int>] = []
    for number in 0..<count {
      let entry = table + number * 3
      guard let offset = Int(exactly: header[entry]), let length = Int(exactly: header[entry + 1]),
        offset.isMultiple(of: alignment), offset >= headerWords * 8, length <= Int(status.st_size),
        offset <= Int(status.st_size) - length
      else { return nil }
      ranges.append(offset..<offset + length)
    }
    guard let parts = MappedFile.parts(of: descriptor, ranges) else { return nil }
    // Reading through the mapping would make all its pages resident, although a search needs few of them.
    for (number, range) in ranges.enumerated() {
      guard Checksum.of(range, in: descriptor) == header[table + number * 3 + 2] else { return nil }
    }
    let state = BookState(
      nonces: [BookState.Nonce(high: header[4], low: header[5])], position: Int64(bitPattern: header[6]),
      schema: Int64(bitPattern: header[7]))
    return (Origin(form: header[3], state: state, changes: Int(truncatingIfNeeded: header[8])), parts)
  }

  private static func checksum(_ header: [UInt64]) -> UInt64 {
    header.withUnsafeBytes { Checksum.of(UnsafeRawBufferPointer(rebasing: $0[24...])) }
  }

  // MARK: Writing

  /// Replaces the file at a path atomically. If two processes write at once, the later one wins.
  /// - Parameter isValid: called after reading all parts, which may themselves come from a file that changes.
  static func write(
    _ path: String, _ origin: Origin, _ parts: [UnsafeRawBufferPointer], isValid: () -> Bool = { true }
  ) throws {
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
    var end = headerWords * 8
    for (number, part) in parts.enumerated() {
      let offset = (end + alignment - 1) / alignment * alignment
      let entry = [UInt64(offset), UInt64(part.count), Checksum.of(part)]
      header.replaceSubrange((table + number * 3)..<(table + number * 3 + 3), with: entry)
      end = offset + part.count
    }
    header[2] = checksum(header)
    // Not flushed: after a power failure, the checksums detect an incomplete file.
    let file = try FileReplacement(path: path, isDurable: false)
    try header.withUnsafeBytes { try writePieces($0, to: file) }
    var written = headerWords * 8
    for (number, part) in parts.enumerated() {
      let offset = Int(header[table + number * 3])
      try file.write([UInt8](repeating: 0, count: offset - written))
      try writePieces(part, to: file)
      written = offset + part.count
    }
    guard isValid() else { throw StoreError(.other, path: path) }
    try file.commit()
  }

  /// Writes a long part without copying it as a whole.
  private static func writePieces(_ bytes: UnsafeRawBufferPointer, to file: FileReplacement) throws {
    for start in stride(from: 0, to: bytes.count, by: 1 << 18) {
      try file.write(bytes[start..<min(bytes.count, start + (1 << 18))])
    }
  }
}
