import Foundation

/// One state of a store, object by object. What was read once is kept.
final class StoreGraphReader: GraphReader {
  private let reader: any StoreReader
  private let model: ObjectModel
  private let store: UUID
  private var rows: [Entity: [Int64: StoredRow?]] = [:]
  private var members: [ListKey: [ObjectID]] = [:]

  private struct ListKey: Hashable {
    let relationship: Relationship
    let owner: Int64
  }

  init(_ reader: any StoreReader, model: ObjectModel, store: UUID) {
    self.reader = reader
    self.model = model
    self.store = store
  }

  func value(of attribute: Attribute, in object: ObjectID) throws -> Value {
    try row(object)?.values[attribute.index] ?? .null
  }

  func object(of relationship: Relationship, in object: ObjectID) throws -> ObjectID? {
    guard let reference = try row(object)?.references[relationship.index], let entity = reference.entity else {
      return nil
    }
    return id(reference.number, entity)
  }

  func objects(of relationship: Relationship, in object: ObjectID) throws -> [ObjectID] {
    guard let number = object.number, try row(object) != nil else { return [] }
    let key = ListKey(relationship: relationship, owner: number)
    if let known = members[key] { return known }
    let found = try reader.members(relationship, of: [number])[number] ?? []
    for row in found { rows[row.entity.root, default: [:]][row.number] = row }
    let ids = found.map { id($0.number, $0.entity) }
    members[key] = ids
    return ids
  }

  func objects(of entities: [Entity]) throws -> [ObjectID] {
    try reader.numbers(of: entities).map { id($0.number, $0.entity) }
  }

  private func row(_ object: ObjectID) throws -> StoredRow? {
    guard let number = object.number, object.store == store, let root = model.entity(named: object.entity)?.root else {
      return nil
    }
    if let known = rows[root]?[number] { return known }
    let row = try reader.rows([number], of: root).first
    rows[root, default: [:]][number] = row
    return row
  }

  private func id(_ number: Int64, _ entity: Entity) -> ObjectID {
    ObjectID(store: store, entity: entity.name, key: .permanent(number))
  }
}
