import Contacts
import GRDB

/// The contacts of a book in section order, read a batch at a time in one snapshot, with memory for one batch only.
struct ContactBatches {
  private let store: Store
  private let reader: any DatabaseReader
  private let pages: SectionOrderPages

  init(store: Store, reader: any DatabaseReader, size: Int) {
    self.store = store
    self.reader = reader
    pages = SectionOrderPages(columns: ["id"], size: size)
  }

  /// The next batch; nil after the last one. No read is under way between two batches: the book may be used meanwhile.
  func next() throws(StoreError) -> [Contact]? {
    do {
      let contacts = try reader.read { db in try ContactLoader(db).load(pages.next(db).map { $0[0] }) }
      return contacts.isEmpty ? nil : contacts
    } catch {
      throw store.storeError(error)
    }
  }
}
