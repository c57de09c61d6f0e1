import Foundation
import GRDB

/// How the rows of a family are selected and decoded.
struct RowLayout: Sendable {
  /// The columns of a select from a table named `t`.
  let columns: String
  private struct Member {
    let entity: Entity
    let attributes: [Int?]
    let relationships: [Int?]
    let unread: Set<Int>
    /// To-ones that are kept in the id; nil if the row that they point to does not exist.
    let shared: Set<Int>
  }

  private let entities: [String: Member]

  init(_ root: Entity, _ tables: StoreTables = .generated) {
    var columns = [tables.id(root, of: "t"), tables.type(root, of: "t"), tables.version(root, of: "t")]
    var indexes: [String: Int] = [:]
    var entities: [String: Member] = [:]
    func index(_ value: String, with other: String? = nil) -> Int {
      let name = other ?? value
      if let index = indexes[name] { return index }
      indexes[name] = columns.count
      columns.append(value)
      if let other { columns.append(other) }
      return columns.count - (other == nil ? 1 : 2)
    }
    for entity in root.family {
      let unread = entity.attributes.filter { !$0.description.isTransient && tables.column($0).isFaulted }.map(\.index)
      let attributes = entity.attributes.map { attribute in
        attribute.description.isTransient || unread.contains(attribute.index)
          ? nil : index(tables.value(attribute, of: "t"))
      }
      let relationships = entity.relationships.map { relationship -> Int? in
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
        return index(reference, with: type)
      }
      entities[entity.name] = Member(
        entity: entity, attributes: attributes, relationships: relationships, unread: Set(unread),
        shared: Set(entity.relationships.filter { !$0.isToMany && tables.isShared($0) }.map(\.index)))
    }
    self.columns = columns.joined(separator: ", ")
    self.entities = entities
  }

  /// Decodes a row whose columns begin at this offset.
  func decode(_ row: Row, model: ObjectModel, at offset: Int = 0) throws -> StoredRow {
    let type = String.fromDatabaseValue(row[offset + 1] as DatabaseValue) ?? ""
    guard let member = entities[type] else {
      throw StoreFailure(reason: .unreadable, description: "a row of unknown type")
    }
    let entity = member.entity
    let values = try entity.attributes.map { attribute -> Value in
      guard let index = member.attributes[attribute.index] else {
        return member.unread.contains(attribute.index) ? .null : attribute.description.defaultValue
      }
      return try attribute.type.decode(row[offset + index])
    }
    let references = member.relationships.enumerated().map { relationship, index -> StoredReference? in
      guard let index, let number: Int64 = row[offset + index] else { return nil }
      let type: String? = row[offset + index + 1]
      if type == nil, member.shared.contains(relationship) { return nil }
      return StoredReference(number: number, entity: type.flatMap { model.entity(named: $0) })
    }
    return StoredRow(
      number: row[offset], entity: entity, version: row[offset + 2], values: values, unread: member.unread,
      references: references)
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
