import Foundation
import GRDB

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
