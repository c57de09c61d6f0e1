import ContactInterchange
import Contacts
import GRDB

/// A matcher of cards with the contacts of the book that they refer to, by the rules of ``CardIdentity`` and
/// ``ContentKey``.
final class CardMatcher {
  struct Match {
    let id: Int64
    let uid: String
    /// The line of an earlier card of this import that wrote or matched it; nil if there is none.
    let line: Int?
    let name: String
    /// Its birthday in the store's format.
    let birthday: String?
    let isDeleted: Bool
    /// How a card without a UID was matched by what the user chose (``MatchKind``), or is treated as if it had been
    /// (``CardMatcher/match(content:)``); nil otherwise.
    var guess: Guess?
  }

  /// Whether a contact that was matched by what the user chose also has the name of the card.
  enum Guess {
    /// It has the same name.
    case named
    /// It has another name, or none.
    case unnamed
  }

  enum Finding {
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

  private static let columns = "id, uid, display_name, birthday, deleted_at IS NOT NULL AS is_deleted"

  private let db: Database
  private let byUID: Statement
  private let bySpellings: Statement
  /// Set by ``prepare(for:)``, before this import writes anything.
  private var freeUIDs: FreeUIDs?
  /// Contacts that cards of this import wrote or matched, with the line of the card.
  private var seen: [Int64: Int32] = [:]
  /// Contacts that cards of this import made; no other card is matched with them by what the user chose.
  private var made: Set<Int64> = []
  /// The contacts by content; built for the first card without a UID.
  private var contents: ContentIndex?
  private let kinds: Set<MatchKind>
  /// The contacts by the values that the user chose; built when it is first needed.
  private var matches: MatchIndex?

  /// - Parameter kinds: what shows that a record without a UID is about a contact, besides the same content.
  init(_ db: Database, by kinds: Set<MatchKind> = []) throws {
    self.kinds = kinds
    self.db = db
    byUID = try db.makeStatement(sql: "SELECT \(Self.columns) FROM contact WHERE uid = ?")
    let placeholders = Array(repeating: "?", count: CardIdentity.maximumSpellings).joined(separator: ", ")
    bySpellings = try db.makeStatement(
      sql: "SELECT \(Self.columns) FROM contact WHERE uid IN (\(placeholders)) ORDER BY is_deleted LIMIT 1")
  }

  /// Looks up the UIDs of the next cards in at most one query. After the first call, report every written contact to
  /// ``record(_:line:as:key:isNew:)``.
  func prepare(for cards: [PipedEvent]) throws {
    var freeUIDs = try self.freeUIDs ?? FreeUIDs(db)
    self.freeUIDs = nil
    try freeUIDs.lookUp(cards)
    self.freeUIDs = freeUIDs
  }

  /// Returns the contact with this UID in any spelling; a deleted one, whose UID is taken, if there is no other.
  func match(uid: String) throws -> Match? {
    freeUIDs?.isFree(CardIdentity.canonical(uid)) == true ? nil : try match(spellings: CardIdentity.spellings(uid))
  }

  /// Returns true if no contact has the UID of a card in any spelling.
  func isNew(_ piped: PipedCard) throws -> Bool {
    try freeUIDs?.isFree(piped.uidKey) == true || match(uid: piped.card.contact.uid) == nil
  }

  /// Finds the contact that a card with a UID refers to.
  ///
  /// A card that does not contradict the contact with its UID refers to that contact. A card that contradicts it still
  /// refers to it if it may be about the contact under another name (``Contact/mayBeRenamed(to:)``), because people
  /// marry, or about the contact as its card was last imported, because it may have been renamed in the book. Otherwise
  /// it is about someone else. So is every contradicting card if an earlier card of this import has referred to the
  /// contact, or if an earlier import made a substitute for the card's name.
  func find(_ card: Contact) throws -> Finding {
    guard let first = try match(uid: card.uid) else { return .free }
    guard try contradicts(first, card) else { return .contact(first) }
    let isOther = try first.line != nil || !isAbout(first, card)
    for number in 1...Self.substitutes {
      let uid = CardIdentity.substitute(for: card.uid, name: card.displayName, number: number)
      guard let other = try match(uid: uid) else {
        return isOther ? .taken(by: first, substitute: uid) : .contact(first)
      }
      if try !contradicts(other, card) { return .contact(other) }
    }
    return isOther ? .taken(by: first, substitute: UniqueID.make()) : .contact(first)
  }

  /// Returns the contact that a member of a group refers to, unless it is deleted.
  func match(member: String) throws -> Match? {
    guard let match = try match(spellings: CardIdentity.spellings(ofMember: member)), !match.isDeleted else {
      return nil
    }
    return match
  }

  private func match(spellings: [String]) throws -> Match? {
    let statement = spellings.count == 1 ? byUID : bySpellings
    let missing = max(0, (spellings.count == 1 ? 1 : CardIdentity.maximumSpellings) - spellings.count)
    statement.setUncheckedArguments(
      StatementArguments(spellings + Array(repeating: spellings[0], count: missing)))
    guard let row = try Row.fetchOne(statement) else { return nil }
    return found(row)
  }

  /// Returns a contact with this content that no card of this import has referred to yet; if all of them have been
  /// referred to, the one of the most recent card; nil if none matches.
  ///
  /// A card with only a name is weak evidence: it matches a contact that no card has referred to only if no texts of
  /// the two contradict each other.
  func match(content: Contact) throws -> Match? {
    let key = ContentKey(content)
    var index = try contents ?? ContentIndex(db, isSeen: { seen[$0] != nil })
    contents = nil
    defer { contents = index }
    let id = try index.claim(key) { try key.isStrong || agrees($0, content) }
    guard let id, var found = try match(id: id) else { return nil }
    // A further card about a contact of the book is treated like a card that was matched by what the user chose.
    if !kinds.isEmpty, found.line != nil, !made.contains(id) { found.guess = .named }
    return found
  }

  /// Returns the contacts that a record without a UID may be about, by what the user chose; the first two if there are
  /// several. Contacts that another card of this import made are not among them.
  func guesses(_ record: Contact) throws -> [Match] {
    guard !kinds.isEmpty else { return [] }
    let index = try matches ?? matchIndex()
    matches = index
    let loader = ContactLoader(db, parts: .names)
    let finding = try index.find(record, by: kinds) { ids in try loader.load(ids.filter { !made.contains($0) }) }
    switch finding {
    case .none: return []
    case .several(let ids): return try ids.prefix(2).compactMap(match)
    case .contact(let id, let isNamed):
      var match = try match(id: id)
      match?.guess = isNamed ? .named : .unnamed
      return [match].compactMap(\.self)
    }
  }

  private func matchIndex() throws -> MatchIndex {
    var index = MatchIndex()
    try ContactLoader(db, parts: .names).forEachLiving { index.add($0) }
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
      isDeleted: row.integer(4) != 0)
  }

  /// Records the contact that a card referred to.
  /// - Parameters:
  ///   - key: the canonical spelling of its UID, if that is known.
  ///   - isNew: whether the card made it.
  func record(_ id: Int64, line: Int, as contact: Contact, key: String? = nil, isNew: Bool) {
    if isNew, !kinds.isEmpty { made.insert(id) }
    freeUIDs?.insert(key ?? CardIdentity.canonical(contact.uid))
    seen[id] = Int32(clamping: line)
    contents?.record(id, ContentKey(contact))
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

  private func agrees(_ id: Int64, _ card: Contact) throws -> Bool {
    guard let known = try ContactLoader(db, parts: .names).load([id]).first else { return false }
    return known.agrees(with: card)
  }
}

/// Contacts by a hash of their ``ContentKey``; most hashes belong to one contact.
private struct ContentIndex {
  /// A contact that no card of this import has referred to.
  private var free: [Int: Int64] = [:]
  /// More contacts with the same content, in the order of their ids.
  private var otherFree: [Int: [Int64]] = [:]
  /// The last contact that a card referred to.
  private var taken: [Int: Int64] = [:]

  /// Reads the whole book, because an index on the name would be case-sensitive.
  init(_ db: Database, isSeen: (Int64) -> Bool) throws {
    try ContactLoader(db, parts: .names).forEachLiving { contact in
      let key = ContentKey(contact).hashValue
      if isSeen(contact.id) {
        taken[key] = contact.id
      } else if free[key] == nil {
        free[key] = contact.id
      } else {
        otherFree[key, default: []].append(contact.id)
      }
    }
  }

  /// Takes the first free contact that fits, among about fifty; returns nil if none of them fits. If no contact with
  /// this content is free, returns the one that was taken last.
  mutating func claim(_ key: ContentKey, where fits: (Int64) throws -> Bool) rethrows -> Int64? {
    let hash = key.hashValue
    if let first = free[hash] {
      if try fits(first) {
        free[hash] = otherFree[hash]?.first
        if otherFree[hash] != nil { otherFree[hash]?.removeFirst() }
        if otherFree[hash]?.isEmpty == true { otherFree[hash] = nil }
        taken[hash] = first
        return first
      }
      for (index, id) in otherFree[hash, default: []].prefix(50).enumerated() where try fits(id) {
        otherFree[hash]?.remove(at: index)
        taken[hash] = id
        return id
      }
      return nil
    }
    return taken[hash]
  }

  mutating func record(_ id: Int64, _ key: ContentKey) {
    let hash = key.hashValue
    taken[hash] = id
    guard free[hash] == id else { return }
    free[hash] = otherFree[hash]?.first
    if otherFree[hash] != nil { otherFree[hash]?.removeFirst() }
    if otherFree[hash]?.isEmpty == true { otherFree[hash] = nil }
  }
}
