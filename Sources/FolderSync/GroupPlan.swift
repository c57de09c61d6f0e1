import AddressBookModel
import BookInterchange
import ContactInterchange
import Contacts
import GRDB
import VCard

/// Compares the groups of a book with the group cards of a folder (`KIND:group`), member by member.
///
/// The base is the card as it was after the last sync (`synced_group`). Only contacts in the folder count as members.
/// Those of another folder name the group in their own cards if that folder has no card of it.
struct GroupPlan {
  struct BookGroup {
    let id: Int64
    let uid: String
    let name: String
    /// The lines of its card, and the members in it that are not in the book; empty if it has none.
    let lines: [String]
    let waiting: [String]
    /// Its members in the folder.
    let members: Set<Int64>
  }

  /// A card of a group after the last sync, or as a sync is about to write it.
  struct SyncedGroup {
    let id: Int64
    let file: String
    var uid = ""
    /// Nil if the file is to be removed.
    var digest: Int64?
    /// What both have.
    var lines: [String] = []
  }

  /// What a sync does with one group and its card.
  struct Outcome {
    var group: BookGroup?
    var row: SyncedGroup?
    /// The name and the members of both after the sync; nil if the folder has no card of it then.
    var name: String?
    var members: Set<Int64> = []
    /// The references to nobody in the folder.
    var waiting: [String] = []
    /// The lines, the UID, the file and its checksum after the sync.
    var lines: [String] = []
    var uid = ""
    var fileName = ""
    var digest: Int64 = 0
    var file = SyncOutcome.FileChange.none
    /// The lines that both have once the file is written and the book is not: those of the book's group.
    var linesWithoutBook: [String] = []

    /// What the book stores before the file is written; nil if the file is not to be changed.
    var intent: SyncedGroup? {
      guard let id = group?.id ?? row?.id else { return nil }
      switch file {
      case .none: return nil
      case .write(_, let name, _):
        return SyncedGroup(id: id, file: name, uid: uid, digest: digest, lines: linesWithoutBook)
      case .remove(let name, _): return SyncedGroup(id: id, file: name)
      }
    }

    /// True if there is nothing to write, neither in the folder nor in the book.
    var isUnchanged: Bool {
      guard let group, let row, case .none = file else { return false }
      return name == group.name && members == group.members && waiting == group.waiting && lines == row.lines
        && lines == group.lines && digest == row.digest && fileName == row.file
    }
  }

  private enum Member: Hashable {
    case contact(Int64)
    /// A reference to nobody in the folder, in its canonical spelling.
    case unknown(String)
  }

  private struct Content: Equatable {
    var name: String
    var members: Set<Member>
  }

  private(set) var outcomes: [Outcome] = []
  private(set) var skipped: [SyncReport.SkippedFile] = []
  private let prefers: ThreeWayMerge.Side?
  private let groups: [BookGroup]
  /// The UIDs of the contacts of the folder, as it has them.
  private var uids: [Int64: String] = [:]
  /// The contacts of the folder by UID, in its canonical spelling.
  private var contacts: [String: Int64] = [:]
  private var names: Set<String>

  init(_ db: Database, _ folder: CardFolder, _ listing: FolderListing, prefers: ThreeWayMerge.Side?) throws {
    self.prefers = prefers
    names = listing.names
    let id = try Int64.fetchOne(db, sql: "SELECT id FROM sync_folder WHERE path = ?", arguments: [folder.path])
    for row in try Row.fetchAll(
      db,
      sql: """
        SELECT c.id, c.uid, s.uid FROM synced_card s JOIN contact c ON c.id = s.contact_id
        WHERE s.folder_id = ? AND s.is_leaving = 0 AND c.deleted_at IS NULL ORDER BY s.uid = c.uid
        """, arguments: [id])
    {
      uids[row.integer(0)] = row.text(2).isEmpty ? row.text(1) : row.text(2)
      for uid in [row.text(1), row.text(2)] where !uid.isEmpty {
        contacts[CardIdentity.canonical(uid)] = row.integer(0)
      }
    }
    let rows = try Row.fetchAll(
      db, sql: "SELECT group_id, file, uid, digest, lines FROM synced_group WHERE folder_id = ? AND is_intended = 0",
      arguments: [id]
    ).map { row in
      SyncedGroup(
        id: row.integer(0), file: row.text(1), uid: row.text(2), digest: row[3], lines: StoredLines.lines(row.text(4)))
    }
    groups = try Self.groups(db, members: Set(uids.keys))
    let placed = try Set(Int64.fetchAll(db, sql: "SELECT group_id FROM synced_group WHERE is_intended = 0"))
    compare(rows, listing, placed: placed)
  }

  private static func groups(_ db: Database, members known: Set<Int64>) throws -> [BookGroup] {
    let members = try Row.fetchAll(db, sql: "SELECT group_id, contact_id FROM group_member")
      .reduce(into: [Int64: Set<Int64>]()) { members, row in
        if known.contains(row.integer(1)) { members[row.integer(0), default: []].insert(row.integer(1)) }
      }
    return try Row.fetchAll(
      db,
      sql: """
        SELECT g.id, g.uid, g.name, coalesce(c.lines, '[]'), coalesce(c.waiting, '[]')
        FROM contact_group g LEFT JOIN group_card c ON c.group_id = g.id ORDER BY g.name
        """
    ).map { row in
      BookGroup(
        id: row.integer(0), uid: row.text(1), name: row.text(2), lines: StoredLines.lines(row.text(3)),
        waiting: StoredLines.lines(row.text(4)), members: members[row.integer(0)] ?? [])
    }
  }

  // MARK: - Pairing

  private mutating func compare(_ rows: [SyncedGroup], _ listing: FolderListing, placed: Set<Int64>) {
    var cards = listing.groups
    var paired: Set<Int64> = []
    let frozen = Set(listing.skipped.map(\.file))
    for row in rows where !frozen.contains(row.file) {
      let index =
        cards.firstIndex { CardIdentity.isSame($0.card.uid, row.uid) }
        ?? cards.firstIndex { $0.file == row.file && ($0.card.uid.isEmpty || row.uid.isEmpty) }
      let card = index.map { cards.remove(at: $0) }
      let group = groups.first { $0.id == row.id } ?? groups.first { CardIdentity.isSame($0.uid, row.uid) }
      if let group { paired.insert(group.id) }
      add(group, row, card)
    }
    for card in cards {
      let group =
        groups.first { CardIdentity.isSame($0.uid, card.card.uid) }
        ?? groups.first { $0.name == card.card.name }
      if let group, !paired.insert(group.id).inserted {
        skipped.append(SyncReport.SkippedFile(file: card.file, reason: .duplicate))
      } else {
        add(group, nil, card)
      }
    }
    // The card of an imported group goes to the folder that has members of it.
    for group in groups where !group.lines.isEmpty && !placed.contains(group.id) && !paired.contains(group.id) {
      let hasMember = content(group).members.contains { if case .contact = $0 { true } else { false } }
      if hasMember, !Self.uid(of: group.lines).isEmpty { add(group, nil, nil) }
    }
  }

  // MARK: - Merging

  private mutating func add(_ group: BookGroup?, _ row: SyncedGroup?, _ card: FolderListing.Group?) {
    var outcome = Outcome(group: group, row: row)
    // A card that was imported, or synced by an earlier version, is the base too.
    let imported = group.map(\.lines) ?? []
    let isSame = card.map { CardIdentity.canonical($0.card.uid) } == CardIdentity.canonical(Self.uid(of: imported))
    let lines = row?.lines ?? (isSame ? imported : [])
    let base = lines.isEmpty ? nil : content(of: lines)
    let mine = group.map(content)
    let theirs = card.map { content(of: $0.card.lines) }
    switch (mine, theirs) {
    case (let mine?, let theirs?):
      let name = Self.name(base: base?.name, mine: mine.name, theirs: theirs.name, prefers: prefers)
      let members = Self.members(base: base?.members, mine: mine.members, theirs: theirs.members)
      finish(&outcome, Content(name: isFree(name, for: group) ? name : mine.name, members: members), card)
    case (let mine?, nil) where row == nil || mine != base: finish(&outcome, mine, nil)
    case (nil, let theirs?) where row == nil || theirs != base: finish(&outcome, theirs, card)
    case (nil, _?):
      if let card { outcome.file = .remove(name: card.file, known: card.digest) }
    case (_, nil): break
    }
    if !outcome.isUnchanged { outcomes.append(outcome) }
  }

  private mutating func finish(_ outcome: inout Outcome, _ result: Content, _ card: FolderListing.Group?) {
    let group = outcome.group
    outcome.name = result.name
    outcome.members = Set(
      result.members.compactMap { if case .contact(let id) = $0 { id } else { nil } })
    let lines = card?.card.lines ?? outcome.row?.lines ?? group?.lines ?? []
    var references: [String] = []
    for reference in Self.references(in: lines) + (group?.waiting ?? []) {
      let member = self.member(reference)
      if case .unknown = member, result.members.contains(member), !references.contains(reference) {
        references.append(reference)
      }
    }
    outcome.waiting = references
    outcome.uid = Self.uid(of: lines)
    if let card, content(of: card.card.lines) == result {
      (outcome.lines, outcome.fileName, outcome.digest) = (lines, card.file, card.digest)
      return
    }
    let new = self.card(result, group, lines, references)
    let bytes = VCardWriter(version: new.version).bytes(of: new.escapingCommas())
    let name = card?.file ?? CardFileName.make(forUID: outcome.uid, taken: names)
    names.insert(name.lowercased())
    outcome.lines = Self.lines(of: new)
    (outcome.fileName, outcome.digest) = (name, CardFolder.digest(of: bytes))
    outcome.file = .write(bytes, name: name, replacing: card?.digest)
    if let group { outcome.linesWithoutBook = Self.lines(of: self.card(content(group), group, lines, group.waiting)) }
  }

  /// Returns a card with these lines, the name and the members.
  /// - Parameter waiting: the references to nobody in the folder.
  private func card(_ content: Content, _ group: BookGroup?, _ lines: [String], _ waiting: [String]) -> Card {
    let inLines = Set(Self.references(in: lines))
    let members = content.members.compactMap { if case .contact(let id) = $0 { id } else { nil } }
    return StoredGroupCard(
      group: group?.id ?? 0, name: content.name, lines: lines, waiting: waiting,
      members: members.sorted().compactMap { uids[$0] } + waiting.filter { !inLines.contains($0) }
    ).card()
  }

  /// Merges the members of two versions: additions and removals of both sides count. Without a base, nobody is removed.
  static func members<Key>(base: Set<Key>?, mine: Set<Key>, theirs: Set<Key>) -> Set<Key> {
    guard let base else { return mine.union(theirs) }
    return base.intersection(mine).intersection(theirs).union(mine.subtracting(base)).union(theirs.subtracting(base))
  }

  /// Merges the names of two versions; if both changed it, mine wins unless theirs is preferred.
  static func name(base: String?, mine: String, theirs: String, prefers: ThreeWayMerge.Side?) -> String {
    mine == base || (theirs != base && base != nil && prefers == .theirs) ? theirs : mine
  }

  /// Merges two versions of a group's card.
  static func merged(base: GroupCard?, mine: GroupCard, theirs: GroupCard, prefers: ThreeWayMerge.Side?) -> [UInt8] {
    func key(_ reference: String) -> String {
      CardIdentity.spellings(ofMember: reference).last.map(CardIdentity.canonical) ?? reference
    }
    let left = Self.members(
      base: base.map { Set($0.members.map(key)) }, mine: Set(mine.members.map(key)),
      theirs: Set(theirs.members.map(key)))
    let known = Set(theirs.members)
    var all = theirs.members
    for member in mine.members where !all.contains(where: { key($0) == key(member) }) { all.append(member) }
    all.removeAll { !left.contains(key($0)) }
    let card = StoredGroupCard(
      group: 0, name: name(base: base?.name, mine: mine.name, theirs: theirs.name, prefers: prefers),
      lines: theirs.lines, waiting: all, members: all.filter { !known.contains($0) }
    ).card()
    return VCardWriter(version: card.version).bytes(of: card.escapingCommas())
  }

  private func isFree(_ name: String, for group: BookGroup?) -> Bool {
    GroupEdit.issue(ofName: name) == nil && !groups.contains { $0.name == name && $0.id != group?.id }
  }

  // MARK: - Parts of cards

  private func content(_ group: BookGroup) -> Content {
    Content(name: group.name, members: Set(group.members.map(Member.contact) + group.waiting.map(member)))
  }

  private func content(of lines: [String]) -> Content {
    Content(name: GroupCard(lines: lines)?.name ?? "", members: Set(Self.references(in: lines).map(member)))
  }

  private func member(_ reference: String) -> Member {
    let spellings = CardIdentity.spellings(ofMember: reference).map(CardIdentity.canonical)
    if let id = spellings.lazy.compactMap({ contacts[$0] }).first { return .contact(id) }
    return .unknown(spellings.last ?? reference)
  }

  private static func lines(of card: Card) -> [String] {
    KeptLines.texts(card.lines.map(\.verbatim), version: card.version)
  }

  private static func references(in lines: [String]) -> [String] { GroupCard(lines: lines)?.members ?? [] }

  private static func uid(of lines: [String]) -> String { GroupCard(lines: lines)?.uid ?? "" }
}

extension GroupCard {
  /// Reads the lines that a group keeps of its card; nil if they are no group's.
  init?(lines: [String]) {
    guard !lines.isEmpty, let group = IncomingCard(ContactCardReader().read(KeptLines.card(lines))).group else {
      return nil
    }
    self = group
  }
}
