import VCard

/// The line of a contact's photo, kept without the photo, which the book has once already: the digest of the stored
/// photo stands in the place of the base64.
enum PhotoLine {
  private static let mark = "sha256:"
  private static let digits = 64

  /// The line with this digest in the place of the photo.
  static func kept(_ line: CardLine, digest: String) -> CardLine {
    line.replacingValue(after: beginning(of: line.rawValue), with: mark + digest)
  }

  /// The digest in a kept line; nil for any other line.
  static func digest(in line: CardLine) -> String? {
    let value = line.rawValue
    let length = mark.utf8.count + digits
    guard value.utf8.count <= 1024, value.utf8.suffix(length).starts(with: mark.utf8) else { return nil }
    return String(value.suffix(digits))
  }

  /// The kept line with the photo in it again, as it came.
  static func filled(_ line: CardLine, _ bytes: [UInt8]) -> CardLine {
    line.replacingValue(after: beginning(of: line.rawValue), with: Base64.encode(bytes))
  }

  /// The number of bytes before the base64: those of `data:image/jpeg;base64,`, or none.
  private static func beginning(of value: String) -> Int {
    let head = value.utf8.prefix(256)
    let start = head.prefix { $0 == 0x20 || $0 == 0x09 }.count
    let isURI = head.dropFirst(start).prefix(5).elementsEqual("data:".utf8, by: { $0 | 0x20 == $1 | 0x20 })
    guard isURI, let comma = head.firstIndex(of: UInt8(ascii: ",")) else { return 0 }
    return head.distance(from: head.startIndex, to: comma) + 1
  }
}
