import AddressBookModel
import Contacts
import FolderSync
import TerminalKit

/// A line of the screen of syncs: an account, one of its folders, or a folder without an account.
struct SyncEntry: Equatable {
  let account: Account?
  /// Nil for the account itself.
  let folder: ContactFolder?
  /// True if the server refuses changes.
  var isReadOnly = false
  /// Nil if it was never synced.
  let record: SyncRecord?

  /// The book's accounts with their folders, and then the folders without an account.
  static func all(of book: AddressBook, _ records: SyncRecords?) throws(StoreError) -> [SyncEntry] {
    let accounts = AccountFolder(book.location)
    let folders = try book.folders()
    var entries: [SyncEntry] = []
    for account in accounts.accounts() {
      let record = accounts.folder(of: account).flatMap { records?.record(of: $0) }
      entries.append(SyncEntry(account: account, folder: nil, record: record))
      for folder in accounts.folders(of: account, among: folders) {
        let addressBook = folder.path.split(separator: "/").last.map(String.init) ?? ""
        entries.append(
          SyncEntry(
            account: account, folder: folder, isReadOnly: accounts.isReadOnly(addressBook, of: account),
            record: records?.record(of: folder.path)))
      }
    }
    let known = Set(entries.compactMap(\.folder?.path))
    return entries
      + folders.filter { !known.contains($0.path) }.map {
        SyncEntry(account: nil, folder: $0, record: records?.record(of: $0.path))
      }
  }

  /// True if the user has to decide before this is synced.
  var isUndecided: Bool { record?.state == .open || record?.state == .refused }

  /// What is synced with this line.
  var request: SyncRequest {
    SyncRequest(accounts: account.map { [$0] } ?? [], folders: account == nil ? [folder?.path].compactMap(\.self) : [])
  }
}

/// What a sync is asked to do.
struct SyncRequest: Sendable {
  var accounts: [Account]
  /// The paths of folders without an account.
  var folders: [String]
  /// The side that wins conflicts; nil leaves them open.
  var prefers: ThreeWayMerge.Side?
  var forcesDeletion = false

  var isEmpty: Bool { accounts.isEmpty && folders.isEmpty }
}

/// The state of the screen of syncs: its lines and the selection.
struct SyncState {
  private(set) var entries: [SyncEntry] = []
  var list = ListWithText()

  mutating func show(_ entries: [SyncEntry]) {
    self.entries = entries
    list.selection.count = entries.count
  }

  var selected: SyncEntry? {
    entries.indices.contains(list.selection.selected) ? entries[list.selection.selected] : nil
  }

  /// Everything that can be synced.
  var request: SyncRequest {
    entries.filter { $0.account == nil || $0.folder == nil }.map(\.request)
      .reduce(SyncRequest(accounts: [], folders: [])) {
        SyncRequest(accounts: $0.accounts + $1.accounts, folders: $0.folders + $1.folders)
      }
  }
}
