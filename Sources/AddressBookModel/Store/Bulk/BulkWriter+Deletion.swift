import GRDB

extension BulkWriter {
  /// Deletes a contact, unless it is already deleted. It can be restored.
  public func delete(_ id: Int64) throws { try setDeleted(true, id) }

  /// Restores a contact, if it is deleted.
  public func restore(_ id: Int64) throws { try setDeleted(false, id) }

  private func setDeleted(_ isDeleted: Bool, _ id: Int64) throws {
    var isChanged = false
    try updating(id) {
      try db.cachedStatement(
        sql: """
          UPDATE contact SET deleted_at = ?, modified_at = ?, version = version + 1
          WHERE id = ? AND (deleted_at IS NULL) = ?
          """
      ).execute(arguments: [isDeleted ? moment : nil, moment, id, isDeleted])
      isChanged = db.changesCount > 0
    }
    guard let recorder, isChanged, let now = try state(of: id) else { return }
    try recorder.record(
      EditEntry(
        contact: id, wasThere: isDeleted, isThere: !isDeleted, versionBefore: now.version - 1, version: now.version))
  }

  /// Deletes or restores a batch of contacts. Those that are already in that state are skipped.
  func setDeleted(_ isDeleted: Bool, all ids: [Int64]) throws {
    guard triggerReplacement == nil else {
      try noteDamage(ids)
      for id in ids { try setDeleted(isDeleted, id) }
      return
    }
    let change = ChecksumCursor.Change(modified: moment, deleted: isDeleted ? moment : "")
    var (changed, sums): ([Int64], [ChecksumCursor.Sums]) = ([], [])
    var cursor = try ChecksumCursor(db, ids, groups: groupRanks())
    while let contact = try cursor.next() {
      guard contact.isDeleted != isDeleted else { continue }
      changed.append(contact.id)
      guard let after = cursor.sums(after: change) else { continue }
      damage.note(contact.id, .whole, isDamaged: false)
      if !damage.has(contact.id) { sums.append(after) }
    }
    guard !changed.isEmpty else { return }
    // The other contacts are decoded and compared.
    let fitting = Set(sums.map(\.id))
    let others = fitting.count < changed.count ? changed.filter { !fitting.contains($0) } : []
    try noteDamage(others)
    for id in changed { (ahead[id], states[id]) = (nil, nil) }
    try replacingTriggers(for: changed, deleting: isDeleted) { contacts in
      try db.cachedStatement(
        sql: "UPDATE contact SET deleted_at = ?, modified_at = ?, version = version + 1 WHERE id \(contacts.sql)"
      ).execute(arguments: [isDeleted ? moment : nil, moment] + contacts.arguments)
    }
    try recorder?.record(changed, areThere: !isDeleted)
    try setChecksums(sums)
    try ContactChecksums.set(others, db, isDamaged: damage.has)
  }
}
