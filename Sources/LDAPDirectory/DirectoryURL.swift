import Glibc
import SystemCalls

/// The address of a directory: an LDAP URL (RFC 4516), `ldap://host:port/base?attributes?scope?filter?extensions`.
///
/// Without a scope, the whole tree below the base is searched, because users look for contacts; the RFC's default is
/// the base alone.
public struct DirectoryURL: Hashable, Sendable {
  /// How a connection is protected.
  public enum Scheme: String, Hashable, Sendable {
    /// Not encrypted, unless StartTLS protects it (RFC 4513, 3).
    case ldap
    /// TLS from the first byte.
    case ldaps
  }

  /// What is searched.
  public enum Scope: String, Hashable, Sendable {
    /// The base alone.
    case base
    /// The entries right below it.
    case one
    /// The base and everything below it.
    case sub
  }

  /// Why a text is not such an address.
  public enum Problem: String, Error, Hashable, Sendable, CaseIterable {
    /// It does not begin with `ldap://` or `ldaps://`.
    case scheme
    /// There is no host, or it is not valid.
    case host
    /// The port is not a number from 1 to 65535.
    case port
    /// A `%` without two hexadecimal digits, `%00`, or text that is not UTF-8.
    case encoding
    /// The scope is none of the three.
    case scope
    /// The parentheses of the filter do not match, or there is more than one filter.
    case filter
    /// A critical extension that is not supported, or text after the last part.
    case `extension`
  }

  /// The scheme.
  public let scheme: Scheme
  /// A name or an address, without brackets.
  public let host: String
  /// The port; nil for the default of the scheme.
  public let port: Int?
  /// The DN to search from; empty to ask the server for one.
  public let base: String
  /// The attributes to ask for; empty for all that a contact has a field for.
  public let attributes: [String]
  /// What is searched.
  public let scope: Scope
  /// A filter that every entry must match, in parentheses; nil for people.
  public let filter: String?
  /// The DN to bind with, from the extension `bindname`; nil to bind anonymously.
  public let user: String?

  /// Returns whether a text looks like such an address, even if it is not valid.
  public static func hasLDAPScheme(_ text: String) -> Bool {
    let text = text.lowercased()
    return text.hasPrefix("ldap://") || text.hasPrefix("ldaps://") || text.hasPrefix("ldapi://")
  }

  /// Reads an address.
  public init(_ text: String) throws(Problem) {
    guard let end = text.range(of: "://"), let scheme = Scheme(rawValue: text[..<end.lowerBound].lowercased()) else {
      throw .scheme
    }
    self.scheme = scheme
    let rest = text[end.upperBound...]
    let slash = rest.firstIndex(of: "/") ?? rest.endIndex
    let authority = rest[..<slash]
    guard !authority.contains("?") else { throw .host }
    (host, port) = try Self.authority(String(authority))
    var parts = rest[slash...].dropFirst().split(separator: "?", omittingEmptySubsequences: false).map(String.init)
    guard parts.count <= 5 else { throw .extension }
    parts += Array(repeating: "", count: 5 - parts.count)
    base = try Self.decoded(parts[0])
    var attributes: [String] = []
    for name in parts[1].split(separator: ",") { attributes.append(try Self.decoded(String(name))) }
    self.attributes = attributes.contains("*") ? [] : attributes
    scope = try Self.scope(parts[2])
    let filter = try Self.decoded(parts[3])
    self.filter = filter.isEmpty ? nil : filter.hasPrefix("(") ? filter : "(\(filter))"
    if let filter = self.filter, !Self.isBalanced(filter) { throw .filter }
    user = try Self.user(parts[4])
  }

  /// The address of the server alone, which the library connects to.
  public var server: String {
    let name = host.contains(":") ? "[\(host)]" : host
    return scheme.rawValue + "://" + name + (port.map { ":\($0)" } ?? "")
  }

  /// Whether the host is `localhost`, an address that begins with 127, or `::1`; then nothing goes over a network.
  public var isLoopback: Bool { HostName.isLoopback(host) }

  // MARK: Parts

  private static func authority(_ text: String) throws(Problem) -> (String, Int?) {
    var host = text[...]
    var port: Substring?
    if text.hasPrefix("[") {
      guard let end = text.firstIndex(of: "]") else { throw .host }
      host = text[text.index(after: text.startIndex)..<end]
      var address = in6_addr()
      guard inet_pton(AF_INET6, String(host), &address) == 1 else { throw .host }
      let rest = text[text.index(after: end)...]
      guard rest.isEmpty || rest.hasPrefix(":") else { throw .port }
      if !rest.isEmpty { port = rest.dropFirst() }
    } else {
      if let colon = text.firstIndex(of: ":") {
        host = text[..<colon]
        port = text[text.index(after: colon)...]
      }
      let isName = host.utf8.allSatisfy { byte in
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x2E, 0x5F: true
        default: false
        }
      }
      guard isName, !host.isEmpty else { throw .host }
    }
    guard let port else { return (String(host), nil) }
    guard port.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let number = Int(port), (1...65_535).contains(number)
    else { throw .port }
    return (String(host), number)
  }

  private static func scope(_ text: String) throws(Problem) -> Scope {
    switch text.lowercased() {
    case "", "sub", "subtree": return .sub
    case "one", "onelevel": return .one
    case "base": return .base
    default: throw .scope
    }
  }

  /// Returns the user in the extensions (`bindname=DN`). Others are ignored, or refused if `!` marks them as critical.
  private static func user(_ text: String) throws(Problem) -> String? {
    var user: String?
    for item in text.split(separator: ",") {
      let isCritical = item.hasPrefix("!")
      let parts = item.drop { $0 == "!" }.split(separator: "=", maxSplits: 1).map(String.init)
      if parts.first?.lowercased() == "bindname", parts.count == 2 {
        user = try decoded(parts[1])
      } else if isCritical {
        throw .extension
      }
    }
    return user
  }

  private static func decoded(_ text: String) throws(Problem) -> String {
    var bytes: [UInt8] = []
    var rest = Array(text.utf8)[...]
    while let byte = rest.popFirst() {
      guard byte == UInt8(ascii: "%") else {
        bytes.append(byte)
        continue
      }
      guard let high = rest.popFirst().flatMap(digit), let low = rest.popFirst().flatMap(digit), high | low != 0 else {
        throw .encoding
      }
      bytes.append(high << 4 | low)
    }
    guard let decoded = String(validating: bytes, as: UTF8.self) else { throw .encoding }
    return decoded
  }

  private static func digit(_ byte: UInt8) -> UInt8? { UInt8(String(Unicode.Scalar(byte)), radix: 16) }

  /// Returns whether a text is a single filter whose parentheses match: two in a row could not be combined with a
  /// search.
  private static func isBalanced(_ filter: String) -> Bool {
    var depth = 0
    for (offset, byte) in filter.utf8.enumerated() {
      if byte == UInt8(ascii: "(") { depth += 1 }
      if byte == UInt8(ascii: ")") { depth -= 1 }
      if depth < 0 || depth == 0 && offset < filter.utf8.count - 1 { return false }
    }
    return depth == 0
  }
}
