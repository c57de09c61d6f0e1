import GRDB

/// Keeps damage from going unnoticed: a write gives a contact new checksums, which would fit damaged values.
extension BulkWriter {
  /// Records which of these contacts are damaged. Call it before writes that do not read them: ``delete(_:)``,
  /// ``restore(_:)``, and statements that rename or delete a group, which delete the checksums of its members.
  func noteDamage(_ ids: [Int64]) throws { try ContactLoader(db, damage: damage).check(ids) }

  /// Marks a contact as damaged, after its last write, because it got values from a damaged one.
  func markDamaged(_ id: Int64) throws { try ContactChecksums.set([id], db) { _ in true } }

  /// Changes the groups of a deleted contact by other statements, and sets its checksums. Its version stays the same,
  /// so no trigger would delete them.
  func changeGroups(ofDeleted id: Int64, _ change: () throws -> Void) throws {
    try noteDamage([id])
    try change()
    try ContactChecksums.set([id], db, isDamaged: damage.has)
  }
}
