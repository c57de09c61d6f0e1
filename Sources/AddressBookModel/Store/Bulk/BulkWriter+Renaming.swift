import GRDB

/// Renames groups, whose names are in the checksums of their members.
extension BulkWriter {
  /// Renames a group and increments the versions of its members, deleted ones too. The history gets an entry without
  /// changes for each of them.
  func rename(group id: Int64, from name: String, to new: String) throws {
    let members = try members(of: id)
    let sums = try sums(of: members, with: id, named: new)
    let known = Set(sums.map(\.id))
    // The other members are decoded and compared.
    let others = members.filter { !known.contains($0) }
    try noteDamage(others)
    for member in members { (ahead[member], states[member]) = (nil, nil) }
    if !members.isEmpty, let replacement = try replacement(forCount: members.count) {
      for (number, batch) in members.batches(of: Self.batch).enumerated() {
        let contacts = IDCondition(batch)
        try replacement.write(contacts, deleting: nil) {
          try db.cachedStatement(sql: "UPDATE contact SET version = version + 1 WHERE id \(contacts.sql)")
            .execute(arguments: contacts.arguments)
          if number == 0 { try setName(new, ofGroup: id) }
        }
      }
    } else {
      // A trigger increments the versions.
      try setName(new, ofGroup: id)
    }
    for batch in members.batches(of: Self.batch) { try recorder?.record(batch, areThere: nil) }
    groups[name] = nil
    groups[new] = id
    try setChecksums(sums)
    try ContactChecksums.set(others, db, isDamaged: damage.has)
  }

  private func setName(_ name: String, ofGroup id: Int64) throws {
    try db.execute(
      sql: "UPDATE contact_group SET name = ?, version = version + 1 WHERE id = ?", arguments: [name, id])
  }

  /// Returns the checksums that contacts have after one of their groups was renamed. Contacts that must be decoded are
  /// left out.
  private func sums(of members: [Int64], with group: Int64, named new: String) throws -> [ChecksumCursor.Sums] {
    let groups = try groupRanks()
    guard triggerReplacement == nil, groups.areUnambiguous, !groups.contains(new), !new.utf8.contains(0) else {
      return []
    }
    var known: [[Int]: [UInt8]] = [:]
    var sums: [ChecksumCursor.Sums] = []
    for batch in members.batches(of: Self.batch) {
      var cursor = try ChecksumCursor(db, batch, groups: groups)
      while let contact = try cursor.next() {
        guard contact.fits else { continue }
        damage.note(contact.id, .whole, isDamaged: false)
        guard !damage.has(contact.id) else { continue }
        let ranks = cursor.ranks
        let digest = known[ranks] ?? groups.digest(of: ranks, with: group, named: new)
        known[ranks] = digest
        if let after = cursor.sums(after: ChecksumCursor.Change(groups: digest)) { sums.append(after) }
      }
    }
    return sums
  }
}

extension GroupRanks {
  /// Returns the bytes that a checksum covers for the groups with these ranks, one of which has a new name.
  fileprivate func digest(of ranks: [Int], with group: Int64, named new: String) -> [UInt8] {
    let renamed = ranks.map { ids[$0] == group ? new : names[$0] }.sorted()
    return ContactDigest.bytes(ofGroups: renamed.map { Array($0.utf8) })
  }
}
