import Foundation
import GRDB

/// How the rows of a family are selected and decoded.
struct RowLayout: Sendable {
  /// The columns of a select from a table named `t`.
  let columns: String
  private let members: [Member]

  /// An entity of the family.
  private final class Member: Sendable {
    let entity: Entity
    let attributes: [Cell]
    let references: [ReferenceCells?]
    /// Indexes of attributes that are read on demand.
    let unread: Set<Int>

    init(entity: Entity, attributes: [Cell], references: [ReferenceCells?], unread: Set<Int>) {
      self.entity = entity
      self.attributes = attributes
      self.references = references
      self.unread = unread
    }
  }

  /// The column of an attribute.
  private struct Cell {
    let type: AttributeType
    /// Nil if it is not read.
    let column: Int?
    /// The value if it is not read.
    let other: Value
  }

  /// The columns of a to-one: the number, and next to it the type of the row that it points to, if that exists.
  private struct ReferenceCells {
    let column: Int
    let destinations: [Entity]
    /// Whether it is stored in the id column, so that it is nil if the row does not exist.
    let isShared: Bool
  }

  init(_ root: Entity, _ tables: StoreTables = .generated) {
    var columns = [tables.id(root, of: "t"), tables.type(root, of: "t"), tables.version(root, of: "t")]
    var indexes: [String: Int] = [:]
    func index(_ value: String, with other: String? = nil) -> Int {
      let name = other ?? value
      if let index = indexes[name] { return index }
      indexes[name] = columns.count
      columns.append(value)
      if let other { columns.append(other) }
      return columns.count - (other == nil ? 1 : 2)
    }
    members = root.family.map { entity in
      let unread = entity.attributes.filter { !$0.description.isTransient && tables.column($0).isFaulted }.map(\.index)
      let attributes = entity.attributes.map { attribute in
        let isUnread = unread.contains(attribute.index)
        return Cell(
          type: attribute.type,
          column: attribute.description.isTransient || isUnread ? nil : index(tables.value(attribute, of: "t")),
          other: isUnread ? .null : attribute.description.defaultValue)
      }
      let references = entity.relationships.map { relationship -> ReferenceCells? in
        guard case .column(let column) = tables.storage(relationship) else { return nil }
        let reference = "t.\(column.sqlIdentifier)"
        let other = relationship.destination
        let conditions =
          ["\(tables.id(other, of: "r")) = \(reference)"]
          + [tables.existence(other, of: "r", by: relationship)].compactMap(\.self)
        // The type of the joined row says whether it exists, and which entity it has.
        let type = """
          (SELECT \(tables.type(other, of: "r")) FROM \(tables.source(other, as: "r")) WHERE \(conditions.and))
          """
        return ReferenceCells(
          column: index(reference, with: type), destinations: other.root.family,
          isShared: !relationship.isToMany && tables.isShared(relationship))
      }
      return Member(entity: entity, attributes: attributes, references: references, unread: Set(unread))
    }
    self.columns = columns.joined(separator: ", ")
  }

  /// Decodes a row whose columns begin at this offset.
  func decode(_ row: StatementCells, at offset: Int = 0) throws -> StoredRow {
    let type = row.text(offset + 1)
    guard let number = row.integer(offset), let member = members.first(where: { $0.entity.name == type }) else {
      throw StoreFailure(reason: .unreadable, description: "a row of unknown type")
    }
    let values = try member.attributes.map { cell in
      guard let column = cell.column else { return cell.other }
      return try cell.type.decode(row[offset + column])
    }
    let references = member.references.map { cells -> StoredReference? in
      guard let cells, let number = row.integer(offset + cells.column) else { return nil }
      let type = row.text(offset + cells.column + 1)
      if type == nil, cells.isShared { return nil }
      return StoredReference(
        number: number, entity: type.flatMap { type in cells.destinations.first { $0.name == type } })
    }
    return StoredRow(
      number: number, entity: member.entity, version: row.integer(offset + 2) ?? 0, values: values,
      unread: member.unread, references: references)
  }
}

/// The model of a SQLite store, with the layouts of its rows.
struct SQLiteSchema: Sendable {
  let model: ObjectModel
  let tables: StoreTables
  private let layouts: [String: RowLayout]

  init(model: ObjectModel, entities: [Entity], tables: StoreTables = .generated) {
    self.model = model
    self.tables = tables
    let roots = entities.filter { $0.parent == nil }
    layouts = Dictionary(roots.map { ($0.name, RowLayout($0, tables)) }, uniquingKeysWith: { first, _ in first })
  }

  func layout(_ root: Entity) throws -> RowLayout {
    guard let layout = layouts[root.name] else { throw ObjectGraphError.unknownEntity(root.name) }
    return layout
  }
}

extension AttributeType {
  /// The type of the column in a STRICT table.
  var sqlType: String {
    switch self {
    case .string, .uuid: "TEXT"
    case .integer, .boolean: "INTEGER"
    case .double, .date: "REAL"
    case .data: "BLOB"
    }
  }

  /// The value of a column.
  func decode(_ value: DatabaseValue) throws -> Value {
    switch (self, value.storage) {
    case (_, .null): return .null
    case (.string, .string(let text)): return .string(text)
    case (.integer, .int64(let number)): return .integer(number)
    case (.boolean, .int64(let number)): return .boolean(number != 0)
    case (.double, .double(let number)): return .double(number)
    case (.double, .int64(let number)): return .double(Double(number))
    case (.date, .double(let seconds)): return .date(Date(timeIntervalSinceReferenceDate: seconds))
    case (.date, .int64(let seconds)): return .date(Date(timeIntervalSinceReferenceDate: Double(seconds)))
    case (.data, .blob(let data)): return .data(data)
    case (.uuid, .string(let text)):
      if let uuid = UUID(uuidString: text) { return .uuid(uuid) }
    default: break
    }
    throw StoreFailure(reason: .unreadable, description: "a column does not hold a value of type \(rawValue)")
  }
}

extension Value {
  /// The value as a column holds it: dates as seconds since 2001-01-01 UTC, which keeps the full precision of `Date`;
  /// UUIDs as upper-case text; objects as their numbers.
  var databaseValue: DatabaseValue {
    switch self {
    case .null: .null
    case .string(let text): text.databaseValue
    case .integer(let number): number.databaseValue
    case .double(let number): number.databaseValue
    case .boolean(let flag): (flag ? 1 : 0).databaseValue
    case .date(let date): date.timeIntervalSinceReferenceDate.databaseValue
    case .data(let data): data.databaseValue
    case .uuid(let uuid): uuid.uuidString.databaseValue
    case .object(let id): id.number?.databaseValue ?? .null
    }
  }
}
