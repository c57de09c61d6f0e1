import AddressBookModel
import GRDB

/// A card that another program moved between two folders.
private struct FollowedMove {
  let row: SyncedCard
  let entry: FolderListing.Entry
  let from: Int64
  let fromPath: String
  let path: String
}

/// What a folder lacks and what is new in it, compared with the last sync, by UID.
private struct FolderChanges {
  let state: SyncState
  let gone: [String: SyncedCard]
  let new: [String: FolderListing.Entry]

  init(_ state: SyncState, _ listing: FolderListing) {
    self.state = state
    let here = listing.byUID
    let known = Dictionary(
      state.rows.filter { $0.hasBase && !$0.uid.isEmpty }.map { (CardIdentity.canonical($0.uid), $0) },
      uniquingKeysWith: { first, _ in first })
    let skipped = Set(listing.skipped.map(\.file))
    gone = known.filter {
      here[$0.key] == nil && !listing.doubledUIDs.contains($0.key) && !skipped.contains($0.value.file)
    }
    new = here.filter { known[$0.key] == nil }
  }

  /// Returns the cards that are gone here and new in a folder.
  func moves(from fromPath: String, to other: FolderChanges, _ path: String) -> [FollowedMove] {
    guard let from = state.folder else { return [] }
    return gone.compactMap { uid, row in
      other.new[uid].map { FollowedMove(row: row, entry: $0, from: from, fromPath: fromPath, path: path) }
    }
  }
}

extension AddressBook {
  /// Follows the cards that another program moved between this folder and another one that the book knows, before a sync
  /// writes anything: a card that is gone in one folder and new in the other is neither a deletion nor a new contact, and
  /// is compared with what both had in the old folder.
  /// - Returns: true if there was one.
  func followMoves(
    _ folder: CardFolder, _ state: SyncState, _ listing: FolderListing, _ session: EditSession?
  ) throws -> Bool {
    let others = try folders().map(\.path).filter { $0 != folder.path }
    if others.isEmpty { return false }
    let here = FolderChanges(state, listing)
    if here.gone.isEmpty, here.new.isEmpty { return false }
    var moves: [FollowedMove] = []
    for path in others {
      // Another folder that cannot be read takes part in no move.
      guard let other = try? CardFolder(path: path), let there = try changes(in: other, facing: here) else { continue }
      moves += here.moves(from: folder.path, to: there, path) + there.moves(from: path, to: here, folder.path)
    }
    if moves.isEmpty { return false }
    try bulkWrite(groups: .replace, as: StepName(.sync, folder.path), in: session) { writer in
      for move in moves { try writer.follow(move) }
    }
    return true
  }

  /// Reads another folder if it may have sent cards here or got cards from here; nil if not.
  private func changes(in folder: CardFolder, facing here: FolderChanges) throws -> FolderChanges? {
    let state = try store.read { try SyncState($0, path: folder.path, adoptsFreeContacts: false) }
    let mayHaveSent = state.rows.contains { row in
      row.hasBase && here.new[CardIdentity.canonical(row.uid)] != nil && folder.has(row.file, nil)
    }
    guard mayHaveSent || !here.gone.isEmpty else { return nil }
    return FolderChanges(state, try FolderListing(folder, state, isCancelled: { false }))
  }
}

extension BulkWriter {
  /// Gives the new folder of a card what the old one had after its last sync. A contact that was moved here too keeps
  /// the folder that it was moved to.
  fileprivate func follow(_ move: FollowedMove) throws {
    let id = move.row.contact
    let target = try SyncStateStore(db, path: move.path).folder
    let before = try folders(of: id)
    try db.execute(
      sql: """
        INSERT INTO synced_card (folder_id, contact_id, file, uid, digest, version, is_open, is_leaving, base)
        SELECT ?, contact_id, ?, uid, digest, 0, is_open, is_leaving, base
        FROM synced_card WHERE folder_id = ? AND contact_id = ? AND digest = ? AND base IS NOT NULL
        ON CONFLICT DO UPDATE SET file = excluded.file, uid = excluded.uid, digest = excluded.digest,
          version = excluded.version, is_open = excluded.is_open, base = excluded.base
        """, arguments: [target, move.entry.name, move.from, id, move.row.digest])
    guard db.changesCount > 0 else { return }
    try db.execute(
      sql: "UPDATE OR REPLACE sync_conflict SET folder_id = ? WHERE folder_id = ? AND contact_id = ?",
      arguments: [target, move.from, id])
    try SyncStateStore(db, path: move.fromPath).keepMoved(id)
    // A contact that was moved back from there is to be added here again.
    try db.execute(
      sql: """
        UPDATE synced_card SET base = NULL, file = '', is_open = 0 WHERE folder_id = ? AND contact_id = ? AND is_leaving = 0
          AND (SELECT is_leaving FROM synced_card WHERE folder_id = ? AND contact_id = ?)
        """, arguments: [move.from, id, target, id])
    try db.execute(
      sql: "DELETE FROM synced_card WHERE folder_id = ? AND contact_id = ? AND base IS NOT NULL",
      arguments: [move.from, id])
    try recordMove(of: id, from: before)
  }
}
