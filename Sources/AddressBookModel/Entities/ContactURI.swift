import Foundation

/// A contact by its uid as a URI: `addressbook://book/contact/UID`, the uid percent-encoded (RFC 3986).
public struct ContactURI: Hashable, Sendable {
  /// The uid, exact text, not empty.
  public let uid: String

  private static let prefix = "addressbook://book/contact/"
  private static let unreserved = CharacterSet(
    charactersIn: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")

  /// The URI of a contact with this uid.
  public init(uid: String) { self.uid = uid }

  /// Reads a URI.
  /// - Returns: nil for another URI, an empty uid, or a `%` that does not begin an encoded character of UTF-8.
  public init?(_ text: String) {
    guard Self.isOne(text), text.lowercased().hasPrefix(Self.prefix) else { return nil }
    let encoded = text.utf8.dropFirst(Self.prefix.utf8.count)
    let isPlain = encoded.allSatisfy { $0 > 0x20 && $0 < 0x7F && !"/?#\"<>\\^`{|}".utf8.contains($0) }
    guard isPlain, let uid = String(encoded)?.removingPercentEncoding, !uid.isEmpty else { return nil }
    self.uid = uid
  }

  /// Whether a text is meant to be such a URI: it has the scheme.
  public static func isOne(_ text: String) -> Bool { text.lowercased().hasPrefix("addressbook:") }

  /// The URI in ASCII.
  public var text: String {
    // A uid is a text of Unicode scalars, which UTF-8 always has bytes for.
    Self.prefix + (uid.addingPercentEncoding(withAllowedCharacters: Self.unreserved) ?? "")
  }
}
