import GRDB

/// Records and reverses changes of groups in the history.
extension BulkWriter {
  /// Records a change of a group by other statements.
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

  /// Reverses a step's change of a group, unless the group has changed since.
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
      try recorder?.recordGroup(uid: entry.uid, before: nil, after: name)
      for id in try Int64.fetchAll(db, sql: Self.membersInBook, arguments: [ContactLoader.json(entry.lost.members)]) {
        try record(changeOf: id) {
          try join(name, id)
          try raiseVersion("= ?", [id])
        }
      }
    case (let name?, let row?) where row[1] as String == entry.after && groups[name] == nil:
      let id: Int64 = row[0]
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
      let isUsed = try Bool.fetchOne(
        db, sql: "SELECT EXISTS (SELECT 1 FROM group_member WHERE group_id = ?)", arguments: [id])
      guard isUsed == false else { return }
      let lost = try LostGroup(db, group: id)
      try db.execute(sql: "DELETE FROM contact_group WHERE id = ?", arguments: [id])
      groups[row[1]] = nil
      try recorder?.recordGroup(uid: entry.uid, before: row[1], after: nil, lost: lost)
    default: break
    }
  }

  private static let membersInBook = "SELECT id FROM contact WHERE id IN (SELECT value FROM json_each(?))"

  private func raiseVersion(_ condition: String, _ arguments: StatementArguments) throws {
    try db.execute(sql: "UPDATE contact SET version = version + 1 WHERE id \(condition)", arguments: arguments)
  }
}
