import GRDB

/// One FROM of a statement: the rows of an entity, and the objects that to-one paths from there lead to.
///
/// A to-one is a LEFT JOIN by primary key: it neither adds nor removes rows, and a dangling reference reads as NULL.
final class SQLScope {
  /// The alias of the rows.
  let alias: String
  let entity: Entity
  private(set) var from: String
  private var aliases: [[Relationship]: String] = [:]
  private let names: AliasNames
  private let tables: StoreTables

  init(alias: String, entity: Entity, from: String, names: AliasNames, tables: StoreTables) {
    self.tables = tables
    self.alias = alias
    self.entity = entity
    self.from = from
    self.names = names
  }

  /// Returns the alias of the object that to-one relationships lead to, after joining its table if necessary.
  func alias(after relationships: [Relationship]) -> String {
    guard let last = relationships.last, case .column(let column) = tables.storage(last) else { return alias }
    if let known = aliases[relationships] { return known }
    let previous = alias(after: Array(relationships.dropLast()))
    let joined = names.next()
    names.noteJoins(aliases.count + 1)
    let other = last.destination
    let conditions =
      ["\(tables.id(other, of: joined)) = \(previous).\(column.sqlIdentifier)"]
      + [tables.existence(other, of: joined)].compactMap(\.self)
    from += " LEFT JOIN \(tables.source(other, as: joined)) ON \(conditions.and)"
    aliases[relationships] = joined
    return joined
  }
}

/// The aliases of the tables of a statement: t, t1, t2, …
final class AliasNames {
  /// Whether a FROM may exceed SQLite's limit of 64 tables in a join.
  private(set) var hasTooManyJoins = false
  private var count = 0

  func noteJoins(_ joins: Int) {
    // This leaves room for the tables on the path to an element, which are joined too.
    if joins > 40 { hasTooManyJoins = true }
  }

  func next() -> String {
    defer { count += 1 }
    return count == 0 ? "t" : "t\(count)"
  }
}
