import Contacts
import GRDB

/// The contacts of a book in section order, read in batches from one snapshot; only one batch is in memory.
struct ContactBatches {
  private let store: Store
  private let reader: any DatabaseReader
  private let pages: SectionOrderPages

  init(store: Store, reader: any DatabaseReader, size: Int) {
    self.store = store
    self.reader = reader
    pages = SectionOrderPages(columns: ["id"], size: size)
  }

  /// The next batch; nil after the last one. No read is running between batches: the book may be used.
  func next() throws(StoreError) -> [Contact]? {
    do {
      let contacts = try reader.read { db in
        let page = try pages.next(db)
        let stored = try ContactLoader(db, damage: store.damage).loadStored(page.map { $0.integer(0) })
        // The order comes from an index, which must agree with the rows.
        let isComplete = stored.elementsEqual(page) { $0.row.section == $1.number(1) && $0.row.sortKey == $1.bytes(2) }
        if try !isComplete || !pages.isComplete(db) { store.damage.noteIncompleteList() }
        return stored.map(\.contact)
      }
      return contacts.isEmpty ? nil : contacts
    } catch {
      throw store.storeError(error)
    }
  }
}
