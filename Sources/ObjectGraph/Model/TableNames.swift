/// Names of tables and columns for the entities of a model.
///
/// They do not depend on the order of the descriptions, so a reordered model still fits its store. SQLite does not
/// distinguish `Name` from `name`: of names that are equal when case is ignored, all but the first get a number.
struct TableNames {
  private let descriptions: [EntityDescription]
  private var tables: [Int: String] = [:]
  private var columns: [Int: [String: String]] = [:]

  init(_ descriptions: [EntityDescription]) {
    self.descriptions = descriptions
    let roots = descriptions.indices.filter { descriptions[$0].parent == nil }
    var usedTables = UniqueNames(reserved: [SQLiteMetadata.table])
    for root in roots.sorted(by: { descriptions[$0].name < descriptions[$1].name }) {
      let family =
        [root]
        + descriptions.indices.filter { descriptions[$0].parent == descriptions[root].name }
        .sorted { descriptions[$0].name < descriptions[$1].name }
      let table = usedTables.makeUnique(descriptions[root].name)
      var usedColumns = UniqueNames(reserved: [Entity.idColumn, Entity.typeColumn, Entity.versionColumn])
      for member in family {
        tables[member] = table
        let names = descriptions[member].attributes.map(\.name) + descriptions[member].relationships.map(\.name)
        for name in names.sorted() { columns[member, default: [:]][name] = usedColumns.makeUnique(name) }
      }
    }
  }

  func table(_ entity: Int) -> String { tables[entity] ?? descriptions[entity].name }

  func column(_ owner: Int, _ name: String) -> String { columns[owner]?[name] ?? name }

  func storage(
    owner: Int, _ relationship: RelationshipDescription, destination: Int
  ) -> RelationshipStorage {
    guard relationship.isToMany else { return .column(column(owner, relationship.name)) }
    guard let inverse = descriptions[destination].relationships.first(where: { $0.name == relationship.inverse }),
      inverse.isToMany
    else {
      let column = column(destination, relationship.inverse)
      return .inverseColumn(column, position: relationship.isOrdered ? "\(column).position" : nil)
    }
    // One of the two ends gives the table its name.
    let here = "\(table(owner)).\(column(owner, relationship.name))"
    let there = "\(table(destination)).\(column(destination, inverse.name))"
    let leads = here <= there
    return .join(
      JoinTable(
        table: leads ? here : there, ownColumn: leads ? "source" : "target", otherColumn: leads ? "target" : "source",
        position: relationship.isOrdered ? (leads ? "position" : "inversePosition") : nil))
  }
}

/// Hands out names that differ in more than case.
private struct UniqueNames {
  private var used: Set<String>

  init(reserved: [String]) { used = Set(reserved.map { $0.lowercased() }) }

  mutating func makeUnique(_ name: String) -> String {
    // SQLite reserves names that begin with this.
    let allowed = name.lowercased().hasPrefix("sqlite_") ? "_\(name)" : name
    var candidate = allowed
    var number = 2
    while !used.insert(candidate.lowercased()).inserted {
      candidate = "\(allowed)#\(number)"
      number += 1
    }
    return candidate
  }
}

extension String {
  /// The quoted name of a table or column. GRDB's own quoting does not escape quotation marks in the name.
  var sqlIdentifier: String {
    // The replacement is slow and rarely needed.
    let name = utf8.contains(UInt8(ascii: "\"")) ? replacing("\"", with: "\"\"") : self
    return "\"" + name + "\""
  }
}
