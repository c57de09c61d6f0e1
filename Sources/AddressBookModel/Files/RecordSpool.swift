/// Records of bytes that arrive in any order and are read in the order of their numbers. Beyond a size limit, they are
/// moved from memory to an unlinked file.
struct RecordSpool {
  /// The maximum size in memory, in bytes.
  static let standardLimit = 32 << 20
  /// How many bytes are written to the file at once.
  private static let piece = 1 << 20

  private struct Range {
    var start: UInt64 = 0
    var count: UInt32 = 0
  }

  private let limit: Int
  private var ranges: [Range]
  /// The bytes after those in the file.
  private var buffer: [UInt8] = []
  private var file: UnlinkedFile?

  /// - Parameters:
  ///   - count: the number of records; those that are never put are empty.
  ///   - limit: the maximum size in memory, in bytes.
  init(count: Int, limit: Int = Self.standardLimit) {
    self.limit = limit
    ranges = Array(repeating: Range(), count: count)
  }

  /// Stores a record, whose bytes `body` appends.
  mutating func put(_ number: Int, _ body: (inout [UInt8]) throws -> Void) throws {
    let start = buffer.count
    try body(&buffer)
    ranges[number] = Range(start: UInt64((file?.size ?? 0) + start), count: UInt32(buffer.count - start))
    if buffer.count >= (file == nil ? limit : min(limit, Self.piece)) { try flush() }
  }

  /// Calls `body` with the bytes of each record that is not empty.
  /// - Parameter body: returns false to stop.
  mutating func forEach(_ body: (UnsafeRawBufferPointer) throws -> Bool) throws {
    guard let file else { return try buffer.withUnsafeBytes { try Self.read(ranges, $0, body) } }
    try flush()
    try file.withBytes { try Self.read(ranges, $0, body) }
  }

  private static func read(
    _ ranges: [Range], _ bytes: UnsafeRawBufferPointer, _ body: (UnsafeRawBufferPointer) throws -> Bool
  ) throws {
    for range in ranges where range.count > 0 {
      let start = Int(range.start)
      guard try body(UnsafeRawBufferPointer(rebasing: bytes[start..<start + Int(range.count)])) else { return }
    }
  }

  private mutating func flush() throws {
    let file = try file ?? UnlinkedFile()
    self.file = file
    try file.append(buffer)
    buffer.removeAll(keepingCapacity: true)
  }
}
