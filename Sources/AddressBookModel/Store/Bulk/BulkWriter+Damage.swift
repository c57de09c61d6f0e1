import GRDB

/// Keeps damage from going unnoticed: a write gives a contact new checksums, which would match damaged values.
extension BulkWriter {
  /// Records which of these contacts are damaged. Call it before writes that do not read the contacts, such as
  /// ``delete(_:)``, ``restore(_:)``, and statements that rename or delete a group: these delete the checksums of its
  /// members.
  func noteDamage(_ ids: [Int64]) throws { try ContactLoader(db, damage: damage).check(ids) }

  /// Marks a contact as damaged, after its last write, because it got values from a damaged one.
  func markDamaged(_ id: Int64) throws { try ContactChecksums.set([id], db) { _ in true } }

  /// Runs `change`, which changes the groups of these deleted contacts, and sets their checksums. Their versions stay
  /// the same, so no trigger deletes the checksums of those that join a group.
  func changeGroups(ofDeleted ids: [Int64], _ change: () throws -> Void) throws {
    guard !ids.isEmpty else { return }
    try noteDamage(ids)
    for id in ids { ahead[id] = nil }
    try change()
    for some in ids.batches(of: Self.decodedBatch) { try ContactChecksums.set(some, db, isDamaged: damage.has) }
  }
}
