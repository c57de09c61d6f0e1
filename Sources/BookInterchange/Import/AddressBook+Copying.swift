import AddressBookModel
import ContactInterchange
import Contacts
import GRDB
import VCard

/// A contact from elsewhere, such as a company directory, that is copied to a book.
public struct CopiedContact: Sendable {
  /// The contact; its UID identifies the contact of the book that it updates.
  public var contact: Contact
  /// The bytes of its photo, unchecked; nil for none.
  public var picture: [UInt8]?

  /// A contact to copy.
  public init(contact: Contact, picture: [UInt8]? = nil) {
    self.contact = contact
    self.picture = picture
  }
}

extension AddressBook {
  /// The result of copying.
  public struct CopyReport: Hashable, Sendable {
    /// What was done with the contacts.
    public let cards: ImportReport
    /// The number of contacts in the step of the history; 0 if nothing changed.
    public let recordedCount: Int
  }

  /// Copies contacts into the book as one step of the history: all of them, or none if anything fails.
  ///
  /// Each is imported as a vCard with the same content, which the book keeps. A contact that is copied again is
  /// therefore merged like a card that is imported again: what changed there is updated, and what was edited here stays
  /// (see ``Importer``).
  /// - Parameters:
  ///   - source: where the contacts come from, for the history.
  ///   - session: the session of the write.
  ///   - isCancelled: called for each contact; if it returns true, nothing is written, and the error is
  ///     `StoreError.cancelled`.
  /// - Throws: `StoreError`.
  public func copy(
    _ contacts: [CopiedContact], from source: String, in session: EditSession? = nil,
    isCancelled: () -> Bool = { false }
  ) throws -> CopyReport {
    let cards = contacts.flatMap(Self.incoming)
    do {
      return try store.transaction(isBulk: true, raisesVersions: true) { db in
        let recorder = try StepRecorder(db, name: StepName(.importing, source), session: session ?? self.session)
        var copying = try ImportSession(
          db, limits: Photo.limits, keepsPhotoMetadata: false, matching: [], recorder: recorder)
        for card in cards {
          if isCancelled() { throw CancellationError() }
          try copying.importCard(card, file: source)
        }
        try copying.finish()
        let count = copying.recordedCount
        try recorder.finish()
        return CopyReport(cards: copying.report, recordedCount: count)
      }
    } catch let error where error is DatabaseError || error is CancellationError {
      throw store.storeError(error)
    }
  }

  /// Returns the contact as a card to import. A photo that cannot be shown is left out.
  private static func incoming(_ copied: CopiedContact) -> [IncomingCard] {
    var contact = copied.contact
    let photo = copied.picture.flatMap { Photo(showing: $0) }
    contact.photo = photo?.summary
    let bytes = CardExporter(version: nil).card(of: contact, photo: photo)
    return VCardReader.read(bytes).cards.map { IncomingCard(ContactCardReader().read($0)) }
  }
}
