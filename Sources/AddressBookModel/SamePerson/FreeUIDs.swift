import GRDB

/// The UIDs that are known not to be in the book: most cards need no query of their own. One query covers a batch of
/// cards; a book that was empty needs none.
///
/// A free UID that is not recognized as free costs a query. A UID that the book has in any spelling is never taken for
/// a free one.
struct FreeUIDs {
  private let db: Database
  private let wasEmpty: Bool
  /// A Bloom filter of the UIDs that this import wrote to an empty book, with two bits per UID.
  private var written: [UInt64]
  private static let bits = 1 << 23
  /// The UIDs of the batch that were looked up, in their canonical spelling, and those that the book has.
  private var confirmed: Set<String> = []
  private var present: Set<String> = []
  /// UIDs that the book has in other spellings, in their canonical spelling.
  private let others: Set<String>

  init(_ db: Database, others: () throws -> Set<String>) throws {
    self.db = db
    wasEmpty = try Bool.fetchOne(db, sql: "SELECT NOT EXISTS (SELECT 1 FROM contact)") ?? false
    self.others = wasEmpty ? [] : try others()
    written = wasEmpty ? Array(repeating: 0, count: Self.bits / 64) : []
  }

  mutating func lookUp(_ uids: [String]) throws {
    if wasEmpty { return }
    confirmed = []
    var spellings: [String] = []
    for uid in uids where !uid.isEmpty {
      // SQLite's JSON functions may stop at a NUL. UIDs with any control character are rare, so skip them all.
      guard !uid.utf8.contains(where: { $0 < 0x20 }) else { continue }
      confirmed.insert(CardIdentity.canonical(uid))
      spellings += CardIdentity.spellings(uid)
    }
    let statement = try db.cachedStatement(
      sql: "SELECT uid FROM contact WHERE uid IN (SELECT value FROM json_each(?))")
    present = try Set(
      String.fetchAll(statement, arguments: [StoredLines.text(spellings)]).map(CardIdentity.canonical))
  }

  /// Returns true if no contact has this UID, in any spelling; false if that is not certain.
  /// - Parameter key: its canonical spelling.
  func isFree(_ key: String) -> Bool {
    if wasEmpty { return !bitNumbers(of: key).allSatisfy(isSet) }
    return confirmed.contains(key) && !present.contains(key) && !others.contains(key)
  }

  /// Records the UID of a contact that was written.
  /// - Parameter key: its canonical spelling.
  mutating func insert(_ key: String) {
    guard wasEmpty else {
      present.insert(key)
      return
    }
    for bit in bitNumbers(of: key) { written[bit / 64] |= 1 << UInt64(bit % 64) }
  }

  private func bitNumbers(of key: String) -> [Int] {
    let hash = UInt(bitPattern: key.hashValue)
    return [Int(hash % UInt(Self.bits)), Int((hash >> 32) % UInt(Self.bits))]
  }

  private func isSet(_ bit: Int) -> Bool { written[bit / 64] & 1 << UInt64(bit % 64) != 0 }
}
