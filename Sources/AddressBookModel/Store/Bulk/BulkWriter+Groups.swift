import GRDB

/// Records and reverses changes to groups in the history.
extension BulkWriter {
  /// Records a group that other statements created.
  func record(newGroup name: String, uid: String) throws {
    try recorder?.recordGroup(uid: uid, before: nil, after: name)
  }

  /// Records that other statements are about to replace the card of a group.
  /// - Parameter successor: the lines of the new card, as they will be stored.
  func record(newCard successor: String, ofGroup id: Int64) throws {
    guard let group = try Row.fetchOne(db, sql: "SELECT uid, name FROM contact_group WHERE id = ?", arguments: [id])
    else { return }
    var lost = try LostGroup.card(db, group: id)
    lost.successor = successor
    try recorder?.recordGroup(uid: group[0], before: group[1], after: group[1], lost: lost)
  }

  /// Reverses a step's change to a group, unless the group has changed since.
  func reverse(_ entry: GroupEntry) throws {
    if let rule = entry.lost.rule { return try reverse(entry, rule) }
    let row = try Row.fetchOne(
      db, sql: "SELECT id, name FROM contact_group WHERE uid = ?", arguments: [entry.uid])
    switch (entry.before, row) {
    case (let name?, nil) where groups[name] == nil:
      try db.execute(sql: "INSERT INTO contact_group (uid, name) VALUES (?, ?)", arguments: [entry.uid, name])
      let group = db.lastInsertedRowID
      groups[name] = group
      try entry.lost.restoreCard(db, group: group)
      let deleted = try restoreMembers(entry.lost, of: name)
      try recorder?.recordGroup(uid: entry.uid, before: nil, after: name, lost: deleted)
    case (let name?, let row?) where row[1] as String == entry.after && groups[name] == nil:
      let id: Int64 = row[0]
      try noteDamage(members(of: id))
      try db.execute(sql: "UPDATE contact_group SET name = ? WHERE id = ?", arguments: [name, id])
      try raiseVersion("IN (SELECT contact_id FROM group_member WHERE group_id = ?)", [id])
      groups[row[1]] = nil
      groups[name] = id
      try recorder?.recordGroup(uid: entry.uid, before: row[1], after: name)
    case (let name?, let row?) where entry.after == name && entry.lost.successor != nil:
      let id: Int64 = row[0]
      // Unless the group has been given another card since.
      guard let lines = entry.lost.lines, try LostGroup.card(db, group: id).lines == entry.lost.successor else {
        return
      }
      try record(newCard: lines, ofGroup: id)
      try entry.lost.restoreCard(db, group: id)
    case (nil, let row?):
      let id: Int64 = row[0]
      guard try !isUsed(id, apartFrom: entry.lost.members) else { return }
      try noteDamage(members(of: id))
      let moved = try entry.lost.moved.map(reapplyMove)
      var lost = try LostGroup(db, group: id)
      lost.moved = moved
      try db.execute(sql: "DELETE FROM contact_group WHERE id = ?", arguments: [id])
      groups[row[1]] = nil
      try recorder?.recordGroup(uid: entry.uid, before: row[1], after: nil, lost: lost)
    default: break
    }
  }

  /// Gives a group its members back, and removes from the other group those that a merge moved there.
  /// - Returns: what was done to deleted contacts, for the history of the group: they have no entries of their own.
  private func restoreMembers(_ lost: LostGroup, of name: String) throws -> LostGroup {
    var deleted = LostGroup()
    for id in lost.members {
      guard let state = try state(of: id) else { continue }
      if state.isDeleted {
        try changeGroups(ofDeleted: id) { try join(name, id) }
        deleted.members.append(id)
      } else {
        try record(changeOf: id) {
          try join(name, id)
          try raiseVersion("= ?", [id])
        }
      }
    }
    guard let moved = lost.moved, let target = try Self.group(moved.target, db) else { return deleted }
    deleted.moved = LostGroup.Moved(target: moved.target, members: [])
    for id in moved.members {
      guard let state = try state(of: id) else { continue }
      if state.isDeleted {
        try changeGroups(ofDeleted: id) { try leave(target, id) }
        deleted.moved?.members.append(id)
      } else {
        try record(changeOf: id) {
          try leave(target, id)
          try raiseVersion("= ?", [id])
        }
      }
    }
    return deleted
  }

  /// The ids of the members of a group, deleted ones too.
  func members(of group: Int64) throws -> [Int64] {
    try Int64.fetchAll(db, sql: "SELECT contact_id FROM group_member WHERE group_id = ?", arguments: [group])
  }

  /// Moves deleted contacts to the other group again, when a merge is redone.
  private func reapplyMove(_ moved: LostGroup.Moved) throws -> LostGroup.Moved {
    var again = LostGroup.Moved(target: moved.target, members: [])
    guard let target = try Self.group(moved.target, db) else { return again }
    for id in moved.members where try state(of: id)?.isDeleted == true {
      try changeGroups(ofDeleted: id) {
        try db.execute(
          sql: "INSERT OR IGNORE INTO group_member (group_id, contact_id) VALUES (?, ?)", arguments: [target, id])
        if db.changesCount > 0 { again.members.append(id) }
      }
    }
    return again
  }

  private func leave(_ group: Int64, _ id: Int64) throws {
    try db.execute(sql: "DELETE FROM group_member WHERE group_id = ? AND contact_id = ?", arguments: [group, id])
  }

  private static func group(_ uid: String, _ db: Database) throws -> Int64? {
    try Int64.fetchOne(db, sql: "SELECT id FROM contact_group WHERE uid = ?", arguments: [uid])
  }

  /// True if a group has other members than these contacts, or if one of these is no longer deleted.
  private func isUsed(_ group: Int64, apartFrom deleted: [Int64]) throws -> Bool {
    try Bool.fetchOne(
      db,
      sql: """
        SELECT EXISTS (
          SELECT 1 FROM group_member WHERE group_id = ? AND contact_id NOT IN (
            SELECT id FROM contact WHERE deleted_at IS NOT NULL AND id IN (SELECT value FROM json_each(?))))
        """, arguments: [group, ContactLoader.json(deleted)]) ?? false
  }

  private func raiseVersion(_ condition: String, _ arguments: StatementArguments) throws {
    try db.execute(sql: "UPDATE contact SET version = version + 1 WHERE id \(condition)", arguments: arguments)
  }
}
