import GRDB

/// What a bulk write did, so that it can be taken back as one step.
public struct BulkJournal: Sendable {
  /// A contact as it was before it was written over.
  struct Entry: Sendable {
    var contact: Contact
    /// Its picture before; looked at only when the write set a picture.
    var photo: Photo?
    var setsPhoto: Bool
  }

  /// Contacts that were added or brought back.
  var added: [Int64] = []
  /// Contacts that were deleted.
  var removed: [Int64] = []
  /// Contacts that were written over.
  var replaced: [Entry] = []

  /// True when nothing was written.
  public var isEmpty: Bool { added.isEmpty && removed.isEmpty && replaced.isEmpty }

  /// One of the contacts that were added or written over, for a screen to show; nil when there is none.
  public var someID: Int64? { added.first ?? replaced.first?.contact.id }
}

extension AddressBook {
  /// Takes back what a bulk write did, in one transaction: what it added is deleted so that it can come back, what it
  /// deleted comes back, what it wrote over is as it was.
  /// - Returns: the journal of this very change; reverting that does it again.
  /// - Throws: `StoreError`; nothing is written then.
  public func revert(_ journal: BulkJournal) throws(StoreError) -> BulkJournal {
    do {
      return try bulkWrite(groups: .replace) { writer in
        writer.keepsJournal = true
        for id in journal.added { try writer.delete(id) }
        for id in journal.removed { try writer.restore(id) }
        for entry in journal.replaced {
          try writer.write(entry.contact, photo: entry.photo)
          if entry.setsPhoto, entry.photo == nil { try writer.removePhoto(of: entry.contact.id) }
        }
        return writer.journal
      }
    } catch {
      throw store.storeError(error)
    }
  }
}
