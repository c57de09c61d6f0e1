import Foundation
import GRDB

/// Compiles conditions to SQL expressions with bound arguments, which are in the order of the text: no value is ever in it.
final class ConditionCompiler {
  let root: SQLScope
  private(set) var arguments: [DatabaseValue] = []
  /// Deepest nesting of parentheses.
  private var maximumDepth = 0
  /// Deeper than this, SQLite's parser may run out of its own stack (100 entries in many builds).
  private static let depthLimit = 24
  /// SQLite's default bound of arguments, less some for limits.
  private static let argumentLimit = 32_000

  /// Whether this is more than SQLite takes.
  var isBeyondSQL: Bool {
    hasUnboundText || names.hasTooManyJoins || maximumDepth > Self.depthLimit || arguments.count > Self.argumentLimit
  }

  private var elements: [Int: SQLScope] = [:]
  private var depth = 0
  private let names = AliasNames()
  private let store: UUID
  private let resolve: (ObjectID) -> ObjectID

  /// - Parameter resolve: The permanent id for a temporary one, where there is one.
  init(_ entity: Entity, store: UUID, resolve: @escaping (ObjectID) -> ObjectID) {
    let alias = names.next()
    root = SQLScope(alias: alias, entity: entity, from: "\(entity.sqlTable) AS \(alias)", names: names)
    self.store = store
    self.resolve = resolve
  }

  /// Whether a text cannot be bound, for GRDB ends texts at U+0000.
  private var hasUnboundText = false

  func bind(_ value: DatabaseValue) -> String {
    if case .string(let text) = value.storage, text.utf8.contains(0) { hasUnboundText = true }
    arguments.append(value)
    return "?"
  }

  // MARK: Conditions

  func sql(_ condition: Condition) throws -> String {
    depth += 1
    maximumDepth = max(maximumDepth, depth)
    defer { depth -= 1 }
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

  /// In pieces, for SQLite counts every AND and OR of a chain as a level of depth.
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

  /// A list of integers or of texts as one argument. SQLite reads fractions less exactly, and blobs not at all.
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
      // A range of the order of scalars, which an index can answer.
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

  // MARK: Operands

  func sql(_ operand: Operand, _ options: TextOptions) throws -> String {
    if options.isEmpty { return try sql(operand) }
    if case .constant(let value) = operand { return try sql(.constant(value.folded(options))) }
    return "\(PredicateFunctions.fold)(\(try sql(operand)), \(options.rawValue))"
  }

  private func sql(_ operand: Operand, _ options: TextOptions, beside other: Operand) throws -> String {
    if case .constant(.object(let id)) = operand { return bind(databaseValue(.object(id), beside: other)) }
    return try sql(operand, options)
  }

  func sql(_ operand: Operand) throws -> String {
    switch operand {
    case .constant(.null): return "NULL"
    case .constant(let value): return bind(value.databaseValue)
    case .path(let path): return sql(path)
    case .count(let source, where: let condition):
      return try elements(of: source) {
        try condition.map(sql)
      } render: { from, condition in
        "(SELECT COUNT(*) FROM \(from) WHERE \(condition))"
      }
    case .aggregate(let function, let source, let path):
      var value = ""
      return try elements(of: source) {
        value = sql(path)
        return nil
      } render: { from, condition in
        "(SELECT \(function.sql(value)) FROM \(from) WHERE \(condition))"
      }
    }
  }

  func sql(_ path: ValuePath) -> String {
    let alias = alias(of: path)
    if case .attribute(let attribute) = path.end { return "\(alias).\(attribute.column.quotedDatabaseIdentifier)" }
    return "\(alias).\(Entity.idColumn)"
  }

  /// The alias of the object that a path ends at, or whose attribute it ends at.
  func alias(of path: ValuePath) -> String {
    scope(path.root).alias(after: path.relationships)
  }

  private func scope(_ root: PathRoot) -> SQLScope {
    if case .element(let level) = root, let scope = elements[level] { scope } else { self.root }
  }

  // MARK: Objects

  /// The root of the entities of an object; objects of two families have numbers of two sequences.
  private func family(of operand: Operand) -> Entity? {
    guard case .path(let path) = operand, case .object = path.end else { return nil }
    return (path.relationships.last?.destination ?? scope(path.root).entity).root
  }

  /// The value, or of an object the number. What is of another family or store, or was never saved, gets a number that no
  /// object has.
  private func databaseValue(_ value: Value, beside other: Operand) -> DatabaseValue {
    guard case .object(let id) = value else { return value.databaseValue }
    let current = resolve(id)
    guard let family = family(of: other), current.store == store,
      family.family.contains(where: { $0.name == current.entity }), let number = current.number
    else { return Int64(-1).databaseValue }
    return number.databaseValue
  }

  // MARK: Elements

  /// The FROM and WHERE of the elements of a source. The condition is compiled before the FROM is rendered, as it may join.
  private func elements(
    of source: ElementSource, where condition: () throws -> String?, render: (String, String) -> String
  ) throws -> String {
    let leading = Array(source.relationships.prefix { !$0.isToMany })
    var previous = scope(source.root).alias(after: leading)
    var from = ""
    var link = ""
    var last = scope(source.root).entity
    for relationship in source.relationships.dropFirst(leading.count) {
      let (tables, alias, condition) = step(relationship, from: previous)
      if from.isEmpty {
        from = tables
        link = condition
      } else {
        from += " JOIN \(tables) ON \(condition)"
      }
      previous = alias
      last = relationship.destination
    }
    let scope = SQLScope(alias: previous, entity: last, from: from, names: names)
    elements[source.level] = scope
    depth += 2
    defer { depth -= 2 }
    let filter = try condition()
    return render(scope.from, filter.map { "\(link) AND \($0)" } ?? link)
  }

  /// The table of a relationship's destination and how it is joined to the object before.
  private func step(_ relationship: Relationship, from previous: String) -> (tables: String, alias: String, on: String)
  {
    let alias = names.next()
    let table = "\(relationship.destination.sqlTable) AS \(alias)"
    switch relationship.storage {
    case .column(let column):
      return (table, alias, "\(alias).\(Entity.idColumn) = \(previous).\(column.quotedDatabaseIdentifier)")
    case .inverseColumn(let column, position: _):
      return (table, alias, "\(alias).\(column.quotedDatabaseIdentifier) = \(previous).\(Entity.idColumn)")
    case .join(let join):
      let pairs = names.next()
      let other = "\(alias).\(Entity.idColumn) = \(pairs).\(join.otherColumn.quotedDatabaseIdentifier)"
      let own = "\(pairs).\(join.ownColumn.quotedDatabaseIdentifier) = \(previous).\(Entity.idColumn)"
      return ("\(join.table.quotedDatabaseIdentifier) AS \(pairs) JOIN \(table)", alias, "\(other) AND \(own)")
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

extension AggregateFunction {
  /// The function of an expression.
  func sql(_ expression: String) -> String {
    switch self {
    case .count: "COUNT(\(expression))"
    case .sum: "\(PredicateFunctions.sum)(\(expression))"
    case .average: "\(PredicateFunctions.average)(\(expression))"
    case .minimum: "MIN(\(expression))"
    case .maximum: "MAX(\(expression))"
    }
  }
}
