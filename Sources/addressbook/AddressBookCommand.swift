import AddressBookModel
import AddressBookTUI
import ArgumentParser
import AvatarImage
import CCoveredThreads
import LDAPDirectory
import Messages

/// `addressbook`: runs a subcommand or, without one, opens the full-screen interface.
struct AddressBookCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "addressbook",
    abstract: strings("Help/addressbook"),
    version: Program.versionText,
    subcommands: groups.flatMap { $0.commands } + [MergeCardsCommand.self, ManualCommand.self])

  /// The subcommands that help shows, below the headings `Heading/Group/…`.
  static var groups: [(key: String, commands: [any ParsableCommand.Type])] {
    [
      (
        "contacts",
        [
          ListCommand.self, ShowCommand.self, AddCommand.self, EditCommand.self, DeleteCommand.self, PhotoCommand.self,
          GroupCommand.self, DuplicatesCommand.self, MergeCommand.self, BirthdaysCommand.self,
        ]
      ),
      ("history", [UndoCommand.self, RedoCommand.self, LogCommand.self, TrashCommand.self, UndeleteCommand.self]),
      (
        "exchange",
        [ImportCommand.self, ExportCommand.self, SyncCommand.self, AccountCommand.self, FolderCommand.self]
      ),
      (
        "programs",
        [QueryCommand.self, PickCommand.self, AddEmailCommand.self, CollectCommand.self, CompletionsCommand.self]
      ),
      (
        "book",
        [
          BackupCommand.self, RestoreCommand.self, DoctorCommand.self, StatsCommand.self, DemoCommand.self,
          ConfigCommand.self,
        ]
      ),
    ]
  }

  @OptionGroup var book: BookOptions

  @OptionGroup var login: LoginOptions

  @OptionGroup var directory: DirectoryOptions

  func run() throws {
    try Screen.open(book.book, login, directory, tracesSQL: book.tracesSQL)
  }
}

/// Opens the full-screen interface: the only place where the command uses the screens of `AddressBookTUI`.
enum Screen {
  /// The threads in reserve for a system without more, so that the screen does not hang (fault 105). Each of the queues
  /// with another priority may need one or two.
  private static let reservedThreads: Int32 = 8

  /// - Parameters:
  ///   - path: the book, or the address of a directory; nil for `ADDRESSBOOK_FILE`, or else the default book.
  ///   - login: the user of a directory, and the program for the password.
  ///   - directory: how to connect to a directory.
  ///   - tracesSQL: true to print each SQL statement; ignored for a directory.
  static func open(
    _ path: String?, _ login: LoginOptions, _ directory: DirectoryOptions, tracesSQL: Bool = false
  ) throws {
    guard let address = BookOptions.directoryAddress(path) else { return try show(path, tracesSQL, nil) }
    try show(try directory.access(to: address, as: login))
  }

  /// Lets the user choose contacts, email addresses or phone numbers.
  /// - Returns: the text of the search, and the choices; nil if the user canceled.
  static func pick(
    _ kind: ScreenPick.Kind, isMultiple: Bool, query: String, from path: String?, tracesSQL: Bool
  ) throws -> (query: String, choices: [ScreenPick.Choice]?) {
    // The command runs on the main thread.
    let pick = MainActor.assumeIsolated { ScreenPick(kind, isMultiple: isMultiple, query: query) }
    try show(path, tracesSQL, pick)
    return MainActor.assumeIsolated { (pick.query, pick.choices) }
  }

  /// Shows a directory, and opens the user's own book for the entries that are copied from it.
  private static func show(_ directory: DirectoryAccess) throws {
    let locate = { @Sendable in try BookOptions.resolveOwn() }
    try run(locate) { () throws in
      try AddressBookApp.run(pictureDecoder: .ofProgram(), directory: directory, locate: locate) {
        try AddressBook.open(at: BookOptions.resolveOwn(), mode: .readWrite)
      }
    }
  }

  private static func show(_ path: String?, _ tracesSQL: Bool, _ pick: ScreenPick?) throws {
    let locate = { @Sendable in try BookOptions.resolve(path) }
    try run(locate) {
      try AddressBookApp.run(pictureDecoder: .ofProgram(), pick: pick, locate: locate) {
        try BookOptions.open(path, tracesSQL: tracesSQL, .readWrite)
      }
    }
  }

  private static func run(_ locate: () throws -> StoreLocation, _ body: @MainActor () throws -> Void) throws {
    guard covered_threads_keep(reservedThreads) != 0 else {
      throw StoreError(.outOfResources, path: try locate().path ?? "")
    }
    do {
      try MainActor.assumeIsolated { try body() }
    } catch AddressBookApp.Failure.terminal(let reason) {
      throw CommandFailure(.misuse, reason)
    }
  }

  /// Handles the most common command lines without the parser, because setting up all commands takes a third of the
  /// time to the first row.
  /// - Returns: false if the command line needs the parser; nothing was done then.
  static func openAtOnce(_ arguments: [String]) throws -> Bool {
    var path: String?
    switch arguments.count {
    case 0: break
    case 2 where arguments[0] == "--book" && !arguments[1].isEmpty && !arguments[1].hasPrefix("-"): path = arguments[1]
    default: return false
    }
    if BookOptions.directoryAddress(path) != nil { return false }
    try show(path, false, nil)
    return true
  }
}

/// A localized string of the command line, from `Resources/strings/…/Command.strings`.
func strings(_ key: String, _ arguments: any CustomStringConvertible...) -> String {
  Localization.shared.text(key, arguments: arguments.map(\.description), table: "Command")
}

/// A localized string that depends on a number.
func strings(_ key: String, count: Int) -> String {
  Localization.shared.plural(key, count: count, table: "Command")
}

/// The help text of an option or argument.
func help(_ key: String, valueName: String? = nil) -> ArgumentHelp {
  ArgumentHelp(strings("Help/" + key), valueName: valueName)
}
