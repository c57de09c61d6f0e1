import GRDB

/// The contacts of a listing in the order in which they are listed.
struct ContactOrder: Sendable {
  let ids: [Int64]
  /// A hash of the section and the sort key that the index has for each contact, with which its row must agree; empty
  /// if the order does not come from the index.
  private var marks: [UInt64] = []

  init(_ ids: [Int64]) { self.ids = ids }

  /// Reads all contacts in section order.
  init(_ db: Database) throws {
    let rows = try StatementRows(
      db,
      db.makeStatement(
        sql: "SELECT section, sort_key, id FROM contact WHERE deleted_at IS NULL ORDER BY section, sort_key, id"))
    defer { rows.stop() }
    var ids: [Int64] = []
    while let row = try rows.next() {
      marks.append(row.withBytes(1) { Self.mark(row.number(0), $0) })
      ids.append(row.integer(2))
    }
    self.ids = ids
  }

  var count: Int { ids.count }

  /// Returns false if the section or sort key in a contact's row differs from the index.
  func agrees(_ contact: StoredContact, at rank: Int) -> Bool {
    marks.isEmpty || contact.row.sortKey.withUnsafeBufferPointer { Self.mark(contact.row.section, $0) } == marks[rank]
  }

  /// Returns the positions of the contacts from `start` on, in the order of their ids.
  func ranksByID(from start: Int) -> [UInt32] {
    (UInt32(start)..<UInt32(ids.count)).sorted { ids[Int($0)] < ids[Int($1)] }
  }

  private static func mark(_ section: Int, _ key: UnsafeBufferPointer<UInt8>) -> UInt64 {
    Checksum.of(UnsafeRawBufferPointer(key)) ^ UInt64(truncatingIfNeeded: section)
  }
}
