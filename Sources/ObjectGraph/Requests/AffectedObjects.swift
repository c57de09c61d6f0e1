import Foundation
import GRDB

/// The unsaved changes of a context, which a fetch puts on top of the saved state.
public struct PendingChanges: Sendable {
  /// Inserted objects, in the order of insertion.
  public var inserted: [ObjectID]
  /// Objects whose values differ from the saved ones. Each end of a changed relationship is in one of the three lists.
  public var changed: [ObjectID]
  /// Deleted objects.
  public var deleted: [ObjectID]

  /// Creates a value with these changes; none by default.
  public init(inserted: [ObjectID] = [], changed: [ObjectID] = [], deleted: [ObjectID] = []) {
    self.inserted = inserted
    self.changed = changed
    self.deleted = deleted
  }

  /// Whether nothing is unsaved.
  public var isEmpty: Bool { inserted.isEmpty && changed.isEmpty && deleted.isEmpty }
}

/// Finds the objects whose contribution to a result may differ between the store and a context with unsaved changes.
///
/// Starting at the changed objects, it follows the paths of the request backwards, by the inverse relationships, in the
/// context's state: where a link was cut, both of its ends are changed objects themselves. The exceptions are
/// references to deleted objects that `noAction` leaves; these are looked up in the store.
struct AffectedObjects {
  let request: CheckedRequest
  let paths: RequestPaths
  let pending: PendingChanges
  let reader: any GraphReader
  let tables: StoreTables

  /// Returns the affected objects of the request's entity, including deleted ones.
  func find(_ database: Database) throws -> Set<ObjectID> {
    let live = pending.inserted + pending.changed
    var affected = Set((live + pending.deleted).filter { request.entity.covers($0) })
    for path in paths.paths {
      for (index, relationship) in path.enumerated() {
        var objects = try sources(of: relationship, to: live.filter(relationship.destination.covers))
        let deleted = pending.deleted.filter(relationship.destination.covers)
        objects.formUnion(try StoredReferrers(relationship, tables).find(to: deleted, database))
        objects.subtract(pending.deleted)
        for back in path[..<index].reversed() { objects = try sources(of: back, to: Array(objects)) }
        affected.formUnion(objects)
      }
    }
    return affected.filter(request.entity.covers)
  }

  /// Returns the objects whose relationship points to one of these.
  private func sources(of relationship: Relationship, to objects: [ObjectID]) throws -> Set<ObjectID> {
    let inverse = relationship.inverse
    var sources: Set<ObjectID> = []
    for object in objects {
      if inverse.isToMany {
        sources.formUnion(try reader.objects(of: inverse, in: object))
      } else if let source = try reader.object(of: inverse, in: object) {
        sources.insert(source)
      }
    }
    return sources
  }
}

/// Finds the saved objects whose relationship points to given objects.
private struct StoredReferrers {
  private let relationship: Relationship

  private let tables: StoreTables

  init(_ relationship: Relationship, _ tables: StoreTables) {
    self.relationship = relationship
    self.tables = tables
  }

  func find(to objects: [ObjectID], _ database: Database) throws -> Set<ObjectID> {
    let numbers = objects.compactMap(\.number)
    guard let store = objects.first?.store, !numbers.isEmpty else { return [] }
    let rows = try Row.fetchCursor(database, sql: sql, arguments: [numbers.jsonArray])
    var found: Set<ObjectID> = []
    while let row = try rows.next() {
      if let id = ObjectID(store: store, number: row[0], entity: row[1]) { found.insert(id) }
    }
    return found
  }

  private var sql: String {
    let (entity, destination) = (relationship.entity, relationship.destination)
    let id = tables.id(entity, of: "s")
    let select = "SELECT \(id), \(tables.type(entity, of: "s")) FROM \(tables.source(entity, as: "s"))"
    let targets = SQLiteReader.inArgument
    switch tables.storage(relationship) {
    case .column(let column):
      return "\(select) WHERE s.\(column.sqlIdentifier) \(targets)"
    case .inverseColumn(let column, position: _):
      return
        "\(select) JOIN \(tables.source(destination, as: "d")) ON \(id) = d.\(column.sqlIdentifier)"
        + " WHERE \(tables.id(destination, of: "d")) \(targets)"
    case .join(let join):
      return "\(select) JOIN \(join.table.sqlIdentifier) AS j"
        + " ON \(id) = j.\(join.ownColumn.sqlIdentifier)"
        + " WHERE j.\(join.otherColumn.sqlIdentifier) \(targets)"
    }
  }
}

extension Entity {
  /// Returns whether an object belongs to this entity or to a child.
  func covers(_ id: ObjectID) -> Bool {
    family.contains { $0.name == id.entity }
  }
}

extension ObjectID {
  /// Creates the id of a row from its number and type; nil if there is no row, as in an outer join.
  init?(store: UUID, number: DatabaseValue, entity: DatabaseValue) {
    guard case .int64(let number) = number.storage, case .string(let entity) = entity.storage else { return nil }
    self.init(store: store, entity: entity, key: .permanent(number))
  }
}
