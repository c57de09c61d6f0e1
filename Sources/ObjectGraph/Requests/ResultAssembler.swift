import Foundation
import GRDB

/// Assembles the result from the objects that match the predicate, given in the order of first saves: groups, having,
/// distinct, sort, offset, limit.
struct ResultAssembler {
  private let request: CheckedRequest
  private let inputs: RequestInputs

  init(_ request: CheckedRequest, inputs: RequestInputs) {
    self.request = request
    self.inputs = inputs
  }

  func result(_ rows: [InputRow]) throws -> FetchResult {
    guard let shape = request.rows else {
      if request.request.result == .count { return .count(page(rows).count) }
      return .objects(page(sorted(rows, value)).map(\.object))
    }
    if !shape.isGrouped, !request.request.isDistinct {
      return .dictionaries(page(sorted(rows, value)).map { dictionary($0, shape) })
    }
    return .dictionaries(try finish(shape.isGrouped ? grouped(rows, shape) : rows.map { dictionary($0, shape) }, shape))
  }

  /// Applies the last steps to grouped or distinct rows: having, distinct, sort, offset, limit.
  func finish(_ rows: [[String: Value]], _ shape: CheckedRequest.Rows) throws -> [[String: Value]] {
    var rows = rows
    if let having = shape.having { rows = try rows.filter { try having.evaluate($0) == true } }
    if request.request.isDistinct { rows = distinct(rows, shape) }
    let names = Set(shape.columns.map(\.name))
    return page(sorted(rows, value)).map { row in row.filter { names.contains($0.key) } }
  }

  // MARK: Rows

  func dictionary(_ row: InputRow, _ shape: CheckedRequest.Rows) -> [String: Value] {
    var dictionary: [String: Value] = [:]
    for column in shape.columns {
      dictionary[column.name] = row.values[inputs.index(of: column)]
    }
    return dictionary
  }

  private func grouped(_ rows: [InputRow], _ shape: CheckedRequest.Rows) -> [[String: Value]] {
    var indexes: [[Value]: Int] = [:]
    var groups: [[InputRow]] = []
    for row in rows {
      let key = shape.groups.map { row.values[inputs.index(of: $0)] }
      let index = indexes[key] ?? groups.count
      if index == groups.count {
        indexes[key] = index
        groups.append([])
      }
      groups[index].append(row)
    }
    // Functions without groups give one row, even if there are no objects.
    if shape.groups.isEmpty, groups.isEmpty { groups = [[]] }
    return groups.map { row(of: $0, shape) }
  }

  private func row(of group: [InputRow], _ shape: CheckedRequest.Rows) -> [String: Value] {
    var row: [String: Value] = [:]
    for column in shape.groups + shape.columns {
      switch column.content {
      case .input, .members: row[column.name] = group.first?.values[inputs.index(of: column)] ?? .null
      case .count:
        let index = inputs.index(of: column)
        row[column.name] = .integer(Int64(group.count { $0.values[index] == .boolean(true) }))
      case .function(let function, let input):
        var accumulator = Accumulator(function)
        for member in group { accumulator.add(member.values[inputs.index(of: input)]) }
        // The sum of a double attribute is a double, even without values.
        let result = accumulator.result
        row[column.name] = column.type?.converted(result) ?? result
      }
    }
    return row
  }

  private func distinct(_ rows: [[String: Value]], _ shape: CheckedRequest.Rows) -> [[String: Value]] {
    var known: Set<[Value]> = []
    return rows.filter { row in known.insert(shape.columns.map { row[$0.name] ?? .null }).inserted }
  }

  // MARK: Order and page

  private func value(_ order: CheckedRequest.Order, _ row: InputRow) -> Value {
    guard case .input(let input) = order.source else { return .null }
    return row.values[inputs.index(of: input)].folded(order.fold)
  }

  private func value(_ order: CheckedRequest.Order, _ row: [String: Value]) -> Value {
    guard case .name(let name) = order.source else { return .null }
    return (row[name] ?? .null).folded(order.fold)
  }

  /// Sorts by the keys; equal rows keep their order.
  private func sorted<Row>(_ rows: [Row], _ value: (CheckedRequest.Order, Row) -> Value) -> [Row] {
    if request.order.isEmpty { return rows }
    let keyed = rows.enumerated().map { index, row in
      (index: index, row: row, keys: request.order.map { value($0, row) })
    }
    let sorted = keyed.sorted { left, right in
      for (index, order) in request.order.enumerated() {
        switch left.keys[index].sortOrder(to: right.keys[index]) {
        case .less: return order.isAscending
        case .greater: return !order.isAscending
        case .equal: break
        }
      }
      return left.index < right.index
    }
    return sorted.map(\.row)
  }

  func page<Row>(_ rows: [Row]) -> [Row] {
    let rest = rows.dropFirst(request.request.offset)
    return Array(request.request.limit > 0 ? rest.prefix(request.request.limit) : rest)
  }
}

extension Value {
  /// Returns the order for sorting, in which null comes first.
  fileprivate func sortOrder(to other: Value) -> ValueOrder {
    switch (isNull, other.isNull) {
    case (true, true): .equal
    case (true, false): .less
    case (false, true): .greater
    case (false, false): order(to: other) ?? .equal
    }
  }
}

/// The selected columns for the inputs of a request: two for an object (its number and entity), one for anything else.
struct InputCells {
  let columns: [String]
  private let types: [AttributeType?]

  init(_ inputs: RequestInputs, compiler: ConditionCompiler) throws {
    types = inputs.entries.map(\.type)
    columns = try inputs.entries.flatMap { entry in
      switch entry {
      case .value(let input):
        let value = compiler.sql(input.path)
        return input.type == nil ? [value, compiler.type(of: input.path)] : [value]
      case .memberCount(let source): return [try compiler.sql(.count(source, where: nil))]
      case .truth(let predicate): return [try compiler.sql(predicate.condition)]
      }
    }
  }

  func values(_ row: StatementCells, from start: Int, store: UUID) throws -> [Value] {
    var cells = RowCells(row, from: start, store: store)
    return try types.map { try cells.next($0) }
  }
}

/// The SQL of one column of grouped rows.
struct GroupCell {
  let name: String
  let sql: String
  /// The expression to group by.
  let key: String
  private let type: AttributeType?

  init(_ column: CheckedRequest.Rows.Column, compiler: ConditionCompiler) throws {
    name = column.name
    type = column.type
    switch column.content {
    case .input(let input):
      key = compiler.sql(input.path)
      sql = input.type == nil ? "\(key), \(compiler.type(of: input.path))" : key
    case .function(let function, let input):
      key = compiler.sql(input.path)
      sql = function.sql(key)
    case .count(let predicate):
      key = "COUNT(CASE WHEN \(try compiler.sql(predicate.condition)) THEN 1 END)"
      sql = key
    case .members(let source):
      key = try compiler.sql(.count(source, where: nil))
      sql = key
    }
  }

  func value(_ cells: inout RowCells) throws -> Value { try cells.next(type) }
}

/// Reads the cells of a row one after the other.
struct RowCells {
  private let row: StatementCells
  private let store: UUID
  private var index: Int

  init(_ row: StatementCells, from index: Int, store: UUID) {
    self.row = row
    self.index = index
    self.store = store
  }

  /// Reads the next value: one of this type or, if the type is nil, an object from its number and entity.
  mutating func next(_ type: AttributeType?) throws -> Value {
    let cell = row[index]
    index += 1
    // A sum of integers may overflow into a double.
    if type == .integer, case .double(let sum) = cell.storage { return .double(sum) }
    if let type { return try type.decode(cell) }
    let entity = row[index]
    index += 1
    return ObjectID(store: store, number: cell, entity: entity).map { .object($0) } ?? .null
  }
}
