import AddressBookModel
import ArgumentParser

/// `addressbook`: runs a subcommand or, without one, opens the full-screen interface.
struct AddressBookCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "addressbook",
    abstract: strings("Help/addressbook"),
    version: Program.version,
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
      ("programs", [QueryCommand.self, PickCommand.self, AddEmailCommand.self, CompletionsCommand.self]),
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

extension Program {
  /// The version printed by `--version`.
  static let version = "0.1.0"
}
