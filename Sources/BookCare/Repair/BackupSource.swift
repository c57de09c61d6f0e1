import AddressBookModel
import Contacts
import GRDB

/// Finds contacts and photos in the backups of a book. Backups that cannot be read are ignored.
final class BackupSource {
  private let paths: [String]
  private var opened: [DatabaseQueue]?
  /// How many backups are searched, the newest first: older ones rarely have anything that these lack.
  private static let count = 5

  init(_ location: StoreLocation) { paths = Array(BackupFolder(location).paths.prefix(Self.count)) }

  /// Returns the states of a contact in the backups that have it, the newest first; each is read when it is asked for.
  private func contacts(_ id: Int64) -> some Sequence<StoredContact> {
    queues().lazy.compactMap { queue in try? queue.read { try ContactLoader($0).loadStored([id]).first } }
  }

  /// Returns the contact that a checksum was computed from; nil if no backup has it.
  func contact(_ id: Int64, fitting checksum: Int64) -> StoredContact? {
    var digest = ContactDigest()
    return contacts(id).first { $0.fits(checksum, &digest) }
  }

  /// Returns the undamaged state of a contact that has the same version, saved at the same time; nil if no backup has
  /// it.
  func contact(_ id: Int64, sameAs other: Contact) -> StoredContact? {
    newestIntactContact(id) { $0.version == other.version && $0.modified == other.modified && $0.uid == other.uid }
  }

  /// Returns the newest undamaged state of a contact that meets a condition; nil if no backup has one.
  func newestIntactContact(_ id: Int64, where condition: (Contact) -> Bool = { _ in true }) -> StoredContact? {
    var digest = ContactDigest()
    return contacts(id).first { $0.checksum != nil && condition($0.contact) && !$0.isDamaged(&digest) }
  }

  /// Returns the UIDs of all contacts of the newest backup, keyed by id.
  func newestContacts() -> [Int64: String] {
    let rows = queues().lazy.compactMap { queue in
      try? queue.read { try Row.fetchAll($0, sql: "SELECT id, uid FROM contact") }
    }.first
    return Dictionary((rows ?? []).map { ($0.integer(0), $0.text(1)) }, uniquingKeysWith: { first, _ in first })
  }

  /// Returns the contact's photo that has this SHA-256 digest; nil if no backup has it.
  func photo(_ id: Int64, sha256: String) -> Photo? {
    for queue in queues() {
      if let photo = try? queue.read({ try Photo.fetch($0, contact: id) }), photo.summary.sha256 == sha256 {
        return photo
      }
    }
    return nil
  }

  private func queues() -> [DatabaseQueue] {
    if let opened { return opened }
    let queues = paths.filter { BackupFile($0) != nil }.compactMap { try? ImmutableFile.open($0) }
    opened = queues
    return queues
  }
}
