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

/// Cards that lack lines of the card that their contact came from, until the end of an import: another card of the
/// import may have the same UID and these lines, as it had when the contact was imported. Otherwise the lines were
/// removed.
struct PartialCards {
  private var cards: [(card: IncomingCard, photo: Photo?, file: String)] = []
  private var indexes: [String: Int] = [:]
  /// How much more may wait, in bytes; further cards are imported at once.
  private var room = 1 << 24

  /// Lets a card wait.
  /// - Returns: false if there is no room for it.
  mutating func add(_ card: IncomingCard, _ photo: Photo?, _ file: String) -> Bool {
    let size = card.contact.cardLines.reduce(1024) { $0 + $1.utf8.count } + 2 * (card.picture?.count ?? 0)
    guard size <= room else { return false }
    room -= size
    indexes[CardIdentity.canonical(card.contact.uid)] = cards.count
    cards.append((card, photo, file))
    return true
  }

  /// Adds a card to the one that waits with the same UID, unless it is about someone else.
  /// - Returns: the line of the card that waits; nil if there is none.
  mutating func join(_ card: IncomingCard, _ photo: Photo?) -> Int? {
    guard !indexes.isEmpty, card.isWhole, let index = indexes[CardIdentity.canonical(card.contact.uid)] else {
      return nil
    }
    let waiting = cards[index].card
    guard !waiting.contact.contradicts(card.contact) else { return nil }
    cards[index].card.contact = waiting.contact.adding(card.contact)
    if cards[index].photo == nil {
      (cards[index].photo, cards[index].card.picture) = (photo, card.picture)
      cards[index].card.photoLine = nil
    }
    return waiting.line
  }

  /// Returns the cards in the order in which they came; none wait any longer.
  mutating func take() -> [(card: IncomingCard, photo: Photo?, file: String)] {
    defer { (cards, indexes) = ([], [:]) }
    return cards
  }
}
