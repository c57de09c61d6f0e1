import Contacts
import Foundation
import GRDB

/// Changes the groups of many contacts without decoding them.
extension BulkWriter {
  /// Removes contacts from a group and adds them to another, as one change of each. Deleted contacts are skipped.
  /// - Parameters:
  ///   - ids: different ids, in ascending order.
  ///   - left: the id of the group that they leave; nil for none.
  ///   - joined: the id of the group that they join; nil for none. It is asked for when there is a contact.
  /// - Returns: the number of contacts whose groups changed.
  @discardableResult
  package func changeGroups(
    of ids: [Int64], leaving left: Int64? = nil, joining joined: @autoclosure () throws -> Int64? = nil
  ) throws -> Int {
    var known: [Set<Int64>: GroupTransition] = [:]
    return try changeGroups(of: ids) { _, before in
      if let transition = known[before] { return transition }
      var after = before
      if let left { after.remove(left) }
      if let joined = try joined() { after.insert(joined) }
      let transition = try GroupTransition(from: before, to: after, db)
      known[before] = transition
      return transition
    }
  }

  /// Reverses the entries that changed only the groups of a contact. Contacts that have been written since, or were in
  /// groups that no longer exist, are left to the caller, like the other entries.
  /// - Parameter entries: what a step changed in contacts, in ascending order of their ids.
  /// - Returns: the contacts that are done.
  func reverseGroups(_ entries: [EditEntry]) throws -> Set<Int64> {
    let entries = entries.filter { entry in
      entry.wasThere && entry.isThere && entry.last == nil && entry.changes?.changesOnlyGroups == true
    }
    guard !entries.isEmpty else { return [] }
    var known: [ContactDelta: (left: Set<Int64>, transition: GroupTransition)?] = [:]
    var (index, done): (Int, Set<Int64>) = (0, [])
    _ = try changeGroups(of: entries.map(\.contact)) { contact, groups in
      while entries[index].contact < contact.id { index += 1 }
      guard entries[index].version == contact.version, let changes = entries[index].changes else { return nil }
      let reversal = try known[changes] ?? reversal(of: changes)
      known[changes] = .some(reversal)
      guard let reversal, reversal.left == groups else { return nil }
      done.insert(contact.id)
      return reversal.transition
    }
    return done
  }

  /// Returns the groups that contacts were in after a step, and the transition back to those before it; nil if the step
  /// changed something else, or if one of the groups no longer exists.
  private func reversal(of changes: ContactDelta) throws -> (left: Set<Int64>, transition: GroupTransition)? {
    guard let changed = try changes.changedGroups(), let before = try ids(ofGroups: changed.before),
      let after = try ids(ofGroups: changed.after)
    else { return nil }
    return (after, try GroupTransition(from: after, to: before, db))
  }

  private func ids(ofGroups names: [String]) throws -> Set<Int64>? {
    let ids = try names.map { name in
      try Int64.fetchOne(
        db.cachedStatement(sql: "SELECT id FROM contact_group WHERE name = ?"), arguments: [name])
    }
    return ids.contains(nil) ? nil : Set(ids.compactMap(\.self))
  }

  /// - Parameter transition: returns the change from the groups with these ids to others; nil for none.
  /// - Returns: the number of contacts whose groups changed.
  private func changeGroups(
    of ids: [Int64],
    _ transition: (_ contact: (id: Int64, version: Int), _ groups: Set<Int64>) throws -> GroupTransition?
  ) throws -> Int {
    let rows = try Row.fetchCursor(
      db.cachedStatement(
        sql: """
          SELECT id, version, (SELECT group_concat(group_id) FROM group_member WHERE contact_id = contact.id)
          FROM contact WHERE id IN (SELECT value FROM json_each(?)) AND deleted_at IS NULL ORDER BY id
          """), arguments: [ContactLoader.json(ids)])
    var memberships: [String: Set<Int64>] = [:]
    var changed: [GroupsChanged] = []
    while let row = try rows.next() {
      let text = row.text(2)
      let groups = memberships[text] ?? Set(text.split(separator: ",").compactMap { Int64($0) })
      memberships[text] = groups
      let contact = (id: row.integer(0), version: row.number(1))
      guard let transition = try transition(contact, groups), !transition.isEmpty else { continue }
      changed.append((contact.id, contact.version, transition))
    }
    try write(changed)
    return changed.count
  }

  /// A contact that changes only its groups, with its version before the change.
  private typealias GroupsChanged = (contact: Int64, version: Int, transition: GroupTransition)

  private func write(_ changed: [GroupsChanged]) throws {
    guard !changed.isEmpty else { return }
    var (joined, left): ([Int64: [Int64]], [Int64: [Int64]]) = ([:], [:])
    for (id, _, transition) in changed {
      for group in transition.joined { joined[group, default: []].append(id) }
      for group in transition.left { left[group, default: []].append(id) }
    }
    let ids = changed.map(\.contact)
    try updating(ids) {
      try rows.update("Person", ids, [("modified", .string(moment))])
      for (group, ids) in left { try rows.remove(ids, from: "members", of: "Group", group) }
      for (group, ids) in joined { try rows.add(ids, to: "members", of: "Group", group) }
    }
    updated += changed.count
    for (contact, version, transition) in changed {
      try recorder?.record(
        EditEntry(
          contact: contact, wasThere: true, isThere: true, versionBefore: version, version: version + 1,
          changes: transition.delta))
    }
  }
}

/// The change from some groups to others, computed once for all contacts that are in the same groups.
struct GroupTransition {
  /// The ids of the groups that the contacts join.
  let joined: Set<Int64>
  /// The ids of the groups that the contacts leave.
  let left: Set<Int64>
  let delta: ContactDelta

  init(from old: Set<Int64>, to new: Set<Int64>, _ db: Database) throws {
    func names(_ groups: Set<Int64>) throws -> [String] {
      try groups.compactMap { group in
        try String.fetchOne(
          db.cachedStatement(sql: "SELECT name FROM contact_group WHERE id = ?"), arguments: [group])
      }.sorted()
    }
    joined = new.subtracting(old)
    left = old.subtracting(new)
    delta = ContactDelta(fromGroups: try names(old), to: try names(new))
  }

  var isEmpty: Bool { joined.isEmpty && left.isEmpty }
}
