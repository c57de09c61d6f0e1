import Contacts
import Foundation
import GRDB

/// The contacts of a book in section order, read a batch at a time in one snapshot, with memory for one batch only.
struct ContactBatches {
  private let store: Store
  private let reader: any DatabaseReader
  private let size: Int
  private var last: (section: Int, key: Data, id: Int64) = (-1, Data(), 0)

  init(store: Store, reader: any DatabaseReader, size: Int) {
    self.store = store
    self.reader = reader
    self.size = max(1, size)
  }

  /// The next batch; nil after the last one. No read is under way between two batches: the book may be used meanwhile.
  mutating func next() throws(StoreError) -> [Contact]? {
    do {
      let position = last
      let (contacts, end) = try reader.read { [size] db in
        let rows = try Row.fetchAll(
          db.cachedStatement(
            sql: """
              SELECT id, section, sort_key FROM contact
              WHERE deleted_at IS NULL AND (section, sort_key, id) > (?, ?, ?)
              ORDER BY section, sort_key, id LIMIT ?
              """), arguments: [position.section, position.key, position.id, size])
        let end: (Int, Data, Int64)? = rows.last.map { ($0[1], $0[2], $0[0]) }
        return (try ContactLoader(db).load(rows.map { $0[0] }), end)
      }
      guard let end else { return nil }
      last = end
      return contacts
    } catch {
      throw store.storeError(error)
    }
  }
}
