import AddressBookModel
import Contacts
import GRDB
import SystemCalls

/// Output of contacts in section order, or in another order, for commands and exports.
extension AddressBook {
  /// Encodes contacts from one snapshot of the book, and passes on the bytes of each contact in order.
  ///
  /// Most contacts of a big book are encoded in another order, and those that are not due yet wait in memory or in a
  /// temporary file (``RecordSpool``). If there is no room for that file, the rest is read page by page, each page from
  /// a new snapshot; so is everything if the system has no thread for the reader.
  /// - Parameters:
  ///   - ids: the contacts in the order of the output; nil for all in section order. Unknown and deleted ones are left
  ///     out.
  ///   - withPhotos: true to read the photos too, as ``photoForExport(of:)-(Int64)`` returns them.
  ///   - encode: appends the bytes of a contact. It is called from two threads, and must not use the book. If there is
  ///     no room for the temporary file, it is called again for some contacts.
  ///   - body: called with the bytes of each contact that has any; returns false to stop. It must not use the book.
  /// - Returns: the number of contacts that were encoded.
  @discardableResult
  public func forEachEncoded(
    ids: [Int64]? = nil, withPhotos: Bool = false,
    _ encode: @escaping @Sendable (StoredContact, Photo?, inout [UInt8]) throws -> Void,
    _ body: (UnsafeRawBufferPointer) throws -> Bool
  ) throws -> Int {
    try forEachEncoded(ids: ids, withPhotos: withPhotos, spoolLimit: RecordSpool.standardLimit, encode, body)
  }

  /// Encodes contacts with a limit for the bytes that wait in memory.
  func forEachEncoded(
    ids: [Int64]?, withPhotos: Bool, spoolLimit: Int,
    _ encode: @escaping @Sendable (StoredContact, Photo?, inout [UInt8]) throws -> Void,
    _ body: (UnsafeRawBufferPointer) throws -> Bool
  ) throws -> Int {
    let reading = ContactReading(store, ids: ids, withPhotos: withPhotos, encode)
    var output = OrderedOutput(spoolLimit: spoolLimit, damage: store.damage)
    guard reading.start() else {
      let order = try ids.map { ContactOrder($0) } ?? store.read { try ContactOrder($0) }
      try output.addPages(of: order, store, withPhotos, encode, body)
      return output.count
    }
    do {
      defer { reading.finish() }
      while let batch = try reading.queue.next()?.get() {
        guard try output.add(batch, encode, body) else { return output.count }
      }
      try output.deliverSpooled(body)
    } catch is UnlinkedFile.Failure {
      if let order = output.order { try output.addPages(of: order, store, withPhotos, encode, body) }
    }
    return output.count
  }
}

/// The encoded contacts of a listing, put into order.
private struct OrderedOutput {
  typealias Encode = ContactReading.Encode
  typealias Body = (UnsafeRawBufferPointer) throws -> Bool

  /// The order of the listing, once it is known.
  private(set) var order: ContactOrder?
  /// The number of contacts that were handed over in their turn, and the position after the last of them.
  private var inTurn = 0
  private var next = 0
  /// The encoded contacts that wait for their turn, and their number.
  private var spool: RecordSpool?
  private var waiting = 0
  private let spoolLimit: Int

  private let damage: DamageLog
  private var digest = ContactDigest()
  private var bytes: [UInt8] = []

  init(spoolLimit: Int, damage: DamageLog) { (self.spoolLimit, self.damage) = (spoolLimit, damage) }

  var count: Int { inTurn + waiting }

  /// Adds a batch, and hands it over if its turn has come.
  /// - Returns: false to stop.
  mutating func add(_ batch: ContactReading.Batch, _ encode: Encode, _ body: Body) throws -> Bool {
    if order == nil { order = batch.order }
    if case .inOrder(let entries) = batch.content { return try deliver(entries, encode, body) }
    var spool = self.spool ?? RecordSpool(count: batch.order.count, limit: spoolLimit)
    self.spool = nil
    switch batch.content {
    case .inOrder: break
    case .entries(let entries):
      for entry in entries {
        entry.contact.check(&digest, damage)
        try spool.put(entry.rank) { try encode(entry.contact, entry.photo, &$0) }
      }
      waiting += entries.count
    case .encoded(let records, let bytes):
      var start = 0
      for record in records {
        try spool.put(record.rank) { $0 += bytes[start..<start + record.count] }
        start += record.count
      }
      waiting += records.count
    }
    self.spool = spool
    return true
  }

  /// Hands over the contacts that wait for their turn.
  mutating func deliverSpooled(_ body: Body) throws {
    guard var spool else { return }
    self.spool = nil
    try spool.forEach(body)
  }

  /// Reads and hands over the contacts that were not handed over yet, in their order.
  mutating func addPages(
    of order: ContactOrder, _ store: Store, _ withPhotos: Bool, _ encode: Encode, _ body: Body
  ) throws {
    waiting = 0
    for start in stride(from: next, to: order.count, by: 250) {
      let page = start..<min(order.count, start + 250)
      let entries = try store.read { try ContactReading.entries(page, of: order, store, $0, withPhotos: withPhotos) }
      guard try deliver(entries, encode, body) else { return }
    }
  }

  private mutating func deliver(_ entries: [ContactReading.Entry], _ encode: Encode, _ body: Body) throws -> Bool {
    for entry in entries {
      bytes.removeAll(keepingCapacity: true)
      try encode(entry.contact, entry.photo, &bytes)
      inTurn += 1
      next = entry.rank + 1
      if !bytes.isEmpty, try !bytes.withUnsafeBytes(body) { return false }
    }
    return true
  }
}

/// Records of bytes that arrive in any order and are read in the order of their numbers. Once those in memory reach a
/// size limit, further ones go to an unlinked file.
///
/// An export in 15 µs a contact, and a list as JSON in 10, need it: page by page they take 1.7 and 4 times as long.
struct RecordSpool {
  /// The approximate maximum size in memory, in bytes.
  static let standardLimit = 32 << 20
  /// The approximate size in bytes of a piece in memory, and of a write to the file.
  private static let pieceSize = 1 << 20

  private struct Range {
    /// A position in the file, or the index of a piece in memory and the position there.
    var start: UInt64 = 0
    var count: UInt32 = 0

    static let isInFile: UInt64 = 1 << 63
  }

  private let limit: Int
  private let pieceSize: Int
  private var ranges: [Range]
  /// The first records, in pieces: a single growing array would copy them again and again.
  private var pieces: [[UInt8]] = []
  private var countInMemory = 0
  /// The bytes after those in the pieces or, once there is a file, after those in the file.
  private var buffer: [UInt8] = []
  private var file: UnlinkedFile?

  /// - Parameters:
  ///   - count: the number of records; those that are never put are empty.
  ///   - limit: the approximate maximum size in memory, in bytes.
  init(count: Int, limit: Int = Self.standardLimit) {
    self.limit = limit
    pieceSize = min(limit, Self.pieceSize)
    ranges = Array(repeating: Range(), count: count)
  }

  /// Stores a record, whose bytes `body` appends.
  mutating func put(_ number: Int, _ body: (inout [UInt8]) throws -> Void) throws {
    if buffer.capacity == 0 { buffer.reserveCapacity(pieceSize + pieceSize / 16) }
    let start = buffer.count
    try body(&buffer)
    ranges[number] = Range(
      start: file.map { Range.isInFile | UInt64($0.size + start) } ?? UInt64(pieces.count) << 32 | UInt64(start),
      count: UInt32(buffer.count - start))
    if buffer.count >= pieceSize { try storePiece() }
  }

  /// Calls `body` with the bytes of each record that is not empty, in the order of their numbers.
  /// - Parameter body: returns false to stop.
  mutating func forEach(_ body: (UnsafeRawBufferPointer) throws -> Bool) throws {
    try storePiece()
    guard let file else { return try read(UnsafeRawBufferPointer(start: nil, count: 0), body) }
    try file.withBytes { try read($0, body) }
  }

  private func read(_ bytes: UnsafeRawBufferPointer, _ body: (UnsafeRawBufferPointer) throws -> Bool) throws {
    func record(_ bytes: UnsafeRawBufferPointer, _ start: UInt64, _ count: UInt32) throws -> Bool {
      let start = Int(start)
      return try body(UnsafeRawBufferPointer(rebasing: bytes[start..<start + Int(count)]))
    }
    for range in ranges where range.count > 0 {
      let continues =
        if range.start & Range.isInFile != 0 {
          try record(bytes, range.start & ~Range.isInFile, range.count)
        } else {
          try pieces[Int(range.start >> 32)].withUnsafeBytes {
            try record($0, range.start & 0xFFFF_FFFF, range.count)
          }
        }
      guard continues else { return }
    }
  }

  private mutating func storePiece() throws {
    if let file {
      try file.append(buffer)
      buffer.removeAll(keepingCapacity: true)
    } else {
      countInMemory += buffer.count
      pieces.append(buffer)
      buffer = []
      if countInMemory >= limit { file = try UnlinkedFile() }
    }
  }
}
