import Foundation
import GRDB

/// Compiles conditions to SQL expressions. All values are bound arguments, in the order of the SQL.
final class ConditionCompiler {
  let root: SQLScope
  private(set) var arguments: [DatabaseValue] = []
  private var boundCount = 0
  /// The deepest nesting of parentheses so far.
  private var maximumDepth = 0
  /// Deeper than this, SQLite's parser may run out of its own stack (100 entries in many builds).
  private static let depthLimit = 24
  /// SQLite allows 32,766 arguments by default; this leaves room for LIMIT and OFFSET.
  private static let argumentLimit = 32_000

  /// Whether SQLite cannot evaluate the conditions, because they exceed its limits or a string cannot be bound.
  var isBeyondSQL: Bool {
    hasUnboundText || names.hasTooManyJoins || maximumDepth > Self.depthLimit || boundCount > Self.argumentLimit
  }

  /// The scopes of elements, by level.
  var elements: [Int: SQLScope] = [:]
  var depth = 0
  let names = AliasNames()
  let store: UUID
  let tables: StoreTables

  init(_ entity: Entity, store: UUID, tables: StoreTables) {
    let alias = names.next()
    root = SQLScope(
      alias: alias, entity: entity, from: tables.source(entity, as: alias), names: names, tables: tables)
    self.tables = tables
    self.store = store
  }

  /// Whether a string cannot be bound, because GRDB truncates strings at U+0000.
  private var hasUnboundText = false

  func bind(_ value: DatabaseValue) -> String {
    if case .string(let text) = value.storage, text.utf8.contains(0) { hasUnboundText = true }
    arguments.append(value)
    boundCount += 1
    return "?"
  }

  /// Collects the arguments of the body separately, for SQL that is placed before the SQL compiled so far.
  func apart<Result>(_ body: () throws -> Result) rethrows -> (result: Result, arguments: [DatabaseValue]) {
    let others = arguments
    arguments = []
    defer { arguments = others }
    return (try body(), arguments)
  }

  // MARK: Conditions

  func nested(_ body: () throws -> String) rethrows -> String {
    depth += 1
    maximumDepth = max(maximumDepth, depth)
    defer { depth -= 1 }
    return try body()
  }

  func sql(_ condition: Condition) throws -> String { try nested { try flat(condition) } }

  private func flat(_ condition: Condition) throws -> String {
    switch condition {
    case .constant(let truth): return truth.map { $0 ? "1" : "0" } ?? "NULL"
    case .not(let condition): return "(NOT \(try sql(condition)))"
    case .and(let conditions): return try join(conditions, "AND", empty: "1")
    case .or(let conditions): return try join(conditions, "OR", empty: "0")
    case .isNil(let operand): return "(\(try sql(operand)) IS NULL)"
    case .equal(let left, let right, let options): return try equal(left, right, options)
    case .ordered(let left, let test, let right, let options):
      return "(\(try sql(left, options)) \(test.sign) \(try sql(right, options)))"
    case .isIn(let operand, let values, let options): return try isIn(operand, values, options)
    case .text(let left, let test, let right, let options): return try text(left, test, right, options)
    case .quantified(let quantifier, let source, let condition):
      return try elements(of: source) {
        let test = try sql(condition)
        return quantifier == .all ? "\(test) IS NOT TRUE" : test
      } render: { from, condition in
        "(\(quantifier == .any ? "" : "NOT ")EXISTS (SELECT 1 FROM \(from) WHERE \(condition)))"
      }
    }
  }

  /// Joins conditions in chunks, because SQLite counts every AND and OR of a chain as a level of depth.
  private func join(_ conditions: [Condition], _ word: String, empty: String) throws -> String {
    if conditions.isEmpty { return empty }
    if conditions.count <= 64 { return "(\(try conditions.map(sql).joined(separator: " \(word) ")))" }
    let size = (conditions.count + 63) / 64
    let pieces = try stride(from: 0, to: conditions.count, by: size).map { start in
      try join(Array(conditions[start..<min(start + size, conditions.count)]), word, empty: empty)
    }
    return "(\(pieces.joined(separator: " \(word) ")))"
  }

  private func equal(_ left: Operand, _ right: Operand, _ options: TextOptions) throws -> String {
    if let one = family(of: left), let other = family(of: right), one != other {
      let (first, second) = (try sql(left), try sql(right))
      return "(CASE WHEN \(first) IS NULL OR \(second) IS NULL THEN NULL ELSE 0 END)"
    }
    if case .constant(let value) = left, case .constant(let other) = right {
      return try sql(.constant(value.folded(options).isEqual(to: other.folded(options))))
    }
    let sides = (try sql(left, options, beside: right), try sql(right, options, beside: left))
    return "(\(sides.0) = \(sides.1))"
  }

  private func isIn(_ operand: Operand, _ values: [Value], _ options: TextOptions) throws -> String {
    if values.isEmpty { return "0" }
    if case .constant(let value) = operand {
      let tests = values.map { Condition.constant(value.folded(options).isEqual(to: $0.folded(options))) }
      return try sql(.or(tests))
    }
    let left = try sql(operand, options)
    let list = values.map { databaseValue($0.folded(options), beside: operand) }
    let present = list.filter { !$0.isNull }
    let unknown = present.count < list.count ? ["NULL"] : []
    if present.count > Self.longList, let json = Self.json(present) {
      let found = "\(left) IN (SELECT value FROM json_each(\(bind(json))))"
      return unknown.isEmpty ? "(\(found))" : "(\(found) OR NULL)"
    }
    return "(\(left) IN (\((present.map(bind) + unknown).joined(separator: ", "))))"
  }

  private static let longList = 500

  /// Returns a list of integers or strings as one argument; nil for other lists. SQLite's JSON is less exact for
  /// fractions and cannot hold blobs.
  private static func json(_ values: [DatabaseValue]) -> DatabaseValue? {
    let integers = values.compactMap { value -> Int64? in
      if case .int64(let integer) = value.storage { integer } else { nil }
    }
    if integers.count == values.count { return "[\(integers.map(String.init).joined(separator: ","))]".databaseValue }
    let texts = values.compactMap { value -> String? in if case .string(let text) = value.storage { text } else { nil }
    }
    guard texts.count == values.count, let data = try? JSONEncoder().encode(texts) else { return nil }
    return String(decoding: data, as: UTF8.self).databaseValue
  }

  private func text(
    _ left: Operand, _ test: Condition.TextTest, _ right: Operand, _ options: TextOptions
  ) throws -> String {
    if test == .begins, options.isEmpty, case .constant(.string(let prefix)) = right, case .path = left {
      // This is a range in scalar order, so it can use an index.
      let first = "\(try sql(left)) >= \(bind(prefix.databaseValue))"
      guard let end = TextOrder.end(ofPrefix: prefix) else { return "(\(first))" }
      return "(\(first) AND \(try sql(left)) < \(bind(end.databaseValue)))"
    }
    if test == .matches {
      return "\(PredicateFunctions.matches)(\(try sql(left)), \(try sql(right)), \(options.rawValue))"
    }
    let (whole, part) = (try sql(left, options), try sql(right, options))
    switch test {
    case .begins: return "(instr(\(whole), \(part)) = 1)"
    case .contains: return "(instr(\(whole), \(part)) > 0)"
    case .ends: return "\(PredicateFunctions.ends)(\(whole), \(part))"
    case .like, .matches: return "\(PredicateFunctions.like)(\(whole), \(part))"
    }
  }
}

extension Condition.OrderTest {
  fileprivate var sign: String {
    switch self {
    case .less: "<"
    case .lessOrEqual: "<="
    case .greater: ">"
    case .greaterOrEqual: ">="
    }
  }
}

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
