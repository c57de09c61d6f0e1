import GRDB

/// The groups of a book by rank: their position in the order in which a contact has them.
struct GroupRanks {
  /// The ids by rank.
  let ids: [Int64]
  let names: [String]
  /// The bytes of the names as they are stored.
  let bytes: [[UInt8]]
  /// True if no two names in the book are equal as strings, none is empty, and each is stored exactly as it is read. A
  /// name then identifies one group.
  let areUnambiguous: Bool
  private let byID: [Int64: Int]
  private let byName: [String: Int]

  init(_ db: Database) throws {
    let rows = try StatementRows(db, db.cachedStatement(sql: "SELECT id, name FROM contact_group ORDER BY name"))
    defer { rows.stop() }
    var groups: [(id: Int64, name: String, bytes: [UInt8])] = []
    while let row = try rows.next() { groups.append((row.integer(0), row.text(1), row.withText(1) { Array($0) })) }
    groups.sort { $0.name < $1.name }
    ids = groups.map(\.id)
    names = groups.map(\.name)
    bytes = groups.map(\.bytes)
    byID = Dictionary(ids.enumerated().map { ($1, $0) }, uniquingKeysWith: { first, _ in first })
    byName = Dictionary(names.enumerated().map { ($1, $0) }, uniquingKeysWith: { first, _ in first })
    areUnambiguous =
      byName.count == groups.count && !groups.contains { $0.bytes.isEmpty || !$0.name.utf8.elementsEqual($0.bytes) }
  }

  /// Returns the rank of a group; nil if there is none with this id.
  func rank(of id: Int64) -> Int? { byID[id] }

  /// Returns whether there is a group whose name is equal to this one, perhaps in different bytes.
  func contains(_ name: String) -> Bool { byName[name] != nil }

  /// Returns the rank of a group; nil if there is none with exactly this name.
  func rank(of name: String) -> Int? {
    // Equal texts may have different bytes.
    byName[name].flatMap { name.utf8.elementsEqual(bytes[$0]) ? $0 : nil }
  }

  /// Returns the ranks of groups by their names; nil unless the names are in the order in which a contact has them, and
  /// all groups exist.
  func ranks(of names: [String]) -> [Int]? {
    var ranks: [Int] = []
    for name in names {
      guard let rank = rank(of: name), ranks.last.map({ $0 < rank }) ?? true else { return nil }
      ranks.append(rank)
    }
    return ranks
  }
}
