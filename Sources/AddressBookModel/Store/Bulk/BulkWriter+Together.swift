import GRDB

extension BulkWriter {
  /// How many contacts are changed together. The batches are large, because SQLite prepares all statements again
  /// whenever the triggers are suspended or enabled.
  static let batch = 4000
  /// How many contacts are decoded together.
  static let decodedBatch = 500

  func groupRanks() throws -> GroupRanks {
    if let knownRanks { return knownRanks }
    let ranks = try GroupRanks(db)
    knownRanks = ranks
    return ranks
  }

  /// Runs statements that change contacts, which then get new checksums. If there are many contacts, a replacement does
  /// the work of the triggers.
  /// - Parameters:
  ///   - ids: the contacts, in ascending order.
  ///   - isDeleted: true if they are deleted, false if they are restored; nil if neither.
  ///   - body: gets a condition on the ids.
  func replacingTriggers(
    for ids: [Int64], deleting isDeleted: Bool? = nil, _ body: (IDCondition) throws -> Void
  ) throws {
    let contacts = IDCondition(ids)
    guard let replacement = try replacement(forCount: ids.count) else { return try body(contacts) }
    try replacement.write(contacts, deleting: isDeleted) { try body(contacts) }
  }

  /// Returns the replacement for the triggers while this many contacts are changed together; nil if the triggers must
  /// run.
  func replacement(forCount count: Int) throws -> TriggerReplacement? {
    // Created once: comparing the triggers costs as much as running them for a few hundred contacts.
    if temporaryReplacement == nil, count >= TriggerReplacement.minimum {
      temporaryReplacement = .some(try TriggerReplacement(db, begins: false))
    }
    return temporaryReplacement ?? nil
  }

  func setChecksums(_ sums: [ChecksumCursor.Sums]) throws {
    let insertion = statements.insertion(.checksum)
    for contact in sums {
      try insertion.run(
        contact.id, [.integer(contact.whole), .integer(contact.list)], UnsafeRawBufferPointer(start: nil, count: 0))
    }
  }
}
