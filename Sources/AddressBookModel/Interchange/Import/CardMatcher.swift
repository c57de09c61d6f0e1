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
  private var names: [Data: [ContentKey: Candidates]] = [:]

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

  /// The contact with this content that no card of this import has matched yet, else the last one that has.
  ///
  /// A card that says no more than a name proves little: it matches a contact only if no text of the two contradicts.
  func match(content: Contact) throws -> Match? {
    let name = Data(DerivedColumns(content).sortKey)
    var ofName = try names[name] ?? contacts(ofName: content)
    let key = ContentKey(content)
    defer { names[name] = ofName }
    guard var candidates = ofName[key] else { return nil }
    if let place = try candidates.free.prefix(50).firstIndex(where: { try key.isStrong || agrees($0, content) }) {
      candidates.taken = candidates.free.remove(at: place)
      ofName[key] = candidates
    } else if candidates.taken == nil {
      return nil
    }
    guard let id = candidates.taken else { return nil }
    let uid = try String.fetchOne(db, sql: "SELECT uid FROM contact WHERE id = ?", arguments: [id])
    return uid.map { Match(id: id, uid: $0, line: seen[id].map(Int.init)) }
  }

  /// Remembers what a card was about.
  func remember(_ id: Int64, line: Int, as contact: Contact) {
    seen[id] = Int32(clamping: line)
    guard !names.isEmpty else { return }
    let derived = Data(DerivedColumns(contact).sortKey)
    guard names[derived] != nil else { return }
    let key = ContentKey(contact)
    names[derived]?[key, default: Candidates()].free.removeAll { $0 == id }
    names[derived]?[key, default: Candidates()].taken = id
  }

  private func contacts(ofName contact: Contact) throws -> [ContentKey: Candidates] {
    let derived = DerivedColumns(contact)
    byName.setUncheckedArguments([derived.section, Data(derived.sortKey)])
    var found: [ContentKey: Candidates] = [:]
    for known in try ContactLoader(db, parts: .names).load(Int64.fetchAll(byName)) {
      if seen[known.id] == nil {
        found[ContentKey(known), default: Candidates()].free.append(known.id)
      } else {
        found[ContentKey(known), default: Candidates()].taken = known.id
      }
    }
    return found
  }

  private func agrees(_ id: Int64, _ card: Contact) throws -> Bool {
    guard let known = try ContactLoader(db, parts: .names).load([id]).first else { return false }
    let texts = ContactLoader.textColumns.map(\.property)
    return texts.allSatisfy { known[keyPath: $0].isEmpty || card[keyPath: $0].isEmpty || known[keyPath: $0] == card[keyPath: $0] }
      && (known.birthday == nil || card.birthday == nil || known.birthday == card.birthday)
  }

  /// Contacts with one content: those that no card of this import was about, and the last one that some card was.
  private struct Candidates {
    var free: [Int64] = []
    var taken: Int64?
  }
}
