import GRDB

// The values of conditions, and the elements of to-many paths.
extension ConditionCompiler {
  func sql(_ operand: Operand, _ options: TextOptions) throws -> String {
    if options.isEmpty { return try sql(operand) }
    if case .constant(let value) = operand { return try sql(.constant(value.folded(options))) }
    return "\(PredicateFunctions.fold)(\(try sql(operand)), \(options.rawValue))"
  }

  func sql(_ operand: Operand, _ options: TextOptions, beside other: Operand) throws -> String {
    if case .constant(.object(let id)) = operand { return bind(databaseValue(.object(id), beside: other)) }
    return try sql(operand, options)
  }

  func sql(_ operand: Operand) throws -> String {
    switch operand {
    case .constant(.null): return "NULL"
    case .constant(let value): return bind(value.databaseValue)
    case .path(let path): return sql(path)
    case .count(let source, where: let condition):
      if case nil = condition, let count = pairCount(source) { return count }
      return try elements(of: source) {
        try condition.map(sql)
      } render: { from, condition in
        "(SELECT COUNT(*) FROM \(from) WHERE \(condition))"
      }
    case .function(let function, let operands):
      return try nested { function.sql(try operands.map { try sql($0) }) }
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
    if case .attribute(let attribute) = path.end { return tables.value(attribute, of: alias) }
    return tables.id(entity(of: path), of: alias)
  }

  /// Returns an SQL expression for the name of the entity of the object that a path ends at.
  func type(of path: ValuePath) -> String { tables.type(entity(of: path), of: alias(of: path)) }

  private func entity(of path: ValuePath) -> Entity {
    path.relationships.last?.destination ?? scope(path.root).entity
  }

  /// Returns the alias of the object that a path ends at, or whose attribute it ends at.
  func alias(of path: ValuePath) -> String {
    scope(path.root).alias(after: path.relationships)
  }

  private func scope(_ root: PathRoot) -> SQLScope {
    if case .element(let level) = root, let scope = elements[level] { scope } else { self.root }
  }

  // MARK: Objects

  /// Returns the root entity of the object that a path ends at; nil for other operands. Objects of two families may
  /// have the same number.
  func family(of operand: Operand) -> Entity? {
    guard case .path(let path) = operand, case .object = path.end else { return nil }
    return entity(of: path).root
  }

  /// Returns the value to bind, which for an object is its number. For an object of another family or store, or one
  /// that was never saved, it is a number that no object has.
  func databaseValue(_ value: Value, beside other: Operand) -> DatabaseValue {
    guard case .object(let id) = value else { return value.databaseValue }
    guard let family = family(of: other), id.store == store,
      family.family.contains(where: { $0.name == id.entity }), let number = id.number
    else { return Int64(-1).databaseValue }
    return number.databaseValue
  }

  // MARK: Elements

  /// Renders the FROM and WHERE of the elements of a source. The condition is compiled before the FROM, because it may
  /// add joins.
  func elements(
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
    let scope = SQLScope(alias: previous, entity: last, from: from, names: names, tables: tables)
    elements[source.level] = scope
    depth += 2
    defer { depth -= 2 }
    let filter = try condition()
    return render(scope.from, filter.map { "\(link) AND \($0)" } ?? link)
  }

  /// Returns SQL that counts the elements of a many-to-many by its pairs alone; nil for another source, or if the rows
  /// at the other end have to be read.
  private func pairCount(_ source: ElementSource) -> String? {
    let leading = Array(source.relationships.dropLast())
    guard let last = source.relationships.last, !leading.contains(where: \.isToMany),
      case .join(let join) = tables.storage(last)
    else { return nil }
    let pairs = names.next()
    guard let existence = tables.unmarked("\(pairs).\(join.otherColumn.sqlIdentifier)", of: last.destination) else {
      return nil
    }
    let owner = tables.id(last.entity, of: scope(source.root).alias(after: leading))
    let own = "\(pairs).\(join.ownColumn.sqlIdentifier) = \(owner)"
    return "(SELECT COUNT(*) FROM \(join.table.sqlIdentifier) AS \(pairs) WHERE \([own, existence].and))"
  }

  /// Returns the table of a relationship's destination and the condition that joins it to the previous object.
  private func step(_ relationship: Relationship, from previous: String) -> (tables: String, alias: String, on: String)
  {
    let alias = names.next()
    let destination = relationship.destination
    let table = tables.source(destination, as: alias)
    let (id, owner) = (tables.id(destination, of: alias), tables.id(relationship.entity, of: previous))
    let existence = [tables.existence(destination, of: alias, by: relationship)].compactMap(\.self)
    switch tables.storage(relationship) {
    case .column(let column):
      return (table, alias, (["\(id) = \(previous).\(column.sqlIdentifier)"] + existence).and)
    case .inverseColumn(let column, position: _):
      return (table, alias, (["\(alias).\(column.sqlIdentifier) = \(owner)"] + existence).and)
    case .join(let join):
      let pairs = names.next()
      let other = "\(id) = \(pairs).\(join.otherColumn.sqlIdentifier)"
      let own = "\(pairs).\(join.ownColumn.sqlIdentifier) = \(owner)"
      return ("\(join.table.sqlIdentifier) AS \(pairs) JOIN \(table)", alias, ([other, own] + existence).and)
    }
  }
}

extension PredicateFunction {
  fileprivate func sql(_ terms: [String]) -> String {
    switch self {
    case .add, .subtract, .multiply, .divide: "(\(terms.joined(separator: " \(rawValue) ")))"
    case .lowercase, .uppercase, .minimum, .maximum, .sum:
      "\(PredicateFunctions.name(of: self))(\(terms.joined(separator: ", ")))"
    }
  }
}

extension AggregateFunction {
  /// Returns SQL that applies the function to an expression.
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
