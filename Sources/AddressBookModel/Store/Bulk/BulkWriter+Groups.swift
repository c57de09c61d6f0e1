import GRDB
import ObjectGraph

/// Creates groups, and records and reverses changes to groups in the history.
extension BulkWriter {
  /// Creates a group without members, whose name must be free.
  /// - Parameter preferred: the UID that it gets unless that is empty, or another group has it.
  /// - Returns: its id.
  package func create(group name: String, preferring preferred: String = "") throws -> Int64 {
    let isFree = try !preferred.isEmpty && Self.group(preferred, db) == nil
    let uid = isFree ? preferred : UniqueID.make()
    let group = try insert(group: name, uid)
    try recorder?.recordGroup(uid: uid, before: nil, after: name)
    return group
  }

  /// Records the card of a group that other statements are about to replace.
  /// - Parameter successor: the lines of the new card, as they will be stored.
  package func record(newCard successor: String, ofGroup id: Int64) throws {
    guard let group = try Row.fetchOne(db, sql: "SELECT uid, name FROM contact_group WHERE id = ?", arguments: [id])
    else { return }
    var lost = try LostGroup.card(db, group: id)
    lost.successor = successor
    try recorder?.recordGroup(uid: group[0], before: group[1], after: group[1], lost: lost)
  }

  /// Creates a group that a step deleted, without its members. It is created even if a smart group has the same name by
  /// now, because the members would be lost otherwise.
  /// - Returns: its id; nil if the entry is not about the deletion of a group, if it is about a smart group, or if
  ///   another group has the name.
  func recreate(_ entry: GroupEntry) throws -> Int64? {
    guard entry.lost.rule == nil, let name = entry.before, entry.after == nil, groups[name] == nil,
      try Self.group(entry.uid, db) == nil
    else { return nil }
    let group = try insert(group: name, entry.uid)
    try entry.lost.restoreCard(db, group: group)
    return group
  }

  /// Reverses a step's change to a group, unless the group has changed since. A deletion is reversed by
  /// ``recreate(_:)`` before the contacts, and by ``restoreMembers(_:of:)`` after them.
  func reverse(_ entry: GroupEntry) throws {
    if let rule = entry.lost.rule { return try reverse(entry, rule) }
    let row = try Row.fetchOne(
      db, sql: "SELECT id, name FROM contact_group WHERE uid = ?", arguments: [entry.uid])
    switch (entry.before, row) {
    case (let name?, let row?) where try row[1] as String == entry.after && isFree(name):
      try rename(group: row[0], from: row[1], to: name)
      try recorder?.recordGroup(uid: entry.uid, before: row[1], after: name)
    case (let name?, let row?) where entry.after == name && entry.lost.successor != nil:
      let id: Int64 = row[0]
      // The group may have been given another card since.
      guard let lines = entry.lost.lines, try LostGroup.card(db, group: id).lines == entry.lost.successor else {
        return
      }
      try record(newCard: lines, ofGroup: id)
      try entry.lost.restoreCard(db, group: id)
    case (nil, let row?):
      let id: Int64 = row[0]
      guard try !isUsed(id, apartFrom: entry.lost.members) else { return }
      let moved = try entry.lost.moved.map(reapplyMove)
      var lost = try LostGroup(db, group: id)
      lost.moved = moved
      try delete(group: id)
      groups[row[1]] = nil
      try recorder?.recordGroup(uid: entry.uid, before: row[1], after: nil, lost: lost)
    default: break
    }
  }

  /// Gives a group that was created again its members back, and removes from the other group those that a merge moved
  /// there. Call it after reversing what the step changed in contacts: then only members without an entry are missing,
  /// most of them deleted contacts.
  func restoreMembers(_ entry: GroupEntry, of group: Int64) throws {
    let (present, lost) = (try Set(members(of: group)), entry.lost)
    // The entry of the group lists its deleted contacts, which get no entries of their own.
    var deleted = LostGroup()
    deleted.members = try changeAll(lost.members.filter { !present.contains($0) }, joining: group)
    if let moved = lost.moved, let target = try Self.group(moved.target, db) {
      let members = try changeAll(moved.members, leaving: target)
      deleted.moved = LostGroup.Moved(target: moved.target, members: members)
    }
    try recorder?.recordGroup(uid: entry.uid, before: nil, after: entry.before, lost: deleted)
  }

  /// Changes the groups of contacts, deleted or not.
  /// - Returns: the deleted contacts, which get no entries.
  private func changeAll(_ ids: [Int64], leaving left: Int64? = nil, joining joined: Int64? = nil) throws -> [Int64] {
    var deleted: [Int64] = []
    for batch in ids.sorted().batches(of: Self.batch) {
      try changeGroups(of: batch, leaving: left, joining: joined)
      let gone = try Int64.fetchAll(
        db.cachedStatement(
          sql: """
            SELECT id FROM contact WHERE id IN (SELECT value FROM json_each(?)) AND deleted_at IS NOT NULL ORDER BY id
            """), arguments: [ContactLoader.json(batch)])
      try change(deleted: gone) { id in
        if let left { try rows.remove([id], from: "members", of: "Group", left) }
        if let joined { try join(joined, id) }
      }
      deleted += gone
    }
    return deleted
  }

  /// Returns the ids of the members of a group, deleted ones too, in ascending order.
  func members(of group: Int64) throws -> [Int64] { try Self.members(of: group, db) }

  package static func members(of group: Int64, _ db: Database) throws -> [Int64] {
    try Int64.fetchAll(
      db, sql: "SELECT contact_id FROM group_member WHERE group_id = ? ORDER BY contact_id", arguments: [group])
  }

  /// Moves deleted contacts to the other group again, when a merge is redone.
  private func reapplyMove(_ moved: LostGroup.Moved) throws -> LostGroup.Moved {
    var again = LostGroup.Moved(target: moved.target, members: [])
    guard let target = try Self.group(moved.target, db) else { return again }
    let ids = try moved.members.filter { try state(of: $0)?.isDeleted == true }
    try change(deleted: ids) { id in
      again.members += try rows.add([id], to: "members", of: "Group", target)
    }
    return again
  }

  /// Changes the groups of deleted contacts. Their versions stay, so no trigger removes the checksums of those that join.
  private func change(deleted ids: [Int64], _ change: (Int64) throws -> Void) throws {
    try updating(ids) {
      for id in ids { try change(id) }
      try ContactChecksums.remove(ids, db)
    }
  }

  /// Deletes a group that has no members but deleted contacts.
  func delete(group id: Int64) throws {
    try updating(try members(of: id)) {
      try rows.delete("Group", [id])
    }
  }

  /// Renames a group. A trigger increments the versions of its members, deleted ones too, and the history gets an entry
  /// without changes for each of them.
  func rename(group id: Int64, from name: String, to new: String) throws {
    let members = try members(of: id)
    try updating(members) {
      try rows.update("Group", [id], [("name", .string(new))])
    }
    for batch in members.batches(of: Self.batch) { try recorder?.record(batch, areThere: nil) }
    groups[name] = nil
    groups[new] = id
  }

  private func insert(group name: String, _ uid: String) throws -> Int64 {
    let id = try rows.insert(BatchObject("Group", [.string(uid), .string(name)]))
    groups[name] = id
    return id
  }

  private static func group(_ uid: String, _ db: Database) throws -> Int64? {
    try Int64.fetchOne(db, sql: "SELECT id FROM contact_group WHERE uid = ?", arguments: [uid])
  }

  /// Returns true if a group has members other than these contacts, or if one of these is no longer deleted.
  private func isUsed(_ group: Int64, apartFrom deleted: [Int64]) throws -> Bool {
    try Bool.fetchOne(
      db,
      sql: """
        SELECT EXISTS (
          SELECT 1 FROM group_member WHERE group_id = ? AND contact_id NOT IN (
            SELECT id FROM contact WHERE deleted_at IS NOT NULL AND id IN (SELECT value FROM json_each(?))))
        """, arguments: [group, ContactLoader.json(deleted)]) ?? false
  }
}
