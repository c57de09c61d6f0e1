import Contacts
import GRDB

/// A loader of contacts by their ids, with one statement per table, however many contacts there are.
package struct ContactLoader {
  private let db: Database
  private let parts: ContactCursor.Parts
  private let damage: DamageLog?

  /// - Parameters:
  ///   - parts: how much of a contact is read.
  ///   - damage: records contacts that differ from their checksums, if whole contacts are read; nil to compare none.
  package init(_ db: Database, parts: ContactCursor.Parts = .all, damage: DamageLog? = nil) {
    self.db = db
    self.parts = parts
    self.damage = damage
  }

  /// Returns the contacts with these ids, in this order, each once; unknown ids are left out. Deleted contacts are
  /// included.
  package func load(_ ids: [Int64]) throws -> [Contact] { try loadStored(ids).map(\.contact) }

  /// Returns the same contacts as ``load(_:)``, with the values of their rows that a `Contact` does not have.
  package func loadStored(_ ids: [Int64]) throws -> [StoredContact] {
    guard !ids.isEmpty else { return [] }
    var contacts: [StoredContact] = []
    contacts.reserveCapacity(ids.count)
    try forEach(ids) { contacts.append($0) }
    if ids.count == 1 { return contacts }
    // The cursor reads in the order of the ids, each once.
    let indexes = Dictionary(contacts.enumerated().map { ($1.contact.id, $0) }, uniquingKeysWith: { first, _ in first })
    var taken: Set<Int64> = []
    return ids.compactMap { id in
      guard let index = indexes[id], taken.insert(id).inserted else { return nil }
      return contacts[index]
    }
  }

  /// Compares contacts with their checksums, before a write replaces the checksums.
  func check(_ ids: [Int64]) throws {
    for batch in ids.batches(of: 500) { try forEach(batch) { _ in } }
  }

  /// Calls `body` with these contacts in the order of their ids.
  private func forEach(_ ids: [Int64], _ body: (StoredContact) -> Void) throws {
    var cursor = try ContactCursor(db, .ids(ids), parts: parts)
    var digest = ContactDigest()
    while let contact = try cursor.next() {
      if let damage { contact.check(&digest, damage) }
      body(contact)
    }
  }

  /// Calls `body` with every contact that is not deleted, in order of id.
  func forEachLiving(_ body: (Contact) throws -> Void) throws {
    var cursor = try ContactCursor(db, .living, parts: parts)
    while let stored = try cursor.next() { try body(stored.contact) }
  }

  /// Returns numbers as a JSON array, so that one statement serves any number of ids.
  package static func json(_ ids: some Sequence<Int64>) -> String {
    var text = "["
    for id in ids {
      if text.utf8.count > 1 { text += "," }
      text += String(id)
    }
    return text + "]"
  }
}
