import GRDB

/// Deletes and restores contacts.
extension BulkWriter {
  /// Deletes a contact so that it can be restored; ignored if it is already deleted.
  public func delete(_ id: Int64) throws { try setDeleted(true, id) }

  /// Restores a deleted contact; ignored if it is not deleted.
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

  /// Deletes or restores a few hundred contacts at once, and sets their checksums. Those already in that state are
  /// skipped.
  func setDeleted(_ isDeleted: Bool, all ids: [Int64]) throws {
    guard standIn == nil else {
      try noteDamage(ids)
      for id in ids { try setDeleted(isDeleted, id) }
      return
    }
    let change = ChecksumCursor.Change(deleted: isDeleted ? moment : "", modified: moment)
    var (changed, sums): ([Int64], [ChecksumCursor.Sums]) = ([], [])
    let cursor = try ChecksumCursor(db, ids, after: change)
    while let contact = try cursor.next() {
      guard contact.isDeleted != isDeleted else { continue }
      changed.append(contact.id)
      if contact.after != nil { sums.append(contact) }
    }
    guard !changed.isEmpty else { return }
    for contact in sums { damage.note(contact.id, .whole, isDamaged: false) }
    // Whatever differs is read and compared in the plain way.
    let fitting = Set(sums.lazy.filter { !self.damage.has($0.id) }.map(\.id))
    let others = fitting.count < changed.count ? changed.filter { !fitting.contains($0) } : []
    try noteDamage(others)
    for id in changed { (ahead[id], states[id]) = (nil, nil) }
    let list = ContactLoader.json(changed)
    func update() throws {
      try db.cachedStatement(
        sql: """
          UPDATE contact SET deleted_at = ?, modified_at = ?, version = version + 1
          WHERE id IN (SELECT value FROM json_each(?))
          """
      ).execute(arguments: [isDeleted ? moment : nil, moment, list])
    }
    if let standIn = try standInForDeletions(changed.count) {
      try standIn.move(list, toTrash: isDeleted, update)
    } else {
      try update()
    }
    try recorder?.record(changed, areThere: !isDeleted)
    let insertion = statements.insertion(.checksum)
    for contact in sums where fitting.contains(contact.id) {
      guard let after = contact.after else { continue }
      try insertion.run(
        contact.id, [.integer(after.whole), .integer(after.list)], UnsafeRawBufferPointer(start: nil, count: 0))
    }
    try ContactChecksums.set(others, db, isDamaged: damage.has)
  }

  /// Made once: comparing the triggers costs as much as running them for a few hundred contacts.
  private func standInForDeletions(_ count: Int) throws -> TriggerStandIn? {
    if deletionStandIn == nil, count >= TriggerStandIn.minimum {
      deletionStandIn = .some(try TriggerStandIn(db, begins: false))
    }
    return deletionStandIn ?? nil
  }
}
