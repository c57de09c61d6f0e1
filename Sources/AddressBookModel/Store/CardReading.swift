import ContactInterchange
import Contacts
import GRDB

/// Keeps contacts up with the rules by which their cards are read: contacts get what the present rules read in the cards
/// that they came from, and what an earlier version of the program did not.
package enum CardReading {
  private static let key = "card_reading"
  /// The rules by which a process is rereading the cards: others follow them from then on.
  private static let coming = "card_reading_coming"
  /// The newest step at the last reading, and the oldest rules of the book: `41 3`.
  private static let before = "card_reading_before"

  /// Returns true if the contacts have what the present rules read in their cards.
  static func isCurrent(_ db: Database) throws -> Bool { try StoreInfo.value(key, db) == EarlierReading.version }

  /// Makes the rules read the user's own fields for which the book's cards were read, maybe by another process meanwhile.
  package static func learn(_ db: Database) throws {
    let statement = try db.cachedStatement(sql: "SELECT value FROM store_info WHERE key IN (?, ?)")
    for version in try String.fetchAll(statement, arguments: [key, coming]) {
      CustomFields.add(EarlierReading.custom(in: version))
    }
  }

  /// Returns what the cards that a reversal of a step brings back say by the present rules; nil if they were in force.
  static func reading(ofStep step: Int64, _ db: Database) throws -> EarlierReading? {
    guard let last = try last(db), step <= last.step else { return nil }
    return EarlierReading(last.oldest)
  }

  private static func last(_ db: Database) throws -> (step: Int64, oldest: String)? {
    let parts = try StoreInfo.value(before, db)?.split(separator: " ", maxSplits: 1) ?? []
    return parts.count == 2 ? Int64(parts[0]).map { ($0, String(parts[1])) } : nil
  }

  /// Rereads the cards of all contacts, deleted or not, if the book was written by an earlier version, or without some of
  /// the user's own fields.
  ///
  /// Each chunk is a separate transaction, and the last one writes the version. Reading a card twice changes nothing. A
  /// card that another process writes meanwhile is read by the new rules, which the book has from the beginning.
  static func updateIfNeeded(_ store: Store, chunk: Int = 2000) throws {
    let isDone = try store.read { db in
      try learn(db)
      return try isCurrent(db)
    }
    if isDone { return }
    CustomFields.add(CustomFields.offered)
    try store.transaction { try StoreInfo.set(coming, to: EarlierReading.version, $0) }
    let reading = try store.read { try EarlierReading(StoreInfo.value(key, $0)) }
    var pages = ContactIDPages(
      where: "EXISTS (SELECT 1 FROM contact_card WHERE contact_id = id)", size: chunk)
    var ids = try store.read { try pages.next($0) }
    while !ids.isEmpty {
      let outdated = try store.read { db in
        try ContactLoader(db, damage: store.damage).load(ids).filter { contact in
          !store.damage.has(contact.id) && reading.rereading(contact, from: contact.cardLines) != nil
        }.map(\.id)
      }
      if !outdated.isEmpty {
        try store.transaction(raisesVersions: true) { try update(outdated, reading, $0, store.damage) }
      }
      ids = try store.read { try pages.next($0) }
    }
    try store.transaction { db in
      let oldest = try last(db)?.oldest ?? StoreInfo.value(key, db) ?? "1"
      let step = try Int64.fetchOne(db, sql: "SELECT max(id) FROM edit_step") ?? 0
      try StoreInfo.set(before, to: "\(step) \(oldest)", db)
      try markCurrent(db)
    }
  }

  /// Records that the contacts have what the present rules read in their cards.
  static func markCurrent(_ db: Database) throws {
    CustomFields.add(CustomFields.offered)
    try StoreInfo.set(key, to: EarlierReading.version, db)
    try db.execute(sql: "DELETE FROM store_info WHERE key = ?", arguments: [coming])
  }

  private static func update(
    _ ids: [Int64], _ reading: EarlierReading, _ db: Database, _ damage: DamageLog
  ) throws {
    let writer = try BulkWriter(db, groupPolicy: .replace, recorder: nil)
    for contact in try ContactLoader(db, damage: damage).load(ids) where !damage.has(contact.id) {
      guard let new = reading.rereading(contact, from: contact.cardLines) else { continue }
      // Nobody edited or restored it.
      try writer.replace(new, photo: .keep, isEdit: false)
      if let version = try writer.state(of: contact.id)?.version {
        try EditEntry.follow(db, contact: contact.id, from: contact.version, to: version)
      }
      try reread(db, contact) { reading.rereading($0, from: contact.cardLines) }
    }
  }

  /// Changes what both sides had of a contact, in all folders, as the contact was changed: nobody edited either side.
  /// - Parameters:
  ///   - contact: the contact before the change.
  ///   - change: returns nil for a state that stays.
  private static func reread(_ db: Database, _ contact: Contact, _ change: (Contact) -> Contact?) throws {
    for table in ["synced_card", "sync_intent", "sync_moved"] {
      let rows = try Row.fetchAll(
        db, sql: "SELECT id, base FROM \(table) WHERE contact_id = ? AND base IS NOT NULL", arguments: [contact.id])
      for row in rows {
        guard let base = change(try ContactDelta(row.data(1)).after(in: Contact())) else { continue }
        try db.execute(
          sql: "UPDATE \(table) SET base = ? WHERE id = ?",
          arguments: [ContactDelta(from: Contact(), to: base.withoutIdentity).data, row.integer(0)])
      }
    }
    try db.execute(
      sql: """
        UPDATE synced_card SET version = (SELECT version FROM contact WHERE id = ?1) WHERE contact_id = ?1 AND version = ?2
        """, arguments: [contact.id, contact.version])
  }
}
