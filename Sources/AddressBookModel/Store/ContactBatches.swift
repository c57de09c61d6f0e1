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
      let contacts = try reader.read { db in try ContactLoader(db).load(pages.next(db).map { $0[0] }) }
      return contacts.isEmpty ? nil : contacts
    } catch {
      throw store.storeError(error)
    }
  }
}
