/// The address by which another program opens a value of a contact: `https://…`, `mailto:…` or `tel:…`, and nothing else.
///
/// What stands in a contact may come from anybody. So the scheme is always one of these, written by this program, which
/// is why the address can never be taken for an option; and it holds no control character, no blank and no letter beyond
/// ASCII.
struct LinkAddress: Equatable {
  /// Why a value is not opened.
  enum Refusal: Error, Equatable {
    /// A link of another scheme, or of none.
    case notWeb
    /// Control characters, nothing at all, or more than the limit.
    case malformed
    /// Not one address with an `@`.
    case notAnEmail
    /// Letters, or a code such as `*2767#` that a telephone obeys at once.
    case notANumber
  }

  /// What the other program gets.
  let text: String

  /// More bytes than this are no address that a person wrote; programs refuse longer command lines.
  private static let longest = 8192

  /// A web link: `http` or `https` with a host. One that begins with `www.` gets `https`.
  static func web(_ value: String) throws(Refusal) -> LinkAddress {
    var value = try checked(value)
    if value.lowercased().hasPrefix("www.") { value = "https://" + value }
    guard let colon = value.firstIndex(of: ":"), ["http", "https"].contains(value[..<colon].lowercased()) else {
      throw .notWeb
    }
    let rest = value[colon...].dropFirst()
    guard rest.hasPrefix("//"), let first = rest.dropFirst(2).first, !"/?#".contains(first) else { throw .notWeb }
    // RFC 3986: what may stand in an address stays, a `%` included; all else is percent-encoded UTF-8 (RFC 3987, 3.1).
    let encoded = encode(rest.utf8, keeping: "-._~:/?#[]@!$&'()*+,;=%")
    return LinkAddress(text: value[..<colon].lowercased() + ":" + encoded)
  }

  /// A mail to one address (RFC 6068): everything that would add a second address, a header or a text is encoded.
  static func email(_ value: String) throws(Refusal) -> LinkAddress {
    let value = try checked(value)
    guard let at = value.lastIndex(of: "@"), at != value.startIndex, value.index(after: at) != value.endIndex,
      !value.contains(where: \.isWhitespace)
    else { throw .notAnEmail }
    var user = encode(value[..<at].utf8, keeping: "-._~+")
    // A mail program may cut the scheme off; what is left must not be an option.
    if user.hasPrefix("-") { user = "%2D" + user.dropFirst() }
    return LinkAddress(text: "mailto:" + user + "@" + encode(value[value.index(after: at)...].utf8, keeping: "-._~"))
  }

  /// A call (RFC 3966): digits, with the blanks and hyphens that people write left out. An extension follows as `;ext=`.
  ///
  /// Codes that begin with `*` or `#` change settings of a telephone or wipe it; they are refused, and elsewhere in a
  /// number these two are written as the standard asks. A number without `+` gets no `phone-context`: which it would be is
  /// not known, and programs for calls take numbers without one.
  static func phone(_ value: String) throws(Refusal) -> LinkAddress {
    var value = try checked(value)
    if value.lowercased().hasPrefix("tel:") { value = String(value.dropFirst(4)) }
    var number = ""
    var rest = ascii(value)[...]
    while let character = rest.first {
      if let extra = extensionNumber(rest), number.count > 2 {
        number += ";ext=" + extra
        break
      }
      rest = rest.dropFirst()
      switch character {
      case "0"..."9": number.append(character)
      case "+" where number.isEmpty: number.append(character)
      case "*" where !number.isEmpty: number.append(character)
      case "#" where !number.isEmpty: number += "%23"
      case " ", "-", ".", "/", "(", ")": continue
      default: throw .notANumber
      }
    }
    guard number.contains(where: \.isNumber) else { throw .notANumber }
    return LinkAddress(text: "tel:" + number)
  }

  /// The digits after `ext`, `ext.`, `x`, `;ext=` or `,`, when nothing but them follows.
  private static func extensionNumber(_ text: Substring) -> String? {
    let lowered = text.lowercased()
    for mark in [";ext=", "extension", "ext.", "ext", "x", ","] where lowered.hasPrefix(mark) {
      let digits = lowered.dropFirst(mark.count).filter { $0 != " " }
      return !digits.isEmpty && digits.allSatisfy { ("0"..."9").contains($0) } ? digits : nil
    }
    return nil
  }

  /// Digits and signs of full width, as Chinese and Japanese keyboards type them, and the many blanks and hyphens, as ASCII.
  private static func ascii(_ value: String) -> String {
    var text = ""
    for scalar in value.unicodeScalars {
      switch scalar.value {
      case 0xFF01...0xFF5E: text.unicodeScalars.append(Unicode.Scalar(UInt8(scalar.value - 0xFEE0)))
      case 0x2010...0x2015, 0x2212: text.append("-")
      // Marks of direction come along when a number is copied from a web page.
      case 0x200B...0x200F, 0x202A...0x202E, 0x2060...0x2069, 0xFEFF: continue
      default:
        if scalar.properties.isWhitespace { text.append(" ") } else { text.unicodeScalars.append(scalar) }
      }
    }
    return text
  }

  /// The value without blanks around it.
  private static func checked(_ value: String) throws(Refusal) -> String {
    let trimmed = String(
      value.drop(while: \.isWhitespace).reversed().drop(while: \.isWhitespace).reversed())
    guard !trimmed.isEmpty, trimmed.utf8.count <= longest,
      trimmed.unicodeScalars.allSatisfy({ $0.properties.generalCategory != .control })
    else { throw .malformed }
    return trimmed
  }

  /// ASCII letters, digits and the kept characters as they are, every other byte as `%` and its number.
  private static func encode(_ bytes: some Sequence<UInt8>, keeping kept: StaticString) -> String {
    let kept = UnsafeBufferPointer(start: kept.utf8Start, count: kept.utf8CodeUnitCount)
    let digits = Array("0123456789ABCDEF".utf8)
    var encoded: [UInt8] = []
    for byte in bytes {
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"):
        encoded.append(byte)
      case _ where kept.contains(byte): encoded.append(byte)
      default: encoded += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
      }
    }
    return String(decoding: encoded, as: UTF8.self)
  }
}
