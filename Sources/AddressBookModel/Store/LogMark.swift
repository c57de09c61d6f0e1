import GRDB
import SystemCalls

/// Two random numbers in a book that tell to which file a write-ahead log belongs: nothing else in a log does, and SQLite
/// applies any log that has the name of a file.
///
/// The first transaction of each log stores a new number, and the previous one beside it. So the file that the log
/// belongs to has the previous number, or the new one once a checkpoint copied it, whatever its name and inode are: a
/// book may be moved or copied together with its log.
struct LogMark: Hashable, Sendable {
  let previous: UInt64
  let current: UInt64

  private static let key = "log"
  /// A key that every book has.
  private static let otherKey = "collation"
  /// How many rows `store_info` has at most.
  private static let maximumRows = 32

  /// Stores a new number. Call it in a transaction that begins a log.
  /// - Returns: false in a file without the tables of a book.
  @discardableResult
  static func renew(_ db: Database) throws -> Bool {
    guard try db.tableExists("store_info") else { return false }
    let stored = try StoreInfo.value(key, db)
    let mark = LogMark(previous: stored.flatMap(LogMark.init)?.current ?? 0, current: .random(in: 1 ... .max))
    try StoreInfo.set(key, to: mark.text, db)
    return true
  }

  /// Returns the number in a file, whatever its log says: 0 if it never had one, nil if that is not certain, because a
  /// checkpoint that was interrupted may have left the page half written.
  static func number(inFile path: String) -> UInt64? {
    do {
      let queue = try ImmutableFile.open(path)
      defer { try? queue.close() }
      let rows = try queue.read { try Row.fetchAll($0, sql: "SELECT key, value FROM store_info") }
      let keys = rows.map { $0.text(0) }
      guard keys.contains(otherKey), zip(keys, keys.dropFirst()).allSatisfy(<) else { return nil }
      guard let row = rows.first(where: { $0.text(0) == key }) else { return 0 }
      return LogMark(row.text(1))?.current
    } catch {
      return nil
    }
  }

  /// Calls `body` with the marks in the frames of a log, until it returns false.
  /// - Returns: false if another log was begun meanwhile.
  static func forEach(inLog path: String, _ body: (LogMark) -> Bool) -> Bool {
    guard let file = ReadableFile(path), let header = file.bytes(32, at: 0), let status = file.status else {
      return false
    }
    let size = header[8..<12].reduce(0) { $0 << 8 | Int($1) }
    guard (512...65_536).contains(size) else { return false }
    var isWanted = true
    let reader = PageReader(pageSize: size, fileSize: .max) { _ in nil }
    var offset = 32
    // Frames of an earlier log have other salts.
    while isWanted, let frame = file.bytes(24 + size, at: offset), frame[8..<16] == header[16..<24] {
      offset += 24 + size
      let page = Array(frame[24...])
      // A page with the few rows of `store_info`.
      guard reader.kind(page, 2) == .indexLeaf, page[3] == 0, page[4] <= maximumRows else { continue }
      let records = reader.records(page, 2).compactMap(\.self).filter { $0.values.count == 2 }
      guard let text = records.first(where: { $0.values[0].text == key })?.values[1].text else { continue }
      if let mark = LogMark(text) { isWanted = body(mark) }
    }
    return file.bytes(32, at: 0) == header && FileIdentity(of: path) == FileIdentity(status)
  }

  private init(previous: UInt64, current: UInt64) { (self.previous, self.current) = (previous, current) }

  /// Returns nil unless the third number confirms the others.
  private init?(_ text: String) {
    let numbers = text.split(separator: " ").compactMap { UInt64($0, radix: 16) }
    guard numbers.count == 3, numbers[2] == numbers[0] ^ numbers[1] else { return nil }
    self.init(previous: numbers[0], current: numbers[1])
  }

  /// Always of the same length, so that the row stays in its place in the page.
  private var text: String {
    [previous, current, previous ^ current].map { number in
      let digits = String(number, radix: 16)
      return String(repeating: "0", count: 16 - digits.count) + digits
    }.joined(separator: " ")
  }
}
