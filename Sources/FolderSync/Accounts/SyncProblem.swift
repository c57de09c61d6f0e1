import AddressBookModel
import Messages

/// Why a part of a sync was not done.
public enum SyncProblem: Error, Hashable, Sendable {
  /// vdirsyncer reported it.
  case vdirsyncer(VdirsyncerProblem, Account)
  /// An address book of the server is not synced.
  case refused(RefusedAddressBook, Account)
  /// The server has no address book at the URL.
  case noAddressBook(Account)
  /// The password would be sent without encryption.
  case clearText(Account)
  /// vdirsyncer is not installed.
  case noVdirsyncer
  /// The user canceled.
  case stopped
  /// A folder cannot be synced.
  case folder(SyncError)
  /// The book cannot be read or written.
  case book(StoreError)
  /// Something else; the text is its description.
  case unknown(String)

  /// The reason why a folder was not synced.
  public init(_ error: any Error) {
    self =
      switch error {
      case let error as SyncProblem: error
      case let error as SyncError: .folder(error)
      case let error as StoreError: .book(error)
      default: .unknown("\(error)")
      }
  }

  /// True if the rest was synced, and the user has something to do.
  public var isPartial: Bool {
    switch self {
    case .refused, .noAddressBook: true
    case .vdirsyncer(let problem, _): problem.reason == .readOnly
    default: false
    }
  }

  /// True if a preferred side, or a forced deletion, solves it.
  var isUndecided: Bool {
    if case .vdirsyncer(let problem, _) = self { [.conflict, .emptied].contains(problem.reason) } else { false }
  }

  /// True if the user canceled.
  public var isStop: Bool {
    if case .folder(let error) = self { error.reason == .cancelled } else { self == .stopped }
  }

  /// The account; nil if it may concern any.
  var account: Account? {
    switch self {
    case .vdirsyncer(_, let account), .refused(_, let account), .noAddressBook(let account), .clearText(let account):
      account
    default: nil
    }
  }

  /// Returns a message that says what happened, where, and what to do. It may quote what a server sent.
  /// - Parameter localization: the language of the message.
  public func message(in localization: Localization) -> String {
    switch self {
    case .vdirsyncer(let problem, let account):
      localization.text(
        "ErrorString/vdirsyncer." + problem.reason.rawValue,
        problem.addressBook.map { account.name + ", " + Self.line($0) } ?? account.name, account.url,
        problem.reason == .password ? account.passwordCommand : problem.detail)
    case .refused(let book, let account):
      localization.text("ErrorString/refused." + book.reason.rawValue, account.name, Self.line(book.name))
    case .noAddressBook(let account): localization.text("ErrorString/noAddressBook", account.name, account.url)
    case .clearText(let account): localization.text("ErrorString/clearText", account.name, account.url)
    case .noVdirsyncer: localization.text("ErrorString/noVdirsyncer")
    case .stopped: localization.text("ErrorString/syncStopped")
    case .folder(let error): error.message(in: localization)
    case .book(let error): error.message(in: localization)
    case .unknown(let text): text
    }
  }

  /// A name from a server, on one line.
  private static func line(_ name: String) -> String {
    String(String.UnicodeScalarView(name.unicodeScalars.map { $0.properties.generalCategory == .control ? " " : $0 }))
  }
}
