import Foundation

/// The URI of a contact by its UID: `addressbook://book/contact/UID`, the UID percent-encoded (RFC 3986).
public struct ContactURI: Hashable, Sendable {
  /// The UID, verbatim, not empty.
  public let uid: String

  private static let prefix = "addressbook://book/contact/"
  private static let unreserved = CharacterSet(
    charactersIn: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")

  /// The URI of a contact with this UID, which must not be empty.
  public init(uid: String) { self.uid = uid }

  /// Parses a URI.
  /// - Returns: nil for any other text, an empty UID, or a `%` that does not begin a UTF-8 encoded character.
  public init?(_ text: String) {
    guard Self.isOne(text), text.lowercased().hasPrefix(Self.prefix) else { return nil }
    let encoded = text.utf8.dropFirst(Self.prefix.utf8.count)
    let isPlain = encoded.allSatisfy { $0 > 0x20 && $0 < 0x7F && !"/?#\"<>\\^`{|}".utf8.contains($0) }
    guard isPlain, let uid = String(encoded)?.removingPercentEncoding, !uid.isEmpty else { return nil }
    self.uid = uid
  }

  /// Returns whether a string is meant to be such a URI, because it has the scheme.
  public static func isOne(_ text: String) -> Bool { text.lowercased().hasPrefix("addressbook:") }

  /// The URI in ASCII.
  public var text: String {
    // A UID consists of Unicode scalars, which UTF-8 can always encode.
    Self.prefix + (uid.addingPercentEncoding(withAllowedCharacters: Self.unreserved) ?? "")
  }
}
