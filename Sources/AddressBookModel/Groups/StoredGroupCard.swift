import ContactInterchange
import GRDB
import VCard

/// The card of a group (`KIND:group`), as it was imported: its lines, and the members that are not in the book yet.
package struct StoredGroupCard {
  package let group: Int64
  package let name: String
  /// The lines as imported; the version is first, unless it is 3.0.
  package let lines: [String]
  /// The references of members that are not in the book, verbatim.
  package let waiting: [String]
  /// The UIDs of the members in the book.
  let members: [String]

  package init(group: Int64, name: String, lines: [String], waiting: [String], members: [String]) {
    self.group = group
    self.name = name
    self.lines = lines
    self.waiting = waiting
    self.members = members
  }

  /// Returns the cards of groups, sorted by the groups' names.
  /// - Parameter id: a group; nil for all.
  package static func fetch(_ db: Database, group id: Int64? = nil) throws -> [StoredGroupCard] {
    try Row.fetchAll(
      db,
      sql: """
        SELECT g.id, g.name, c.lines, c.waiting FROM group_card c JOIN contact_group g ON g.id = c.group_id
        WHERE ?1 IS NULL OR g.id = ?1 ORDER BY g.name
        """, arguments: [id]
    ).map { row in
      let members = try String.fetchAll(
        db.cachedStatement(
          sql: """
            SELECT p.uid FROM group_member m JOIN contact p ON p.id = m.contact_id
            WHERE m.group_id = ? AND p.deleted_at IS NULL ORDER BY p.id
            """), arguments: [row.integer(0)])
      return StoredGroupCard(
        group: row.integer(0), name: row.text(1), lines: StoredLines.lines(row.text(2)),
        waiting: StoredLines.lines(row.text(3)), members: members)
    }
  }

  /// Gives a group a card, or removes its card.
  /// - Parameters:
  ///   - lines: as they are stored; nil to remove the card.
  ///   - waiting: the references of members that are not in the book, as they are stored.
  package static func set(_ lines: String?, waiting: String?, of group: Int64, _ db: Database) throws {
    guard let lines else {
      return try db.execute(sql: "DELETE FROM group_card WHERE group_id = ?", arguments: [group])
    }
    try db.execute(
      sql: """
        INSERT INTO group_card (group_id, lines, waiting) VALUES (?, ?, ?)
        ON CONFLICT DO UPDATE SET lines = excluded.lines, waiting = excluded.waiting
        """, arguments: [group, lines, waiting ?? StoredLines.text([])])
  }

  /// Returns the card with the group's present name and members: former members are left out, and new ones follow the
  /// others. Everything else is as imported.
  /// - Parameter version: nil for the version in which it was imported.
  package func card(_ version: CardVersion? = nil) -> Card {
    let stored = KeptLines.card(lines)
    let (kept, own) = (stored.lines, stored.version)
    var left = Dictionary(members.map { (CardIdentity.canonical($0), $0) }, uniquingKeysWith: { first, _ in first })
    var result: [CardLine] = []
    var position: Int?
    let isRenamed = kept.first { $0.isNamed("FN") }.map { $0.text != name } ?? false
    for line in kept {
      switch line.key {
      case "MEMBER", "X-ADDRESSBOOKSERVER-MEMBER":
        let known = CardIdentity.spellings(ofMember: line.text).map(CardIdentity.canonical).first { left[$0] != nil }
        guard known != nil || waiting.contains(line.text) else { continue }
        if let known { left[known] = nil }
        result.append(line)
        position = result.count
      case "FN" where isRenamed: result.append(line.withValue(of: CardLine("FN", text: name, version: own)))
      case "N" where isRenamed:
        result.append(line.withValue(of: CardLine("N", components: [name, "", "", "", ""], version: own)))
      default: result.append(line)
      }
    }
    let property = kept.contains { $0.isNamed("KIND") } ? "MEMBER" : "X-ADDRESSBOOKSERVER-MEMBER"
    let new = members.filter { left[CardIdentity.canonical($0)] == $0 }.map {
      CardLine(property, uri: CardIdentity.reference($0), version: own)
    }
    result.insert(contentsOf: new, at: position ?? result.count)
    let card = Card(version: own, lines: result)
    return Card(version: version ?? own, lines: card.arranged(for: version ?? own).lines)
  }
}

extension AddressBook {
  /// Returns the names of the groups that have a card of their own. In an export of the whole book, that card names the
  /// members; the card of a member only names the group if it did so when it was imported.
  public func groupsWithCard() throws(StoreError) -> Set<String> {
    try store.read { db in Set(try StoredGroupCard.fetch(db).map(\.name)) }
  }

  /// Returns the cards of all groups that were imported as cards, in UTF-8 with CR LF.
  /// - Parameter version: `2.1`, `3.0` or `4.0`; nil for the version in which each was imported.
  public func groupCards(version: String?) throws(StoreError) -> [[UInt8]] {
    try store.read { db in
      try StoredGroupCard.fetch(db).map { stored in
        let card = stored.card(version.flatMap(CardVersion.init))
        return VCardWriter(version: card.version).bytes(of: card)
      }
    }
  }
}
