import AddressBookModel
import ArgumentParser
import Contacts
import FolderSync
import Foundation
import LDAPDirectory

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

    func validate() throws {
      guard let parsed = URL(string: url), ["http", "https"].contains(parsed.scheme?.lowercased() ?? ""),
        parsed.host() != nil
      else { throw ValidationError(strings("Misuse/accountURL", url)) }
      if Self.isGoogle(parsed.host() ?? "") { throw ValidationError(strings("Misuse/google")) }
      if let fingerprint, Account.fingerprint(fingerprint) == nil {
        throw ValidationError(strings("Misuse/fingerprint", fingerprint))
      }
      if fingerprint != nil, !Account.server(ofURL: url).hasPrefix("https://") {
        throw ValidationError(strings("Misuse/fingerprintWithoutTLS"))
      }
      if parsed.password() != nil { throw ValidationError(strings("Misuse/accountPassword")) }
      if let name, !Account.isName(name) { throw ValidationError(strings("Misuse/accountName", name)) }
      if login.user != nil, login.passwordCommand == nil {
        throw ValidationError(strings("Misuse/accountWithoutPassword"))
      }
      if login.user == nil, login.passwordCommand != nil {
        throw ValidationError(strings("Misuse/passwordWithoutUser"))
      }
      if let passwordCommand = login.passwordCommand, passwordCommand.contains("\n") {
        throw ValidationError(strings("Misuse/passwordLines", passwordCommand))
      }
      if !Account.server(ofURL: url).hasPrefix("https://"), clearTextServer == nil {
        throw ValidationError(strings("Misuse/clearText", url))
      }
    }

    /// Google accepts no password for CardDAV.
    private static func isGoogle(_ host: String) -> Bool {
      ["google.com", "googleapis.com", "gmail.com"].contains { ("." + host.lowercased()).hasSuffix("." + $0) }
    }

    /// The server, if it may be used without encryption: there is no password, it is on this machine, or the user asked
    /// for that.
    private var clearTextServer: String? {
      let isLocal = URL(string: url)?.host().map(DirectoryURL.isLoopback) ?? false
      return login.user == nil || isLocal || directory.allowsClearText ? Account.server(ofURL: url) : nil
    }

    func run() throws {
      let book = try book.openToChange()
      defer { book.close() }
      let folder = AccountFolder(book.location)
      let account = Account(
        name: name ?? Account.name(ofURL: url), url: url, user: login.user ?? "",
        passwordCommand: login.passwordCommand ?? "",
        keepsLocal: keepsLocal, clearTextServer: clearTextServer,
        certificateFingerprint: fingerprint.flatMap(Account.fingerprint))
      let known = folder.accounts()
      guard !known.contains(where: { $0.name == account.name }) else {
        throw CommandFailure(.failed, strings("Failed/accountExists", account.name))
      }
      try folder.add(account)
      StandardError.line(strings("Account/added", account.name))
      if known.isEmpty, !keepsLocal, try book.contactCount() > 0 { StandardError.line(strings("Account/takesFree")) }
    }
  }

  /// `addressbook account list`: the accounts with their folders, and the other synced folders.
  struct List: ParsableCommand {
    static let configuration = CommandConfiguration(commandName: "list", abstract: strings("Help/account.list"))

    @OptionGroup var book: BookOptions

    func run() throws {
      let book = try book.openToRead()
      defer { book.close() }
      let folder = AccountFolder(book.location)
      let folders = try book.folders()
      let output = StandardOutput()
      let accounts = folder.accounts()
      guard !accounts.isEmpty || !folders.isEmpty else {
        throw CommandFailure(.nothingFound, strings("Found/noAccount"))
      }
      var ofAccounts: Set<String> = []
      for account in accounts {
        output.line(TabSeparated.row([account.name, account.url, account.user]))
        for item in folder.folders(of: account, among: folders) {
          ofAccounts.insert(item.path)
          let addressBook = item.path.split(separator: "/").last.map(String.init) ?? ""
          let note = folder.isReadOnly(addressBook, of: account) ? [strings("Account/readOnly")] : []
          output.line(
            TabSeparated.row(["  " + item.name, item.path, strings("Account/contacts", count: item.count)] + note))
        }
      }
      for item in folders where !ofAccounts.contains(item.path) {
        output.line(TabSeparated.row([item.name, item.path, strings("Account/contacts", count: item.count)]))
      }
      try output.flush()
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
      let synced = folder.folders(of: account, among: try book.folders())
      let kept = try folder.remove(account)
      for item in synced { try book.removeFolder(item.id) }
      StandardError.line(strings("Account/removed", name, kept))
    }
  }
}
