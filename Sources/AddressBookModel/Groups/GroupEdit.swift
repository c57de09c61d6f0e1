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
  /// There is no group with this name.
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
    switch edit {
    case .add(let name): try add(name, in: session)
    case .rename(let name, let new): try rename(name, to: new, in: session)
    case .delete(let name):
      try write(as: StepName(.deleteGroup, name), in: session) { try $0.delete(group: name) }
    case .merge(let name, let target):
      guard name != target else { return }
      try write(as: StepName(.mergeGroups, target), in: session) { try $0.merge(group: name, into: target) }
    case .addSmart(let name, let rule):
      try write(rule, uid: UniqueID.make(), from: nil, to: name, as: .addGroup, in: session)
    case .renameSmart(let group, let name):
      try write(group.rule, uid: group.uid, from: group.name, to: name, as: .renameGroup, in: session)
    case .changeSmart(let group, let rule): try change(group, to: rule, in: session)
    case .deleteSmart(let group):
      try write(group.rule, uid: group.uid, from: group.name, to: nil, as: .deleteGroup, in: session)
    }
  }

  private func add(_ name: String, in session: EditSession?) throws(GroupEditError) {
    let context = newContext(session: session)
    try checkFree(name, in: context)
    _ = try reading { () throws(StoreError) in try context.group(named: name) }
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

  private func rename(_ name: String, to new: String, in session: EditSession?) throws(GroupEditError) {
    guard new != name else { return }
    let context = newContext(session: session)
    let group = try group(name, in: context)
    try checkFree(new, in: context)
    group.name = new
    let issues = try reading { () throws(StoreError) in try context.issues() }.filter { $0.severity == .error }
    if !issues.isEmpty { throw .invalid(issues) }
    try write(as: StepName(.renameGroup, name), in: session) { try $0.rename(group: name, to: new) }
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

  /// Creates, renames or deletes a smart group.
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
    try write(as: StepName(action, old ?? new ?? ""), in: session) { writer in
      if let new, try !writer.isFree(new) { throw GroupEditError.exists(new) }
      var lost = LostGroup()
      lost.rule = rule
      // Each edit reverses its opposite: creating a group, for example, reverses a deletion.
      try writer.reverse(GroupEntry(uid: uid, before: new, after: old, lost: lost))
    }
  }

  private func change(
    _ group: SmartGroup, to rule: SmartGroup.Rule, in session: EditSession?
  ) throws(GroupEditError) {
    guard rule != group.rule else { return }
    try write(as: StepName(.changeGroup, group.name), in: session) { writer in
      guard let present = try writer.smartGroup(group.uid) else { throw GroupEditError.missing(group.name) }
      guard present == group else { throw GroupEditError.conflict }
      var lost = LostGroup()
      (lost.rule, lost.newRule) = (rule, group.rule)
      try writer.reverse(GroupEntry(uid: group.uid, before: group.name, after: group.name, lost: lost))
    }
  }

  private func write(
    as name: StepName, in session: EditSession?, _ body: (BulkWriter) throws -> Void
  ) throws(GroupEditError) {
    do {
      try bulkWrite(groups: .replace, as: name, in: session, body)
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
  /// Renames a group to a name that no other group has.
  /// - Throws: `GroupEditError.missing` if the group does not exist.
  func rename(group name: String, to new: String) throws {
    let group = try group(named: name)
    try rename(group: group.id, from: name, to: new)
    try recorder?.recordGroup(uid: group.uid, before: name, after: new)
  }

  /// Deletes a group and keeps its members.
  /// - Throws: `GroupEditError.missing` if the group does not exist.
  func delete(group name: String) throws {
    let group = try group(named: name)
    let lost = try LostGroup(db, group: group.id)
    for batch in lost.members.batches(of: Self.batch) {
      let done = try changeGroups(of: batch, GroupChange(left: name))
      // By its id: another group may have the same name in different bytes.
      try removeMembers(batch.filter { !done.contains($0) }, from: group.id)
    }
    try readAhead([])
    try remove(group, name, lost)
  }

  /// Moves the members of one group to another, and deletes the first group.
  /// - Throws: `GroupEditError.missing` if one of the groups does not exist.
  func merge(group name: String, into target: String) throws {
    let (group, target) = (try group(named: name), (name: target, group: try self.group(named: target)))
    let change = GroupChange(left: name, joined: target.name)
    for batch in try members(of: group.id).batches(of: Self.batch) {
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
        """, arguments: [target.group.id, group.id])
    var lost = try LostGroup(db, group: group.id)
    if !moved.isEmpty { lost.moved = LostGroup.Moved(target: target.group.uid, members: moved) }
    try remove(group, name, lost)
  }

  private func group(named name: String) throws -> (id: Int64, uid: String) {
    guard let row = try Row.fetchOne(db, sql: "SELECT id, uid FROM contact_group WHERE name = ?", arguments: [name])
    else { throw GroupEditError.missing(name) }
    return (row.integer(0), row.text(1))
  }

  private func remove(_ group: (id: Int64, uid: String), _ name: String, _ lost: LostGroup) throws {
    try db.execute(sql: "DELETE FROM contact_group WHERE id = ?", arguments: [group.id])
    try recorder?.recordGroup(uid: group.uid, before: name, after: nil, lost: lost)
  }
}
