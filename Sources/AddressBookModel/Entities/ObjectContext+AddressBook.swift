import GRDB

/// Contexts in the words of the address book.
extension ObjectContext {
  /// The contact of a row, or nil when there is none or it was deleted.
  public func person(_ id: Int64) throws(StoreError) -> Person? {
    try object(ObjectID(entity: "Person", row: id)) as? Person
  }

  /// The contacts of these rows in this order, read in one query.
  public func persons(_ ids: [Int64]) throws(StoreError) -> [Person] {
    try objects(ids.map { ObjectID(entity: "Person", row: $0) }).compactMap { $0 as? Person }
  }

  /// A new contact.
  public func insertPerson() -> Person {
    guard let person = insert("Person") as? Person else { preconditionFailure("Person has another class") }
    return person
  }

  /// A deleted contact, ready for `restore`; nil when no contact of this id was deleted.
  public func deletedPerson(_ id: Int64) throws(StoreError) -> Person? {
    try deletedObject(ObjectID(entity: "Person", row: id)) as? Person
  }

  /// The group of a row, or nil when there is none.
  public func group(_ id: Int64) throws(StoreError) -> Group? {
    try object(ObjectID(entity: "Group", row: id)) as? Group
  }

  /// The group of a name; made when there is none.
  public func group(named name: String) throws(StoreError) -> Group {
    if let known = try existingGroup(named: name) { return known }
    guard let group = insert("Group") as? Group else { preconditionFailure("Group has another class") }
    group.name = name
    return group
  }

  /// The group of a name, saved or not; nil when there is none.
  public func existingGroup(named name: String) throws(StoreError) -> Group? {
    for case let group as Group in pinned.values where group.isLive && group.name == name { return group }
    if let parent {
      guard let there = try parent.existingGroup(named: name) else { return nil }
      return try object(there.objectID) as? Group
    }
    guard let source = source as? StoreSource else { return nil }
    let row = try source.store.read { db in
      try Int64.fetchOne(db, sql: "SELECT id FROM contact_group WHERE name = ?", arguments: [name])
    }
    guard let row, let found = try group(row), found.name == name else { return nil }
    return found
  }
}
