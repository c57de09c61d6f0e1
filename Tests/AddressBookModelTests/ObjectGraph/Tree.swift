import GRDB

@testable import AddressBookModel

/// Nodes that lead to each other in every way that a to-one relationship can.
enum Tree {
  static let model = ObjectModel([
    EntityDescription(
      name: "Node", table: "node", attributes: [AttributeDescription("name")],
      relationships: [
        // To an object of the same entity, without an inverse.
        RelationshipDescription("next", to: "Node", inverse: nil, storage: .column("next_id")),
        // One to one, both ends of one entity.
        RelationshipDescription("partner", to: "Node", inverse: "partner", storage: .column("partner_id")),
        // One to one, the other end in an entity that leads back: no order of entities has both rows in time.
        RelationshipDescription(
          "badge", to: "Badge", inverse: "node", storage: .column("badge_id"), deleteRule: .cascade),
        RelationshipDescription(
          "tags", to: "Tag", inverse: "nodes", storage: .join(table: "node_tag", own: "node_id", other: "tag_id"),
          deleteRule: .cascade),
      ]),
    EntityDescription(
      name: "Badge", table: "badge", attributes: [AttributeDescription("name")],
      relationships: [
        RelationshipDescription(
          "node", to: "Node", inverse: "badge", storage: .column("node_id"), isOptional: false)
      ]),
    EntityDescription(
      name: "Tag", table: "tag", attributes: [AttributeDescription("name")],
      relationships: [
        RelationshipDescription(
          "nodes", to: "Node", inverse: "tags", storage: .join(table: "node_tag", own: "tag_id", other: "node_id"))
      ]),
  ])

  /// A store with the tables of the model beside the book's.
  static func store() throws -> Store {
    let store = try Store.open(.inMemory, access: .readWrite)
    try store.write { db in
      try db.execute(
        sql: """
          CREATE TABLE node (
            id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT NOT NULL, next_id INTEGER REFERENCES node ON DELETE CASCADE,
            partner_id INTEGER UNIQUE REFERENCES node, badge_id INTEGER UNIQUE REFERENCES badge) STRICT;
          CREATE TABLE badge (
            id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT NOT NULL, node_id INTEGER NOT NULL UNIQUE REFERENCES node) STRICT;
          CREATE TABLE tag (id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT NOT NULL) STRICT;
          CREATE TABLE node_tag (
            node_id INTEGER REFERENCES node ON DELETE CASCADE, tag_id INTEGER REFERENCES tag ON DELETE CASCADE,
            PRIMARY KEY (node_id, tag_id)) STRICT;
          """)
    }
    return store
  }

  static func context(_ store: Store) -> ObjectContext {
    ObjectContext(model: model, source: StoreSource(store: store, model: model))
  }
}
