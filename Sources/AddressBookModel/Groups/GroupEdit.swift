import Contacts
import GRDB

/// A change to the groups of a book, which is one step of the history.
public enum GroupEdit: Hashable, Sendable {
  /// Creates an empty group with this name.
  case add(String)
  /// Renames a group.
  case rename(String, to: String)
  /// Deletes a group and keeps its contacts.
  case delete(String)
  /// Moves the contacts of one group to another, and deletes the first group.
  case merge(String, into: String)
  /// Creates a smart group with this name.
  case addSmart(String, SmartGroup.Rule)
  /// Renames a smart group.
  case renameSmart(SmartGroup, to: String)
  /// Changes what a smart group finds.
  case changeSmart(SmartGroup, to: SmartGroup.Rule)
  /// Deletes a smart group.
  case deleteSmart(SmartGroup)
}

/// Why groups were not changed. The book is as it was.
public enum GroupEditError: Error {
  /// The group no longer exists.
  case missing(String)
  /// A group with this name already exists.
  case exists(String)
  /// The name is empty, too long, or has characters that no name can have.
  case invalid([Contacts.ValidationIssue])
  /// Another program changed the same group in the meantime.
  case conflict
  /// The store failed.
  case store(StoreError)
}

extension AddressBook {
  /// Changes the groups. A large group takes a while: call it on a background thread.
  /// - Parameter session: the session of the change, for the history.
  public func edit(_ edit: GroupEdit, in session: EditSession? = nil) throws(GroupEditError) {
    let context = newContext(session: session)
    switch edit {
    case .add(let name):
      try checkFree(name, in: context)
      _ = try reading { () throws(StoreError) in try context.group(named: name) }
    case .rename(let name, let new):
      guard new != name else { return }
      let group = try group(name, in: context)
      try checkFree(new, in: context)
      group.name = new
    case .delete(let name):
      let group = try group(name, in: context)
      try reading { () throws(StoreError) in try context.delete(group) }
    case .merge(let name, let target): return try merge(name, into: target, in: session)
    case .addSmart(let name, let rule):
      return try write(rule, uid: UniqueID.make(), from: nil, to: name, as: .addGroup, in: session)
    case .renameSmart(let group, let name):
      return try write(group.rule, uid: group.uid, from: group.name, to: name, as: .renameGroup, in: session)
    case .changeSmart(let group, let rule): return try change(group, to: rule, in: session)
    case .deleteSmart(let group):
      return try write(group.rule, uid: group.uid, from: group.name, to: nil, as: .deleteGroup, in: session)
    }
    do {
      try context.save()
    } catch {
      switch error {
      case .invalid(let issues): throw .invalid(issues)
      case .conflict: throw .conflict
      case .store(let error): throw .store(error)
      }
    }
  }

  private func checkFree(_ name: String, in context: BookContext) throws(GroupEditError) {
    let isKnown = try reading { () throws(StoreError) in
      let names = try smartGroups().map(\.name)
      if names.contains(name) { return true }
      return try context.existingGroup(named: name) != nil
    }
    if isKnown { throw .exists(name) }
  }

  private func group(_ name: String, in context: BookContext) throws(GroupEditError) -> Group {
    guard let group = try reading({ () throws(StoreError) in try context.existingGroup(named: name) }) else {
      throw .missing(name)
    }
    return group
  }

  private func merge(_ name: String, into target: String, in session: EditSession?) throws(GroupEditError) {
    guard name != target else { return }
    do {
      try bulkWrite(groups: .replace, as: StepName(.mergeGroups, target), in: session) { writer in
        try writer.merge(group: name, into: target)
      }
    } catch let error as GroupEditError {
      throw error
    } catch {
      throw .store(store.storeError(error))
    }
  }

  /// Creates, renames or deletes a smart group, or changes its rule.
  private func write(
    _ rule: SmartGroup.Rule, uid: String, from old: String?, to new: String?, as action: StepName.Action,
    in session: EditSession?
  ) throws(GroupEditError) {
    guard old != new else { return }
    if let new, new.isEmpty || new.unicodeScalars.count > Limits.name {
      throw .invalid([
        Contacts.ValidationIssue(
          entity: "Group", property: "name", rule: new.isEmpty ? "missing" : "tooLong",
          arguments: new.isEmpty ? [] : [String(Limits.name)])
      ])
    }
    do {
      try bulkWrite(as: StepName(action, old ?? new ?? ""), in: session) { writer in
        if let new, try !writer.isFree(new) { throw GroupEditError.exists(new) }
        var lost = LostGroup()
        lost.rule = rule
        // Each edit reverses its opposite: creating a group, for example, reverses a deletion.
        try writer.reverse(GroupEntry(uid: uid, before: new, after: old, lost: lost))
      }
    } catch let error as GroupEditError {
      throw error
    } catch {
      throw .store(store.storeError(error))
    }
  }

  private func change(
    _ group: SmartGroup, to rule: SmartGroup.Rule, in session: EditSession?
  ) throws(GroupEditError) {
    guard rule != group.rule else { return }
    do {
      try bulkWrite(as: StepName(.changeGroup, group.name), in: session) { writer in
        guard let present = try writer.smartGroup(group.uid) else { throw GroupEditError.missing(group.name) }
        guard present == group else { throw GroupEditError.conflict }
        var lost = LostGroup()
        (lost.rule, lost.newRule) = (rule, group.rule)
        try writer.reverse(GroupEntry(uid: group.uid, before: group.name, after: group.name, lost: lost))
      }
    } catch let error as GroupEditError {
      throw error
    } catch {
      throw .store(store.storeError(error))
    }
  }

  private func reading<Value>(_ body: () throws(StoreError) -> Value) throws(GroupEditError) -> Value {
    do {
      return try body()
    } catch {
      throw .store(error)
    }
  }
}

extension BulkWriter {
  /// Moves the members of one group to another, and deletes the first group.
  /// - Throws: `GroupEditError.missing` if one of the groups does not exist.
  func merge(group name: String, into target: String) throws {
    guard let row = try Row.fetchOne(db, sql: "SELECT id, uid FROM contact_group WHERE name = ?", arguments: [name])
    else { throw GroupEditError.missing(name) }
    guard
      let targetRow = try Row.fetchOne(
        db, sql: "SELECT id, uid FROM contact_group WHERE name = ?", arguments: [target])
    else { throw GroupEditError.missing(target) }
    let (group, uid) = (row.integer(0), row.text(1))
    let (other, targetUID) = (targetRow.integer(0), targetRow.text(1))
    let members = try members(of: group)
    let change = GroupChange(left: name, joined: target)
    for start in stride(from: 0, to: members.count, by: Self.batch) {
      let batch = Array(members[start..<min(members.count, start + Self.batch)])
      let done = try changeGroups(of: batch, change)
      // This also records damage to deleted members, whose checksums are deleted with the group.
      try self.change(batch.filter { !done.contains($0) }, change.apply)
    }
    try readAhead([])
    // Deleted contacts are still members. Move them too, so that they are in the other group when they are restored.
    let moved = try Int64.fetchAll(
      db,
      sql: """
        INSERT OR IGNORE INTO group_member (group_id, contact_id)
        SELECT ?, contact_id FROM group_member WHERE group_id = ?
        RETURNING contact_id
        """, arguments: [other, group])
    var lost = try LostGroup(db, group: group)
    if !moved.isEmpty { lost.moved = LostGroup.Moved(target: targetUID, members: moved) }
    try db.execute(sql: "DELETE FROM contact_group WHERE id = ?", arguments: [group])
    try recorder?.recordGroup(uid: uid, before: name, after: nil, lost: lost)
  }
}
