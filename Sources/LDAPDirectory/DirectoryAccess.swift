/// A directory, and the credentials and protection of a connection to it.
public struct DirectoryAccess: Hashable, Sendable {
  /// The address.
  public var url: DirectoryURL
  /// The DN to bind with; nil to bind anonymously.
  public var user: String?
  /// The password of the user, in UTF-8; nil for none.
  public var password: [UInt8]?
  /// Whether to connect without TLS to an `ldap://` address. Otherwise a connection to another machine is protected
  /// with StartTLS, or refused.
  public var allowsClearText = false
  /// How long to wait for the server, in seconds: to connect, and for each part of an answer.
  public var timeout = 10

  /// Creates access as the user in the address, or anonymous access.
  public init(_ url: DirectoryURL) {
    self.url = url
    user = url.user
  }

  /// Whether StartTLS protects the connection.
  var startsTLS: Bool { url.scheme == .ldap && !url.isLoopback && !allowsClearText }

  /// Whether others could read what is sent.
  var sendsClearText: Bool { url.scheme == .ldap && !url.isLoopback && allowsClearText }
}

/// Why a directory could not be searched.
public struct DirectoryError: Error, Hashable, Sendable {
  /// The failures that messages tell apart.
  public enum Reason: String, Hashable, Sendable, CaseIterable {
    /// OpenLDAP's library is not installed.
    case noLibrary
    /// No connection, or it was lost; `detail` is the library's reason.
    case unreachable
    /// The server did not answer in time.
    case timedOut
    /// The connection is not protected: the server refuses StartTLS, or requires encryption; `detail` says why.
    case notProtected
    /// The server's certificate is not valid or not trusted, or the port does not use TLS.
    case untrusted
    /// A password would be sent without encryption.
    case passwordInClear
    /// The name or the password is wrong.
    case wrongPassword
    /// No password for the user; `detail` is the program that should have printed it, empty if none is set.
    case noPassword
    /// The server does not allow this user, or anonymous users, to search.
    case notPermitted
    /// The server does not name a base, and neither does the address.
    case noBase
    /// The base does not exist; `detail` is the base.
    case missingBase
    /// The filter in the address is not valid.
    case badFilter
    /// The entries are on another server.
    case referral
    /// Anything else; `detail` is the server's message.
    case refused
    /// The search was stopped.
    case cancelled
  }

  /// What failed.
  public let reason: Reason
  /// Details, often text from the server; may be empty.
  public let detail: String

  /// Creates an error; only some reasons have details.
  public init(_ reason: Reason, detail: String = "") {
    self.reason = reason
    self.detail = detail
  }
}
