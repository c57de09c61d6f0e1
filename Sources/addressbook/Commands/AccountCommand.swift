import AddressBookModel
import ArgumentParser
import Contacts
import FolderSync

/// `addressbook account`: CardDAV accounts, synced by vdirsyncer.
struct AccountCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "account", abstract: strings("Help/account"), discussion: strings("Help/account.discussion"),
    subcommands: [Add.self, List.self, Remove.self], defaultSubcommand: List.self)

  /// `addressbook account add`: adds an account, which `addressbook sync` then syncs.
  struct Add: ParsableCommand {
    static let configuration = CommandConfiguration(commandName: "add", abstract: strings("Help/account.add"))

    @OptionGroup var book: BookOptions

    @OptionGroup var login: LoginOptions

    @OptionGroup var directory: DirectoryOptions

    @Option(name: .long, help: help("accountName"))
    var name: String?

    @Option(name: .customLong("certificate-fingerprint"), help: help("certificateFingerprint", valueName: "sha256"))
    var fingerprint: String?

    @Flag(name: .customLong("keep-local"), help: help("keepLocal"))
    var keepsLocal = false

    @Argument(help: help("accountURL", valueName: "url"))
    var url: String

    func validate() throws { _ = try account() }

    private func account() throws -> Account {
      do throws(AccountProblem) {
        return try Account(
          entered: url, name: name, user: login.user, passwordCommand: login.passwordCommand, keepsLocal: keepsLocal,
          allowsClearText: directory.allowsClearText, fingerprint: fingerprint)
      } catch {
        throw ValidationError(Self.message(error))
      }
    }

    private static func message(_ problem: AccountProblem) -> String {
      strings("Misuse/account." + problem.reason.rawValue, problem.text)
    }

    func run() throws {
      let book = try book.openToChange()
      defer { book.close() }
      let folder = AccountFolder(book.location)
      let account = try account()
      let isFirst = folder.accounts().isEmpty
      do {
        try folder.addNew(account)
      } catch let problem as AccountProblem {
        throw CommandFailure(.failed, Self.message(problem))
      }
      StandardError.line(strings("Account/added", account.name))
      if isFirst, !keepsLocal, try book.contactCount() > 0 { StandardError.line(strings("Account/takesFree")) }
    }
  }

  /// `addressbook account list`: the accounts with their folders, and the other synced folders.
  struct List: ParsableCommand {
    static let configuration = CommandConfiguration(commandName: "list", abstract: strings("Help/account.list"))

    @OptionGroup var book: BookOptions

    @Option(name: .long, help: help("listFormats"))
    var format: ListFormat = .table

    func run() throws {
      let book = try book.openToRead()
      defer { book.close() }
      let entries = AccountFolder(book.location).entries(among: try book.folders())
      let listing = Listing<AccountFolder.Entry>(
        columns: [Column("name", 40), Column("contacts", 12), Column("", 30), Column("location", 4096)],
        endsWithPath: true,
        rows: { entry in
          let indent = entry.account == nil ? "" : "  "
          return (entry.account.map { [[$0.name, "", $0.user, $0.url]] } ?? [])
            + entry.folders.map {
              [indent + $0.name, String($0.count), $1 ? strings("Account/readOnly") : "", $0.path]
            }
        },
        json: { entry in
          let folders = entry.folders.map { folder, isReadOnly in
            JSON.object([
              ("name", .text(folder.name)), ("path", .text(folder.path)), ("contacts", .number(folder.count)),
              ("readOnly", .boolean(isReadOnly)),
            ])
          }
          let account = entry.account.map {
            [("account", JSON.text($0.name)), ("url", .text($0.url)), ("user", .text($0.user))]
          }
          return .object((account ?? [("account", .null)]) + [("folders", .list(folders))])
        })
      try listing.print(format, entries, empty: strings("Found/noAccount"))
    }
  }

  /// `addressbook account remove`: removes an account or a synced folder. Its contacts stay in the book.
  struct Remove: ParsableCommand {
    static let configuration = CommandConfiguration(commandName: "remove", abstract: strings("Help/account.remove"))

    @OptionGroup var book: BookOptions

    @Argument(help: help("accountToRemove", valueName: "name"))
    var name: String

    func run() throws {
      let book = try book.openToChange()
      defer { book.close() }
      let folder = AccountFolder(book.location)
      guard let account = folder.accounts().first(where: { $0.name == name }) else {
        guard let known = try book.folders().first(where: { $0.path == name || $0.name == name }) else {
          throw CommandFailure(.nothingFound, strings("Found/noAccountNamed", name))
        }
        try book.removeFolder(known.id)
        StandardError.line(strings("Account/removed", name, known.path))
        return
      }
      StandardError.line(strings("Account/removed", name, try folder.remove(account, from: book)))
    }
  }
}
