import GRDB

/// A group without members of its own: the contacts that a saved search or condition finds.
public struct SmartGroup: Hashable, Sendable, Identifiable {
  /// What finds its contacts.
  public enum Rule: Hashable, Sendable, Codable {
    /// A text as it is typed in the search field.
    case search(String)
    /// A condition on contacts; see ``ContactCondition``.
    case condition(String)

    /// The number of the kind, as stored in the book.
    fileprivate var kind: Int { if case .condition = self { 1 } else { 0 } }

    /// Its text.
    public var text: String {
      switch self {
      case .search(let text), .condition(let text): text
      }
    }
  }

  /// Its id in the book.
  public let id: Int64
  /// Its name, which no other smart group has.
  public let name: String
  /// What finds its contacts.
  public let rule: Rule
  let uid: String

  fileprivate init(_ row: Row) {
    id = row.integer(0)
    uid = row.text(1)
    name = row.text(2)
    rule = row.number(3) == 0 ? .search(row.text(4)) : .condition(row.text(4))
  }
}

extension AddressBook {
  /// Returns the smart groups, sorted by name.
  public func smartGroups() throws(StoreError) -> [SmartGroup] {
    try store.read { db in
      // A damaged book may lack this table.
      guard try db.tableExists("smart_group") else { return [] }
      return try Row.fetchAll(db, sql: "SELECT id, uid, name, kind, rule FROM smart_group ORDER BY name").map(
        SmartGroup.init)
    }
  }

  /// Returns the first smart group that has one of these names; nil if none does. A contact cannot be added to it.
  public func smartGroup(namedOneOf names: [String]) throws(StoreError) -> SmartGroup? {
    guard !names.isEmpty else { return nil }
    return try smartGroups().first { names.contains($0.name) }
  }
}

extension BulkWriter {
  /// Returns the smart group with this UID; nil if there is none.
  func smartGroup(_ uid: String) throws -> SmartGroup? {
    try Row.fetchOne(db, sql: "SELECT id, uid, name, kind, rule FROM smart_group WHERE uid = ?", arguments: [uid])
      .map(SmartGroup.init)
  }

  /// Returns the smart group as the book has it.
  /// - Throws: `EditError.missing` if it was deleted, `EditError.conflict` if its name or its rule changed.
  func unchanged(_ group: SmartGroup) throws -> SmartGroup {
    guard let present = try smartGroup(group.uid) else { throw EditError.missing(group.name) }
    guard present.name == group.name, present.rule == group.rule else { throw EditError.conflict(nil) }
    return present
  }

  /// Reverses a change to a smart group: deletes it, recreates it, or restores its name or rule, unless the group has
  /// changed since or another group has the name.
  func reverse(_ entry: GroupEntry, _ rule: SmartGroup.Rule) throws {
    let group = try smartGroup(entry.uid)
    if let replaced = entry.lost.newRule {
      if let group, group.rule == replaced { try change(group, to: rule) }
      return
    }
    switch (entry.before, group) {
    case (let name?, nil) where try isFree(name): try create(smartGroup: name, uid: entry.uid, rule)
    case (let name?, let group?) where try group.name == entry.after && isFree(name): try rename(group, to: name)
    case (nil, let group?) where group.name == entry.after && group.rule == rule: try delete(group)
    default: break
    }
  }

  func create(smartGroup name: String, uid: String, _ rule: SmartGroup.Rule) throws {
    try db.execute(
      sql: "INSERT INTO smart_group (uid, name, kind, rule) VALUES (?, ?, ?, ?)",
      arguments: [uid, name, rule.kind, rule.text])
    try record(uid, from: nil, to: name, rule)
  }

  func rename(_ group: SmartGroup, to name: String) throws {
    try db.execute(sql: "UPDATE smart_group SET name = ? WHERE id = ?", arguments: [name, group.id])
    try record(group.uid, from: group.name, to: name, group.rule)
  }

  func delete(_ group: SmartGroup) throws {
    try db.execute(sql: "DELETE FROM smart_group WHERE id = ?", arguments: [group.id])
    try record(group.uid, from: group.name, to: nil, group.rule)
  }

  func change(_ group: SmartGroup, to rule: SmartGroup.Rule) throws {
    try db.execute(
      sql: "UPDATE smart_group SET kind = ?, rule = ? WHERE id = ?", arguments: [rule.kind, rule.text, group.id])
    try record(group.uid, from: group.name, to: group.name, group.rule, replacedBy: rule)
  }

  private func record(
    _ uid: String, from old: String?, to new: String?, _ rule: SmartGroup.Rule,
    replacedBy newRule: SmartGroup.Rule? = nil
  ) throws {
    var lost = LostGroup()
    (lost.rule, lost.newRule) = (rule, newRule)
    try recorder?.recordGroup(uid: uid, before: old, after: new, lost: lost)
  }

  /// Returns true if no group, smart or not, has this name, even in different bytes.
  package func isFree(_ name: String) throws -> Bool {
    guard groups[name] == nil else { return false }
    return try !String.fetchAll(db, sql: "SELECT name FROM smart_group").contains(name)
  }
}
