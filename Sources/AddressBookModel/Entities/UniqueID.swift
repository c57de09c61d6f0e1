import Contacts
import Foundation

/// UIDs for new contacts and groups: UUIDs, as recommended for vCard (RFC 6350, 6.7.6), either random (RFC 9562, 5.4)
/// or derived from a string.
package enum UniqueID {
  /// Returns a new UID, such as `urn:uuid:4fbe8971-0bc3-424c-9c26-36c3e1eff6b1`.
  package static func make() -> String {
    var generator = SystemRandomNumberGenerator()
    return make(using: &generator)
  }

  /// Returns a UID derived from a string, always the same for the same string: a UUID of version 8 (RFC 9562, 5.8) with
  /// bits of the string's SHA-256.
  static func make(from text: String) -> String {
    let digest = SHA256.digest(of: Array(text.utf8))
    func word(_ start: Int) -> UInt64 { digest[start..<start + 8].reduce(0) { $0 << 8 | UInt64($1) } }
    return spelled(high: word(0), low: word(8), version: 8)
  }

  static func make(using generator: inout some RandomNumberGenerator) -> String {
    let high: UInt64 = generator.next()
    return spelled(high: high, low: generator.next(), version: 4)
  }

  private static func spelled(high: UInt64, low: UInt64, version: UInt64) -> String {
    let digits = Array("0123456789abcdef".utf8)
    let high = high & 0xFFFF_FFFF_FFFF_0FFF | version << 12
    let low = low & 0x3FFF_FFFF_FFFF_FFFF | 0x8000_0000_0000_0000
    var text = Array("urn:uuid:".utf8)
    for index in 0..<32 {
      if [8, 12, 16, 20].contains(index) { text.append(UInt8(ascii: "-")) }
      let word = index < 16 ? high : low
      text.append(digits[Int(word >> (60 - UInt64(index % 16) * 4) & 0xF)])
    }
    return String(decoding: text, as: UTF8.self)
  }
}

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
