import PictureFormat

/// Pictures: a header is read or refused. Removing metadata keeps the picture's format and size, leaves nothing for a
/// second pass, and adds at most an orientation.
enum PictureCheck {
  static func check(_ bytes: [UInt8]) {
    guard let format = ImageFormat(firstBytes: Array(bytes.prefix(64))) else { return }
    let facts = try? ImageFacts(bytes)
    let stripped = PictureMetadata.stripped(bytes, format: format)
    if stripped.count > bytes.count + 40 { fatalError("\(bytes.count) bytes became \(stripped.count)") }
    guard let facts else { return }
    guard let after = try? ImageFacts(stripped) else { fatalError("\(facts) is refused without metadata") }
    if after != facts { fatalError("\(facts) became \(after)") }
    if PictureMetadata.stripped(stripped, format: format) != stripped { fatalError("a second pass removes more") }
  }
}
