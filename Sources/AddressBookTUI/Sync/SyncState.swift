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
    return accounts.entries(among: try book.folders()).flatMap { entry in
      let account = entry.account.map { account in
        SyncEntry(
          account: account, folder: nil, record: accounts.folder(of: account).flatMap { records?.record(of: $0) })
      }
      return [account].compactMap(\.self)
        + entry.folders.map { folder, isReadOnly in
          SyncEntry(
            account: entry.account, folder: folder, isReadOnly: isReadOnly, record: records?.record(of: folder.path))
        }
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

extension [SyncEntry] {
  /// Everything that can be synced.
  var request: SyncRequest {
    let whole = filter { $0.account == nil || $0.folder == nil }.map(\.request)
    return SyncRequest(accounts: whole.flatMap(\.accounts), folders: whole.flatMap(\.folders))
  }
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
}
