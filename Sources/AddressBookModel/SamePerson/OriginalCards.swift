import ContactInterchange
import Contacts
import GRDB

/// The cards without a UID that living contacts came from, as they were imported. Such a card is the identity of its
/// contact, whatever was edited since.
struct OriginalCards {
  private let db: Database
  private let reader = ContactCardReader()

  init(_ db: Database) { self.db = db }

  /// Calls `body` with what each card says, with the id of the contact and the lines of the card.
  func forEach(_ body: (Contact) throws -> Void) throws { try forEach("", [], body) }

  /// Returns what the cards of these contacts say.
  func load(_ ids: [Int64]) throws -> [Contact] {
    var cards: [Contact] = []
    try forEach("AND id IN (SELECT value FROM json_each(?))", [ContactLoader.json(ids)]) { cards.append($0) }
    return cards
  }

  private func forEach(_ condition: String, _ arguments: StatementArguments, _ body: (Contact) throws -> Void) throws {
    // The pattern spares the parsing of nearly all cards that have a UID.
    let rows = try Row.fetchCursor(
      db,
      sql: """
        SELECT contact_id, lines FROM contact_card JOIN contact ON id = contact_id
        WHERE deleted_at IS NULL AND lines NOT LIKE '%"UID:%' \(condition) ORDER BY contact_id
        """,
      arguments: arguments)
    while let row = try rows.next() {
      var kept = Contact()
      kept.cardLines = StoredLines.lines(row.text(1))
      guard var card = reader.original(of: kept), card.uid.isEmpty else { continue }
      card.id = row.integer(0)
      card.cardLines = kept.cardLines
      try body(card)
    }
  }
}
