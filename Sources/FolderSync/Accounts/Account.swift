import AddressBookModel
import Foundation
import Glibc
import SystemCalls

/// An account on a CardDAV server, whose address books vdirsyncer syncs with folders of vCards.
public struct Account: Hashable, Sendable, Codable {
  /// The name of the account and of its folder: ASCII letters, digits and `_ . -`.
  public let name: String
  /// The URL of the server.
  public let url: String
  /// The user name; empty for none.
  public let user: String
  /// The command that prints the password; empty if there is no user name.
  public let passwordCommand: String
  /// True if contacts that are in no folder stay only in the book; otherwise they go to this account, if it is the
  /// first one.
  public let keepsLocal: Bool
  /// The server that may be used without encryption, as ``server(ofURL:)`` returns it; nil for none.
  public let clearTextServer: String?
  /// The SHA-256 of the certificate that the server has, in hexadecimal digits; nil for one that the system trusts.
  public let certificateFingerprint: String?

  /// Creates an account.
  public init(
    name: String, url: String, user: String, passwordCommand: String, keepsLocal: Bool, clearTextServer: String? = nil,
    certificateFingerprint: String? = nil
  ) {
    self.name = name
    self.url = url
    self.user = user
    self.passwordCommand = passwordCommand
    self.keepsLocal = keepsLocal
    self.clearTextServer = clearTextServer
    self.certificateFingerprint = certificateFingerprint
  }

  /// Returns true if the password and contacts may be sent to a URL: it is encrypted, or on the server that the user
  /// allowed without encryption.
  public func allows(_ url: String) -> Bool {
    let server = Self.server(ofURL: url)
    return server.hasPrefix("https://") || server == clearTextServer
  }

  /// Returns the scheme, the host and the port of a URL in lower case, such as `http://127.0.0.1:5232`.
  public static func server(ofURL url: String) -> String {
    let url = url.lowercased()
    let start = url.range(of: "://")?.upperBound ?? url.startIndex
    return String(url[..<(url[start...].firstIndex { "/?#".contains($0) } ?? url.endIndex)])
  }

  /// Returns a fingerprint as 64 hexadecimal digits, from a text in which colons separate them or not; nil if it is
  /// another text.
  public static func fingerprint(_ text: String) -> String? {
    let digits = text.filter { $0 != ":" }
    return digits.count == 64 && digits.allSatisfy { $0.isASCII && $0.isHexDigit } ? digits.lowercased() : nil
  }

  /// Returns a name for an account on this server, such as `example.org`.
  public static func name(ofURL url: String) -> String {
    let host = URL(string: url)?.host(percentEncoded: false) ?? "account"
    let safe = host.filter { $0.isASCII && ($0.isLetter || $0.isNumber || "_.-".contains($0)) }
    return isName(safe) ? safe : "account"
  }

  /// Returns true if an account can have this name.
  public static func isName(_ name: String) -> Bool {
    !name.isEmpty && !name.hasPrefix(".") && name.utf8.count <= 100
      && name.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "_.-".contains($0)) }
  }
}

/// The accounts of a book. Each has a folder with vdirsyncer's configuration and the vCards.
///
/// They are in `accounts` beside the default book, and in `NAME.accounts` beside any other book. They are not in the
/// book itself, because they name commands, and a book may come from someone else.
public struct AccountFolder: Sendable {
  /// The folder of all accounts; nil for a book in memory.
  public let path: String?
  private static let file = "account.json"

  /// Locates the accounts of a book.
  public init(_ location: StoreLocation) { path = location.accountFolder }

  /// Returns the accounts, in the order in which they were added. Folders without a valid `account.json` are ignored.
  public func accounts() -> [Account] {
    guard let path else { return [] }
    let found = Folder.names(in: path).filter(Account.isName).compactMap { name -> (FileTime, Account)? in
      guard let file = ReadableFile(path + "/" + name + "/" + Self.file), let status = file.status,
        let bytes = try? file.rest(atMost: FileBytes.largest),
        let account = try? JSONDecoder().decode(Account.self, from: Data(bytes)), account.name == name
      else { return nil }
      return (status.modified, account)
    }
    return found.sorted { ($0.0, $0.1.name) < ($1.0, $1.1.name) }.map(\.1)
  }

  /// Returns the folder of an account; nil for a book in memory.
  public func folder(of account: Account) -> String? { path.map { $0 + "/" + account.name } }

  /// Returns where the server's versions of the replaced cards of an address book are kept; nil for a book in memory.
  public func previousCards(of account: Account, addressBook name: String) -> PreviousCards? {
    folder(of: account).map { PreviousCards(folder: $0 + "/former/" + name) }
  }

  /// Returns true if the server has refused a change to an address book, and has not accepted one since.
  public func isReadOnly(_ addressBook: String, of account: Account) -> Bool {
    folder(of: account).map { ReadOnlyAddressBooks(root: $0).names.contains(addressBook) } ?? false
  }

  /// Returns the folders with the vCards of an account, sorted by name. A link is not one of them: it may lead to the
  /// cards of another account.
  public func cardFolders(of account: Account) -> [String] {
    guard let root = folder(of: account).map({ $0 + "/cards" }) else { return [] }
    return Folder.names(in: root).filter(AddressBookCache.isFolderName).sorted().map { root + "/" + $0 }
      .filter { stat(of: $0, followsLinks: false)?.isFolder == true }
  }

  /// Returns those of a book's folders that belong to an account, even if they are no longer on the disk.
  public func folders(of account: Account, among folders: [ContactFolder]) -> [ContactFolder] {
    guard let root = folder(of: account) else { return [] }
    // A book knows its folders by their real paths.
    let start = RealPath.resolved(root) + "/"
    return folders.filter { $0.path.hasPrefix(start) }
  }

  /// An account with its folders, or a folder without an account.
  public struct Entry: Sendable {
    /// Nil for a folder without an account.
    public let account: Account?
    /// The folders, and whether the server refuses changes to them.
    public let folders: [(folder: ContactFolder, isReadOnly: Bool)]
  }

  /// Returns the accounts with their folders, and then the folders without an account.
  /// - Parameter folders: the folders of the book.
  public func entries(among folders: [ContactFolder]) -> [Entry] {
    let entries = accounts().map { account in
      Entry(
        account: account,
        folders: self.folders(of: account, among: folders).map {
          ($0, isReadOnly(Folder.split($0.path).name, of: account))
        })
    }
    let known = Set(entries.flatMap(\.folders).map(\.folder.path))
    return entries
      + folders.filter { !known.contains($0.path) }.map { Entry(account: nil, folders: [($0, false)]) }
  }

  /// Returns the names of the folders of an account that have no cards because the book has no contacts in them. A
  /// folder that lost its cards in another way is not included: the book still has its contacts.
  public func emptyFolders(of account: Account, in book: AddressBook) throws(StoreError) -> [String] {
    let emptyPaths = Set(folders(of: account, among: try book.folders()).filter { $0.count == 0 }.map(\.path))
    return cardFolders(of: account).filter { path in
      emptyPaths.contains(RealPath.resolved(path)) && !Folder.names(in: path).contains { $0.hasSuffix(".vcf") }
    }.map { Folder.split($0).name }
  }

  /// Adds an account.
  public func add(_ account: Account) throws(FileFailure) {
    guard let root = folder(of: account) else { throw FileFailure("", ENOENT) }
    for name in ["", "/cards", "/status"] { try PrivateFolder.make(root + name) }
    if !account.passwordCommand.isEmpty {
      try FileReplacement.write((account.passwordCommand + "\n").utf8, to: root + "/password-command")
    }
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    guard let data = try? encoder.encode(account) else { throw FileFailure(root, EINVAL) }
    try FileReplacement.write(data + [0x0A], to: root + "/" + Self.file)
  }

  /// Removes an account. Its folder is renamed, not deleted, so that the vCards are kept.
  /// - Returns: the new path of the folder.
  public func remove(_ account: Account) throws(FileFailure) -> String {
    guard let root = folder(of: account), let path else { throw FileFailure("", ENOENT) }
    var number = 1
    func candidate() -> String { path + "/." + account.name + ".removed" + (number > 1 ? "-\(number)" : "") }
    while access(candidate(), F_OK) == 0 { number += 1 }
    guard rename(root, candidate()) == 0 else { throw FileFailure(root, errno) }
    try Folder.sync(path)
    return candidate()
  }
}
