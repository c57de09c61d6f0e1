import AddressBookModel
import ArgumentParser
import Contacts
import FolderSync

/// `addressbook folder`: the folders that the book is synced with, and their contacts.
struct FolderCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "folder", abstract: strings("Help/folder"), discussion: strings("Help/folder.discussion"),
    subcommands: [List.self, Move.self, Remove.self, Rename.self, SetColor.self], defaultSubcommand: List.self)

  /// `addressbook folder list [FOLDER]`: lists all folders with their number of contacts, or the contacts of
  /// one.
  struct List: ParsableCommand {
    static let configuration = CommandConfiguration(commandName: "list", abstract: strings("Help/folder.list"))

    @OptionGroup var book: BookOptions

    @Option(name: .long, help: help("folderFormat"))
    var format: ListFormat = .table

    @Argument(help: help("folderToList", valueName: "folder"))
    var name: String?

    func run() throws {
      let book = try book.openToRead()
      defer { book.close() }
      if let name {
        let ids = try book.memberIDs(ofFolder: FolderReference.find(name, in: book).id)
        return try ContactListing(book: book, ids: ids, isBrief: true).print(
          format, empty: CommandFailure(.nothingFound, strings("Found/noMembers", name)), check: book.reportDamage)
      }
      let listing = Listing<ContactFolder>(
        columns: [Column("contacts", 12), Column("name", 40), Column("color", 8), Column("location", 4096)],
        endsWithPath: true,
        rows: { [[String($0.count), $0.name, $0.color, $0.path]] },
        json: {
          .object([
            ("name", .text($0.name)), ("contacts", .number($0.count)), ("color", .text($0.color)),
            ("path", .text($0.path)),
          ])
        })
      try listing.print(format, try book.folders(), empty: strings("Found/noFoldersYet"), check: book.reportDamage)
    }
  }

  /// `addressbook folder move FOLDER ID…`: moves contacts to a folder.
  struct Move: ReferenceCommand {
    static let configuration = CommandConfiguration(commandName: "move", abstract: strings("Help/folder.move"))

    @OptionGroup var book: BookOptions

    @Argument(help: help("folderName", valueName: "folder"))
    var name: String

    @Argument(help: help("references", valueName: "id"))
    var references: [String]

    func run() throws { try move(book, references) { try FolderReference.find(name, in: $0) } }
  }

  /// `addressbook folder remove ID…`: removes contacts from their folders and keeps them in the book.
  struct Remove: ReferenceCommand {
    static let configuration = CommandConfiguration(commandName: "remove", abstract: strings("Help/folder.remove"))

    @OptionGroup var book: BookOptions

    @Argument(help: help("references", valueName: "id"))
    var references: [String]

    func run() throws { try move(book, references) { _ in nil } }
  }

  /// `addressbook folder rename FOLDER NEW`: renames a folder.
  struct Rename: ParsableCommand {
    static let configuration = CommandConfiguration(commandName: "rename", abstract: strings("Help/folder.rename"))

    @OptionGroup var book: BookOptions

    @Argument(help: help("folderName", valueName: "folder"))
    var name: String

    @Argument(help: help("newFolderName", valueName: "new"))
    var newName: String

    func run() throws { try change(book, name) { try $0.rename($1, to: newName) } }
  }

  /// `addressbook folder color FOLDER [COLOR]`: sets a folder's color, or removes it.
  struct SetColor: ParsableCommand {
    static let configuration = CommandConfiguration(commandName: "color", abstract: strings("Help/folder.color"))

    @OptionGroup var book: BookOptions

    @Argument(help: help("folderName", valueName: "folder"))
    var name: String

    @Argument(help: help("folderColor", valueName: "color"))
    var color: String?

    func validate() throws {
      if let color, !ContactFolder.isColor(color) { throw ValidationError(strings("Misuse/folderColor", color)) }
    }

    func run() throws { try change(book, name) { try $0.setColor(color ?? "", of: $1) } }
  }

  private static func move(
    _ options: BookOptions, _ references: [String], to find: (AddressBook) throws -> ContactFolder?
  ) throws {
    let book = try options.openToEdit()
    defer { book.closeAfterWriting() }
    let folder = try find(book)
    let ids = try ContactReference.findAll(references, in: book)
    try book.move(ids, to: folder)
    try StandardOutput.printStored(ids)
  }

  private static func change(
    _ options: BookOptions, _ name: String, _ change: (AddressBook, ContactFolder) throws -> Void
  ) throws {
    let book = try options.openToEdit()
    defer { book.closeAfterWriting() }
    do {
      try change(book, FolderReference.find(name, in: book))
    } catch let error as SyncError {
      throw CommandFailure(.failed, error.message(in: .shared))
    }
  }
}
