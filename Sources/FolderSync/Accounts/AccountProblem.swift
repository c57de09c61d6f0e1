import AddressBookModel
import Foundation
import SystemCalls

/// Why an account cannot be added.
public struct AccountProblem: Error, Hashable, Sendable {
  /// What is wrong.
  public enum Reason: String, Hashable, Sendable, CaseIterable {
    /// It is not the URL of a server.
    case url
    /// Google accepts no password for CardDAV.
    case google
    /// The URL has a password, which would be stored.
    case passwordInURL
    /// The name cannot be that of a folder.
    case name
    /// There is another account with this name.
    case exists
    /// A user without a command that prints the password.
    case withoutPassword
    /// The command that prints the password without a user.
    case withoutUser
    /// The command has several lines.
    case lines
    /// It is not a SHA-256 fingerprint.
    case fingerprint
    /// A fingerprint for a server without TLS.
    case fingerprintWithoutTLS
    /// The password would be sent without encryption.
    case clearText
  }

  /// What is wrong.
  public let reason: Reason
  /// The text that is wrong; empty if it is the lack of one.
  public let text: String

  init(_ reason: Reason, _ text: String = "") {
    self.reason = reason
    self.text = text
  }
}

extension Account {
  /// Creates an account from what a user entered.
  /// - Parameters:
  ///   - url: the URL of the server.
  ///   - name: the name; nil for one made of the server's.
  ///   - user: the user name; nil for none.
  ///   - passwordCommand: the command that prints the password; nil for none.
  ///   - keepsLocal: see ``keepsLocal``.
  ///   - allowsClearText: whether the password may be sent to another machine without encryption.
  ///   - fingerprint: that of the server's certificate, with or without colons; nil for none.
  /// - Throws: the first problem that a user must solve.
  public init(
    entered url: String, name: String?, user: String?, passwordCommand: String?, keepsLocal: Bool,
    allowsClearText: Bool = false, fingerprint: String? = nil
  ) throws(AccountProblem) {
    guard let parsed = URL(string: url), ["http", "https"].contains(parsed.scheme?.lowercased() ?? ""),
      let host = parsed.host()
    else { throw AccountProblem(.url, url) }
    if ["google.com", "googleapis.com", "gmail.com"].contains(where: { ("." + host.lowercased()).hasSuffix("." + $0) })
    {
      throw AccountProblem(.google)
    }
    let digits = fingerprint.flatMap(Self.fingerprint)
    if let fingerprint, digits == nil { throw AccountProblem(.fingerprint, fingerprint) }
    let server = Self.server(ofURL: url)
    let isEncrypted = server.hasPrefix("https://")
    if digits != nil, !isEncrypted { throw AccountProblem(.fingerprintWithoutTLS) }
    if parsed.password() != nil { throw AccountProblem(.passwordInURL) }
    if let name, !Self.isName(name) { throw AccountProblem(.name, name) }
    if user != nil, passwordCommand == nil { throw AccountProblem(.withoutPassword) }
    if user == nil, passwordCommand != nil { throw AccountProblem(.withoutUser) }
    if let passwordCommand, passwordCommand.contains("\n") { throw AccountProblem(.lines, passwordCommand) }
    let isAllowed = user == nil || HostName.isLoopback(host) || allowsClearText
    if !isEncrypted, !isAllowed { throw AccountProblem(.clearText, url) }
    self.init(
      name: name ?? Self.name(ofURL: url), url: url, user: user ?? "", passwordCommand: passwordCommand ?? "",
      keepsLocal: keepsLocal, clearTextServer: isAllowed ? server : nil, certificateFingerprint: digits)
  }
}

extension AccountFolder {
  /// Adds an account, unless there is one with its name.
  /// - Throws: `AccountProblem` with the reason `exists`, or `FileFailure`.
  public func addNew(_ account: Account) throws {
    guard !accounts().contains(where: { $0.name == account.name }) else {
      throw AccountProblem(.exists, account.name)
    }
    try add(account)
  }

  /// Removes an account, and its folders from those that the book is synced with. The contacts stay in the book.
  /// - Returns: the new path of the account's folder.
  public func remove(_ account: Account, from book: AddressBook) throws -> String {
    let synced = folders(of: account, among: try book.folders())
    let kept = try remove(account)
    for item in synced { try book.removeFolder(item.id) }
    return kept
  }
}
