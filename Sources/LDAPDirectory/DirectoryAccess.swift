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
