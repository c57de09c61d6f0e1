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

  /// True if a group keeps its name or its rule, or is merged with itself: such an edit writes nothing.
  public var changesNothing: Bool {
    switch self {
    case .rename(let name, let new): name == new
    case .merge(let name, let target): name == target
    case .renameSmart(let group, let new): group.name == new
    case .changeSmart(let group, let rule): group.rule == rule
    case .add, .delete, .addSmart, .deleteSmart: false
    }
  }

  /// Returns why no group can have this name; nil if one can.
  public static func issue(ofName name: String) -> ContactIssue? {
    let isTooLong = name.unicodeScalars.count > Limits.name
    let rule = name.isEmpty ? "missing" : name.utf8.contains(0) ? "nul" : isTooLong ? "tooLong" : nil
    return rule.map { rule in
      ContactIssue(
        entity: "Group", property: "name", rule: rule, arguments: rule == "tooLong" ? [String(Limits.name)] : [])
    }
  }
}

extension AddressBook {
  /// Changes the groups. A large group takes a while: call this on a background thread.
  /// - Parameters:
  ///   - edit: the change.
  ///   - session: the session of the change, for the history.
  public func edit(_ edit: GroupEdit, in session: EditSession? = nil) throws(EditError) {
    guard !edit.changesNothing else { return }
    switch edit {
    case .add(let name):
      try check(name)
      try write(as: StepName(.addGroup, name), in: session) { writer in
        try writer.checkFree(name)
        _ = try writer.create(group: name)
      }
    case .rename(let name, let new):
      try check(new)
      try write(as: StepName(.renameGroup, name), in: session) { try $0.rename(group: name, to: new) }
    case .delete(let name):
      try write(as: StepName(.deleteGroup, name), in: session) { try $0.delete(group: name) }
    case .merge(let name, let target):
      try write(as: StepName(.mergeGroups, target), in: session) { try $0.merge(group: name, into: target) }
    case .addSmart(let name, let rule):
      try check(name)
      try write(as: StepName(.addGroup, name), in: session) { writer in
        try writer.checkFree(name)
        try writer.create(smartGroup: name, uid: UniqueID.make(), rule)
      }
    case .renameSmart(let group, let name):
      try check(name)
      try write(as: StepName(.renameGroup, group.name), in: session) { writer in
        let present = try writer.unchanged(group)
        try writer.checkFree(name)
        try writer.rename(present, to: name)
      }
    case .changeSmart(let group, let rule):
      try write(as: StepName(.changeGroup, group.name), in: session) { writer in
        try writer.change(try writer.unchanged(group), to: rule)
      }
    case .deleteSmart(let group):
      try write(as: StepName(.deleteGroup, group.name), in: session) { writer in
        try writer.delete(try writer.unchanged(group))
      }
    }
  }

  private func check(_ name: String) throws(EditError) {
    if let issue = GroupEdit.issue(ofName: name) { throw .invalid([issue]) }
  }

  private func write(
    as name: StepName, in session: EditSession?, _ body: (BulkWriter) throws -> Void
  ) throws(EditError) {
    try store.editing { try bulkWrite(groups: .replace, as: name, in: session, body) }
  }
}

extension BulkWriter {
  /// - Throws: `EditError.exists` if a group, smart or not, has this name.
  func checkFree(_ name: String) throws {
    if try !isFree(name) { throw EditError.exists(name) }
  }

  /// Renames a group.
  /// - Throws: `EditError.missing` if the group does not exist, `EditError.exists` if the name is in use.
  package func rename(group name: String, to new: String) throws {
    let group = try group(named: name)
    try checkFree(new)
    try rename(group: group.id, from: name, to: new)
    try recorder?.recordGroup(uid: group.uid, before: name, after: new)
  }

  /// Deletes a group and keeps its members.
  /// - Throws: `EditError.missing` if the group does not exist.
  package func delete(group name: String) throws {
    let group = try group(named: name)
    let lost = try LostGroup(db, group: group.id)
    for batch in lost.members.batches(of: Self.batch) { try changeGroups(of: batch, leaving: group.id) }
    try remove(group, name, lost)
  }

  /// Moves the members of one group to another, and deletes the first group.
  /// - Throws: `EditError.missing` if one of the groups does not exist.
  func merge(group name: String, into target: String) throws {
    let (group, target) = (try group(named: name), try self.group(named: target))
    for batch in try members(of: group.id).batches(of: Self.batch) {
      try changeGroups(of: batch, leaving: group.id, joining: target.id)
    }
    // Deleted contacts are still members. Move them too, so that they are in the other group when they are restored.
    let moved = try rows.add(try members(of: group.id), to: "members", of: "Group", target.id)
    var lost = try LostGroup(db, group: group.id)
    if !moved.isEmpty { lost.moved = LostGroup.Moved(target: target.uid, members: moved) }
    try remove(group, name, lost)
  }

  private func group(named name: String) throws -> (id: Int64, uid: String) {
    guard let row = try Row.fetchOne(db, sql: "SELECT id, uid FROM contact_group WHERE name = ?", arguments: [name])
    else { throw EditError.missing(name) }
    return (row.integer(0), row.text(1))
  }

  private func remove(_ group: (id: Int64, uid: String), _ name: String, _ lost: LostGroup) throws {
    try delete(group: group.id)
    // Another group may have the same name in different bytes.
    if groups[name] == group.id { groups[name] = nil }
    try recorder?.recordGroup(uid: group.uid, before: name, after: nil, lost: lost)
  }
}
