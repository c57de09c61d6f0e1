import AddressBookModel
import ArgumentParser

/// `addressbook`: runs a subcommand or, without one, opens the full-screen interface.
struct AddressBookCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "addressbook",
    abstract: strings("Help/addressbook"),
    version: Program.version,
    subcommands: [
      ListCommand.self, QueryCommand.self, PickCommand.self, ShowCommand.self, AddCommand.self, AddEmailCommand.self,
      EditCommand.self, DeleteCommand.self, UndeleteCommand.self, UndoCommand.self, RedoCommand.self, LogCommand.self,
      TrashCommand.self, ImportCommand.self,
      ExportCommand.self, SyncCommand.self, AccountCommand.self, FolderCommand.self, MergeCardsCommand.self,
      GroupCommand.self, PhotoCommand.self, DuplicatesCommand.self,
      MergeCommand.self,
      BirthdaysCommand.self, BackupCommand.self, RestoreCommand.self, DoctorCommand.self, StatsCommand.self,
      DemoCommand.self,
      CompletionsCommand.self,
      ManualCommand.self,
    ])

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
