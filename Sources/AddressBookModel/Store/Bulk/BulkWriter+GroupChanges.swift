import GRDB

/// Changes the groups of many contacts, with a few statements per batch.
extension BulkWriter {
  /// Changes the groups of the contacts that need not be decoded; ``change(_:_:)`` does the same for the others.
  /// - Returns: the contacts that are done.
  func changeGroups(of ids: [Int64], _ change: GroupChange) throws -> Set<Int64> {
    var known: [[Int]: GroupTransition] = [:]
    return try changeGroups(of: ids) { _, ranks, groups in
      if let transition = known[ranks] { return transition }
      guard let new = change.apply(to: ranks, groups) else { return nil }
      let transition = GroupTransition(from: ranks, to: new, groups)
      known[ranks] = transition
      return transition
    }
  }

  /// Reverses the entries that changed only the groups of a contact. Contacts that have been written since, were in
  /// groups that no longer exist, or must be decoded for another reason are left to the caller, like the other entries.
  /// - Parameter entries: what a step changed in contacts, in ascending order of their ids.
  /// - Returns: the contacts that are done.
  func reverseGroups(_ entries: [EditEntry]) throws -> Set<Int64> {
    let entries = entries.filter { entry in
      entry.wasThere && entry.isThere && entry.last == nil && entry.changes?.changesOnlyGroups == true
    }
    guard !entries.isEmpty else { return [] }
    var known: [ContactDelta: (left: [Int], transition: GroupTransition?)] = [:]
    var index = 0
    return try changeGroups(of: entries.map(\.contact)) { contact, ranks, groups in
      while entries[index].contact < contact.id { index += 1 }
      guard entries[index].version == contact.version, let changes = entries[index].changes else { return nil }
      let reversal = try known[changes] ?? Self.reversal(of: changes, groups)
      known[changes] = reversal
      return reversal.left == ranks ? reversal.transition : nil
    }
  }

  /// Returns the ranks of the groups that contacts were in after a step, and the transition back to the groups before
  /// it. Without a transition, the step changed something else, or one of the groups no longer exists.
  private static func reversal(
    of changes: ContactDelta, _ groups: GroupRanks
  ) throws -> (left: [Int], transition: GroupTransition?) {
    guard let changed = try changes.changedGroups(), let before = groups.ranks(of: changed.before),
      let after = groups.ranks(of: changed.after)
    else { return ([], nil) }
    return (after, GroupTransition(from: after, to: before, groups))
  }

  /// - Parameter transition: returns the change from the groups with these ranks to others; nil for a contact that must
  ///   be decoded.
  private func changeGroups(
    of ids: [Int64],
    _ transition: (_ contact: ChecksumCursor.Found, _ ranks: [Int], _ groups: GroupRanks) throws -> GroupTransition?
  ) throws -> Set<Int64> {
    let groups = try groupRanks()
    guard triggerReplacement == nil, groups.areUnambiguous else { return [] }
    var done: Set<Int64> = []
    var changed: [StepRecorder.GroupsChanged] = []
    var sums: [ChecksumCursor.Sums] = []
    var cursor = try ChecksumCursor(db, ids, groups: groups)
    while let contact = try cursor.next() {
      guard contact.fits else { continue }
      damage.note(contact.id, .whole, isDamaged: false)
      guard !contact.isDeleted, !damage.has(contact.id),
        let transition = try transition(contact, cursor.ranks, groups)
      else { continue }
      done.insert(contact.id)
      if transition.isEmpty { continue }
      changed.append((contact.id, contact.version, transition))
      let change = ChecksumCursor.Change(modified: moment, groups: transition.digest)
      if let after = cursor.sums(after: change) { sums.append(after) }
    }
    try write(changed, sums)
    return done
  }

  private func write(_ changed: [StepRecorder.GroupsChanged], _ sums: [ChecksumCursor.Sums]) throws {
    guard !changed.isEmpty else { return }
    var (joined, left): ([Int64: [Int64]], [Int64: [Int64]]) = ([:], [:])
    for (id, _, transition) in changed {
      (ahead[id], states[id]) = (nil, nil)
      for group in transition.joined { joined[group, default: []].append(id) }
      for group in transition.left { left[group, default: []].append(id) }
    }
    try replacingTriggers(for: changed.map(\.contact)) { contacts in
      try db.cachedStatement(sql: "UPDATE contact SET modified_at = ?, version = version + 1 WHERE id \(contacts.sql)")
        .execute(arguments: [moment] + contacts.arguments)
      for (group, ids) in left {
        let members = IDCondition(ids)
        try db.cachedStatement(sql: "DELETE FROM group_member WHERE group_id = ? AND contact_id \(members.sql)")
          .execute(arguments: [group] + members.arguments)
      }
      for (group, ids) in joined {
        let members = IDCondition(ids)
        try db.cachedStatement(
          sql: """
            INSERT OR IGNORE INTO group_member (group_id, contact_id) SELECT ?, id FROM contact WHERE id \(members.sql)
            """
        ).execute(arguments: [group] + members.arguments)
      }
    }
    updated += changed.count
    try recorder?.record(changed)
    try setChecksums(sums)
  }
}
