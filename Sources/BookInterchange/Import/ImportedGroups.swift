import AddressBookModel
import ContactInterchange
import Contacts
import GRDB

/// The groups of one import. Their cards wait until all contacts of the import are in the book.
struct ImportedGroups {
  private let db: Database
  private let writer: BulkWriter
  private let matcher: CardMatcher
  private var cards: [(card: GroupCard, file: String)] = []
  /// The ids of contacts, keyed by the references of their cards.
  private var references: [String: Int64] = [:]

  init(_ db: Database, _ writer: BulkWriter, _ matcher: CardMatcher) {
    self.db = db
    self.writer = writer
    self.matcher = matcher
  }

  mutating func add(_ card: GroupCard, file: String) { cards.append((card, file)) }

  /// Records the contact that a reference in the same import stands for.
  mutating func add(_ contact: Int64, reference: String) { references[reference] = contact }

  /// Adds the contacts that group cards list to the groups, after all cards are in the book. Missing members join when
  /// they are imported, except those of groups from LDIF. A deleted contact, or a group inside a group, is treated like
  /// a missing member.
  /// - Returns: what became of each group card.
  mutating func finish(_ onNotice: (ImportNotice) -> Void) throws -> [BulkWriter.Outcome] {
    try joinWaiting()
    let outcomes = try cards.map { card, file in
      let existing = try group(of: card)
      var outcome = existing == nil ? BulkWriter.Outcome.added : .unchanged
      let group = try existing ?? writer.create(group: card.name, preferring: card.uid)
      var (members, waiting): (Set<Int64>, [String]) = ([], [])
      for member in card.members {
        if let id = try references[member] ?? matcher.match(member: member)?.id {
          members.insert(id)
        } else {
          onNotice(ImportNotice(file: file, line: card.line, kind: .unknownMember(group: card.name, uid: member)))
          waiting.append(member)
        }
      }
      if try writer.changeGroups(of: members.sorted(), joining: group) > 0, outcome == .unchanged { outcome = .updated }
      if try save(card, waiting, group, isNew: existing == nil), outcome == .unchanged { outcome = .updated }
      return outcome
    }
    cards = []
    return outcomes
  }

  /// Adds to their groups the members that were missing before this import and are in the book now.
  private func joinWaiting() throws {
    for card in try StoredGroupCard.fetch(db) where !card.waiting.isEmpty {
      var (members, left): (Set<Int64>, [String]) = ([], [])
      for member in card.waiting {
        if let match = try matcher.match(member: member) { members.insert(match.id) } else { left.append(member) }
      }
      try writer.changeGroups(of: members.sorted(), joining: card.group)
      guard left.count < card.waiting.count else { continue }
      try StoredGroupCard.set(StoredLines.text(card.lines), waiting: StoredLines.text(left), of: card.group, db)
    }
  }

  /// Saves the card of a group.
  /// - Returns: false if there is none, or if the card that the book has, or would write, has the same lines and
  ///   missing members.
  private func save(_ card: GroupCard, _ waiting: [String], _ group: Int64, isNew: Bool) throws -> Bool {
    // A group from LDIF has no card, and a DN does not identify contacts of later imports.
    if card.lines.isEmpty { return false }
    if let known = try StoredGroupCard.fetch(db, group: group).first, known.waiting == waiting {
      if known.lines == card.lines { return false }
      let written = known.card()
      if KeptLines.texts(written.lines.map(\.verbatim), version: written.version) == card.lines { return false }
    }
    if !isNew { try writer.record(newCard: StoredLines.text(card.lines), ofGroup: group) }
    try StoredGroupCard.set(StoredLines.text(card.lines), waiting: StoredLines.text(waiting), of: group, db)
    return true
  }

  /// Returns the group with the UID of a card or, if there is none, the one with its name; nil if there is neither.
  private func group(of card: GroupCard) throws -> Int64? {
    try Int64.fetchOne(
      db,
      sql: """
        SELECT id FROM (
          SELECT id, name, (uid = ?1 AND ?1 <> '') OR lower(uid) IN (?3, 'urn:uuid:' || ?3) AS is_same FROM contact_group)
        WHERE is_same OR name = ?2 ORDER BY is_same DESC LIMIT 1
        """, arguments: [card.uid, card.name, CardIdentity.smallUUID(card.uid)])
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
