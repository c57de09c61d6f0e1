import VCard

/// The line of a contact's photo, kept without the photo, which is stored separately: the line has the digest of the
/// stored photo instead of the base64.
enum PhotoLine {
  private static let prefix = "sha256:"
  private static let digits = 64

  /// Returns the line with this digest instead of the photo.
  static func kept(_ line: CardLine, digest: String) -> CardLine {
    line.replacingValue(after: line.base64Offset, with: prefix + digest)
  }

  /// Returns the digest in a kept line; nil for any other line.
  static func digest(in line: CardLine) -> String? {
    let value = line.rawValue
    let length = prefix.utf8.count + digits
    guard value.utf8.suffix(length).starts(with: prefix.utf8) else { return nil }
    return String(value.suffix(digits))
  }

  /// Returns the kept line with the photo put back.
  static func filled(_ line: CardLine, _ bytes: [UInt8]) -> CardLine {
    line.replacingValue(after: line.base64Offset, with: Base64.encode(bytes))
  }
}
