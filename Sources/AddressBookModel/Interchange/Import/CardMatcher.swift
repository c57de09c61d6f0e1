import Foundation
import GRDB

/// Finds the contact of the book that a card is about, by the rules of ``CardIdentity`` and ``ContentKey``.
final class CardMatcher {
  /// A contact of the book that a card is about.
  struct Match {
    let id: Int64
    let uid: String
    /// Line of the card of this import that wrote or matched it before; nil when this is the first.
    let line: Int?
  }

  private let db: Database
  private let byUID: Statement
  private let bySpellings: Statement
  private let byName: Statement
  /// Contacts that cards of this import wrote or matched, with the line of the card.
  private var seen: [Int64: Int32] = [:]
  /// Contacts of names that cards without a UID asked for, so that a name is read from the book once.
  private var names: [Data: [ContentKey: [Int64]]] = [:]

  init(_ db: Database) throws {
    self.db = db
    byUID = try db.makeStatement(sql: "SELECT id, uid FROM contact WHERE uid = ?")
    bySpellings = try db.makeStatement(sql: "SELECT id, uid FROM contact WHERE uid IN (?, ?, ?, ?, ?)")
    byName = try db.makeStatement(
      sql: """
        SELECT id FROM contact WHERE deleted_at IS NULL AND section = ? AND sort_key = ? ORDER BY id
        """)
  }

  /// The contact with this UID in any spelling, deleted ones too: their UID is taken.
  func match(uid: String) throws -> Match? {
    try match(spellings: CardIdentity.spellings(uid))
  }

  /// The contact that a group names as its member.
  func match(member: String) throws -> Match? {
    try match(spellings: CardIdentity.spellings(ofMember: member))
  }

  private func match(spellings: [String]) throws -> Match? {
    let statement = spellings.count == 1 ? byUID : bySpellings
    let places = statement === byUID ? 1 : 5
    let arguments = spellings + Array(repeating: spellings[0], count: max(0, places - spellings.count))
    statement.setUncheckedArguments(StatementArguments(arguments))
    guard let row = try Row.fetchOne(statement) else { return nil }
    let id: Int64 = row[0]
    return Match(id: id, uid: row[1], line: seen[id].map(Int.init))
  }

  /// The contact with this content, one that no card of this import has matched yet first, else one that has. Among
  /// several, the one that was made first.
  func match(content: Contact) throws -> Match? {
    let key = ContentKey(content)
    let candidates = try contacts(ofName: content)[key, default: []]
    guard let id = candidates.first(where: { seen[$0] == nil }) ?? candidates.last else { return nil }
    let uid = try String.fetchOne(db, sql: "SELECT uid FROM contact WHERE id = ?", arguments: [id])
    return uid.map { Match(id: id, uid: $0, line: seen[id].map(Int.init)) }
  }

  /// Remembers what a card was about.
  func remember(_ id: Int64, line: Int, as contact: Contact) {
    seen[id] = Int32(clamping: line)
    guard !names.isEmpty else { return }
    let derived = Data(DerivedColumns(contact).sortKey)
    guard var known = names[derived] else { return }
    if !known[ContentKey(contact), default: []].contains(id) { known[ContentKey(contact), default: []].append(id) }
    names[derived] = known
  }

  private func contacts(ofName contact: Contact) throws -> [ContentKey: [Int64]] {
    let derived = DerivedColumns(contact)
    let name = Data(derived.sortKey)
    if let known = names[name] { return known }
    byName.setUncheckedArguments([derived.section, name])
    var found: [ContentKey: [Int64]] = [:]
    for known in try ContactLoader(db, parts: .names).load(Int64.fetchAll(byName)) {
      found[ContentKey(known), default: []].append(known.id)
    }
    names[name] = found
    return found
  }
}
