import ContactInterchange
import Contacts
import GRDB

/// A matcher of cards with the contacts of the book that they refer to, by the rules of ``CardIdentity`` and
/// ``ContentKey``.
package final class CardMatcher {
  package struct Match {
    package let id: Int64
    package let uid: String
    /// The line of an earlier card of this import that wrote or matched it; nil if there is none.
    package let line: Int?
    package let name: String
    /// Its birthday in the store's format.
    let birthday: String?
    package let version: Int
    package let isDeleted: Bool
    /// How a card without a UID was matched by what both share (``MatchIndex``), or is treated as if it had been
    /// (``CardMatcher/match(content:)``); nil otherwise.
    package var guess: Guess?
    /// What the card and the contact share, if nothing shows for certain that they belong together.
    package var reasons: [DuplicateReason] = []
  }

  /// Whether a contact that was matched by what it shares with the card also has the name of the card.
  package enum Guess {
    /// It has the same name.
    case named
    /// It has another name, or none.
    case unnamed
  }

  package enum Finding {
    /// No contact in the book has the UID.
    case free
    /// The card refers to this contact.
    case contact(Match)
    /// Another contact has the UID, from an earlier card of this import (``Match/line``) or from before the import.
    /// `substitute` is the UID to use instead.
    case taken(by: Match, substitute: String)
  }

  /// The maximum number of people with the same UID and name that a later import can tell apart.
  private static let substitutes = 20

  private static let columns = "id, uid, display_name, birthday, version, deleted_at IS NOT NULL AS is_deleted"

  private let db: Database
  private let byUID: Statement
  private let bySpellings: Statement
  /// Set by ``prepare(for:)``, before this import writes anything.
  private var freeUIDs: FreeUIDs?
  /// Contacts that cards of this import wrote or matched, with the line of the card.
  private var seen: [Int64: Int32] = [:]
  /// The highest id before this import. No card is matched with the contacts that other cards made by what they share.
  private let lastID: Int64
  /// The contacts by content and by the cards without a UID that they came from; built for the first such card.
  private var contents: ContentIndex?
  private let kinds: Set<MatchKind>
  /// The UUIDs that the book has in mixed case, by their canonical spelling; read when they are first needed.
  private var mixed: [String: String]?
  /// The contacts by the values that cards may share with them; built when it is first needed.
  private var matches: MatchIndex?

  /// - Parameter kinds: what else shows that a card without a UID is about a contact.
  package init(_ db: Database, by kinds: Set<MatchKind> = []) throws {
    self.kinds = kinds
    self.db = db
    lastID = try Int64.fetchOne(db, sql: "SELECT ifnull(max(id), 0) FROM contact") ?? 0
    byUID = try db.makeStatement(sql: "SELECT \(Self.columns) FROM contact WHERE uid = ?")
    let placeholders = Array(repeating: "?", count: CardIdentity.maximumSpellings).joined(separator: ", ")
    bySpellings = try db.makeStatement(
      sql: """
        SELECT \(Self.columns) FROM contact WHERE uid IN (\(placeholders)) ORDER BY is_deleted, uid <> ? LIMIT 1
        """)
  }

  /// Looks up the UIDs of the next cards in at most one query; empty ones are ignored. After the first call, report
  /// every written contact to ``record(_:line:as:key:)``.
  package func prepare(forUIDs uids: [String]) throws {
    var freeUIDs = try self.freeUIDs ?? FreeUIDs(db, others: { try Set(mixedUUIDs().keys) })
    self.freeUIDs = nil
    try freeUIDs.lookUp(uids)
    self.freeUIDs = freeUIDs
  }

  /// Returns the contact with this UID in any spelling; a deleted one, whose UID is taken, if there is no other.
  package func match(uid: String) throws -> Match? {
    freeUIDs?.isFree(CardIdentity.canonical(uid)) == true ? nil : try match(spellings: CardIdentity.spellings(uid))
  }

  /// Returns true if no contact has a UID in any spelling.
  /// - Parameter key: its canonical spelling.
  package func isNew(uid: String, key: String) throws -> Bool {
    try freeUIDs?.isFree(key) == true || match(uid: uid) == nil
  }

  /// Finds the contact that a card with a UID refers to.
  ///
  /// A card that does not contradict the contact with its UID refers to that contact. A card that contradicts it still
  /// refers to it if it may be about the contact under another name (``Contact/mayBeRenamed(to:)``), because people
  /// marry, or about the contact as its card was last imported, because it may have been renamed in the book. Otherwise
  /// it is about someone else. So is every contradicting card if an earlier card of this import has referred to the
  /// contact, or if an earlier import made a substitute for the card's name.
  package func find(_ card: Contact) throws -> Finding {
    guard let first = try match(uid: card.uid) else { return .free }
    guard try contradicts(first, card) else { return .contact(first) }
    let isOther = try first.line != nil || !isAbout(first, card)
    for number in 1...Self.substitutes {
      let uid = CardIdentity.substitute(for: card.uid, name: card.displayName, number: number)
      guard let other = try match(uid: uid) else {
        return isOther ? .taken(by: first, substitute: uid) : .contact(first)
      }
      // It may have been renamed in the book.
      if try !contradicts(other, card) || original(of: other)?.contradicts(card) == false { return .contact(other) }
    }
    return isOther ? .taken(by: first, substitute: UniqueID.make()) : .contact(first)
  }

  /// Returns the contact that a member of a group refers to, unless it is deleted.
  package func match(member: String) throws -> Match? {
    guard let match = try match(spellings: CardIdentity.spellings(ofMember: member)), !match.isDeleted else {
      return nil
    }
    return match
  }

  private func match(spellings: [String]) throws -> Match? {
    let statement = spellings.count == 1 ? byUID : bySpellings
    let missing = spellings.count == 1 ? 0 : CardIdentity.maximumSpellings + 1 - spellings.count
    statement.setUncheckedArguments(
      StatementArguments(spellings + Array(repeating: spellings[0], count: missing)))
    if let row = try Row.fetchOne(statement) { return found(row) }
    guard spellings.count > 2, let stored = try mixedUUIDs()[CardIdentity.canonical(spellings[0])] else { return nil }
    return try match(spellings: [stored])
  }

  private func mixedUUIDs() throws -> [String: String] {
    if let mixed { return mixed }
    let uids = try String.fetchAll(
      db,
      sql: """
        SELECT uid FROM contact
        WHERE length(uid) IN (36, 45) AND uid <> lower(uid) AND (uid <> upper(uid) OR length(uid) = 45)
        """)
    let pairs = uids.filter(CardIdentity.isMixed).map { (CardIdentity.canonical($0), $0) }
    let found = Dictionary(pairs, uniquingKeysWith: { first, _ in first })
    mixed = found
    return found
  }

  /// Returns the contact that came from this card. If none did, returns one that has, or whose card has, this content
  /// and that no card of this import has referred to yet; if all of them have been referred to, the one of the most
  /// recent card; nil if none matches.
  ///
  /// Another birthday is another person's. A name alone is weak evidence: a card with only that of a contact matches it
  /// only if one of the two says nothing that the other does not.
  package func match(content: Contact) throws -> Match? {
    let key = ContentKey(content)
    var index = try contents ?? ContentIndex(db, isSeen: { seen[$0] != nil })
    contents = nil
    defer { contents = index }
    if let id = index.contact(from: content.cardLines) { return try match(id: id) }
    let id = try index.claim(
      key, isSeen: { seen[$0] != nil }, mayBe: { try mayBe($0, content, isStrong: key.isStrong) },
      agrees: { try agrees($0, content) })
    guard let id, var found = try match(id: id) else { return nil }
    if !key.isStrong { found.reasons = [.name] }
    // A further card about a contact of the book is treated like a card that was matched by what the user chose.
    if !kinds.isEmpty, found.line != nil, id <= lastID { found.guess = .named }
    return found
  }

  /// Returns the contacts that a card without a UID may be about, by what it shares with them; the first two if there
  /// are several, and none of them has everything that the card says. Contacts that another card of this import made
  /// are not among them.
  package func guesses(_ card: Contact) throws -> [Match] {
    guard lastID > 0 else { return [] }
    let index = try matches ?? matchIndex()
    matches = index
    let loader = ContactLoader(db, parts: .compared)
    var found = try index.find(card, by: kinds) { ids in
      let ids = ids.filter { $0 <= lastID }
      return try loader.load(ids) + OriginalCards(db).load(ids)
    }
    if found.count > 1 {
      // The same card made one of them what it is, in an earlier import.
      let complete = try ContactLoader(db).load(found.map(\.id)).filter { card.isContained(in: $0) }
      if complete.count == 1 { found.removeAll { $0.id != complete[0].id } }
    }
    return try found.prefix(2).compactMap { candidate in
      var match = try match(id: candidate.id)
      match?.guess = candidate.isNamed ? .named : .unnamed
      match?.reasons = candidate.reasons
      return match
    }
  }

  private func matchIndex() throws -> MatchIndex {
    var index = MatchIndex()
    try ContactLoader(db, parts: .compared).forEachLiving { if $0.id <= lastID { index.add($0) } }
    try OriginalCards(db).forEach { if $0.id <= lastID { index.add($0) } }
    index.seal()
    return index
  }

  private func match(id: Int64) throws -> Match? {
    try Row.fetchOne(
      db.cachedStatement(sql: "SELECT \(Self.columns) FROM contact WHERE id = ?"), arguments: [id]
    ).map(found)
  }

  private func found(_ row: Row) -> Match {
    let id = row.integer(0)
    return Match(
      id: id, uid: row.text(1), line: seen[id].map(Int.init), name: row.text(2), birthday: row.optionalText(3),
      version: row.number(4), isDeleted: row.integer(5) != 0)
  }

  /// Records the contact that a card referred to.
  /// - Parameter key: the canonical spelling of its UID, if that is known.
  package func record(_ id: Int64, line: Int, as contact: Contact, key: String? = nil) {
    freeUIDs?.insert(key ?? CardIdentity.canonical(contact.uid))
    if mixed != nil, CardIdentity.isMixed(contact.uid) { mixed?[CardIdentity.canonical(contact.uid)] = contact.uid }
    seen[id] = Int32(clamping: line)
    contents?.record(id, contact)
  }

  private func contradicts(_ match: Match, _ card: Contact) throws -> Bool {
    // The usual case, decided without reading more.
    if match.name == card.displayName, match.birthday == nil || match.birthday == card.birthday?.iso { return false }
    guard let known = try ContactLoader(db, parts: .names).load([match.id]).first else { return false }
    return known.contradicts(card)
  }

  /// Returns true if the card may be about the contact, as the book has it, or as its card was last imported.
  private func isAbout(_ match: Match, _ card: Contact) throws -> Bool {
    guard let known = try ContactLoader(db).load([match.id]).first else { return false }
    if known.mayBeRenamed(to: card) { return true }
    guard let original = ContactCardReader().original(of: known) else { return false }
    return !original.contradicts(card) || original.mayBeRenamed(to: card)
  }

  /// Returns what the card says that a contact came from.
  private func original(of match: Match) throws -> Contact? {
    try ContactLoader(db).load([match.id]).first.flatMap(ContactCardReader().original)
  }

  private func mayBe(_ id: Int64, _ card: Contact, isStrong: Bool) throws -> Bool {
    if isStrong, card.birthday == nil { return true }
    return try (ContactLoader(db).load([id]) + OriginalCards(db).load([id])).contains { known in
      if isStrong { return !known.hasOtherBirthday(than: card) }
      return card.isContained(in: known) || known.isContained(in: card)
    }
  }

  private func agrees(_ id: Int64, _ card: Contact) throws -> Bool {
    guard let known = try ContactLoader(db, parts: .names).load([id]).first else { return false }
    return known.agrees(with: card)
  }
}

/// Contacts by hashes of the cards without a UID that they came from, and of the ``ContentKey`` of the contacts and of
/// these cards.
private struct ContentIndex {
  private var cards: [Int: Int64] = [:]
  /// A contact that no card of this import has referred to; most keys belong to one contact.
  private var free: [Int: Int64] = [:]
  /// More contacts with the same content, in the order of their ids.
  private var otherFree: [Int: [Int64]] = [:]
  /// The last contact that a card referred to.
  private var taken: [Int: Int64] = [:]

  /// Reads the whole book, because an index on the name would be case-sensitive.
  init(_ db: Database, isSeen: (Int64) -> Bool) throws {
    try ContactLoader(db, parts: .names).forEachLiving { contact in
      let key = ContentKey(contact).hashValue
      if isSeen(contact.id) { taken[key] = contact.id } else { add(contact.id, key) }
    }
    try OriginalCards(db).forEach { original in
      cards[original.cardLines.hashValue] = original.id
      if !isSeen(original.id) { add(original.id, ContentKey(original).hashValue) }
    }
  }

  private mutating func add(_ id: Int64, _ hash: Int) {
    guard let first = free[hash] else { return free[hash] = id }
    if first != id, otherFree[hash]?.contains(id) != true { otherFree[hash, default: []].append(id) }
  }

  /// Returns the contact that came from a card with exactly these lines.
  func contact(from lines: [String]) -> Int64? { lines.isEmpty ? nil : cards[lines.hashValue] }

  /// Takes a free contact, among about fifty, that the card may be about: one that agrees with it, or else the first;
  /// returns nil if there is none. If no contact with this content is free, returns the one that was taken last.
  mutating func claim(
    _ key: ContentKey, isSeen: (Int64) -> Bool, mayBe: (Int64) throws -> Bool, agrees: (Int64) throws -> Bool
  ) rethrows -> Int64? {
    let hash = key.hashValue
    while let first = free[hash], isSeen(first) { remove(first, hash) }
    guard let first = free[hash] else { return taken[hash] }
    let others = otherFree[hash, default: []].prefix(50).filter { !isSeen($0) }
    let candidates = try ([first] + others).filter(mayBe)
    guard let id = try candidates.count > 1 ? candidates.first(where: agrees) ?? candidates[0] : candidates.first else {
      return nil
    }
    remove(id, hash)
    taken[hash] = id
    return id
  }

  private mutating func remove(_ id: Int64, _ hash: Int) {
    var others = otherFree.removeValue(forKey: hash) ?? []
    if free[hash] == id {
      free[hash] = others.isEmpty ? nil : others.removeFirst()
    } else if let index = others.firstIndex(of: id) {
      others.remove(at: index)
    }
    if !others.isEmpty { otherFree[hash] = others }
  }

  mutating func record(_ id: Int64, _ contact: Contact) {
    let hash = ContentKey(contact).hashValue
    taken[hash] = id
    if free[hash] == id { remove(id, hash) }
    if !contact.cardLines.isEmpty { cards[contact.cardLines.hashValue] = id }
  }
}
