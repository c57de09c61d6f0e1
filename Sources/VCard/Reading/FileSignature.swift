/// The type of a file by its first bytes, if they show that it is not text.
public struct FileSignature: Hashable, Sendable {
  /// The common name of the type, such as `PNG`.
  public let name: String
  /// The command that unpacks the file to standard output, if it is compressed.
  public let unpacker: String?
  private let bytes: [UInt8]

  /// The number of bytes that tell the type.
  static let length = 16

  /// Finds the signature with which these bytes begin; nil for text and for unknown types.
  /// - Parameter bytes: the first 16 bytes, or more.
  public init?(of bytes: [UInt8]) {
    guard let known = Self.known.first(where: { bytes.starts(with: $0.bytes) }) else { return nil }
    self = known
  }

  private init(_ name: String, _ bytes: [UInt8], unpacker: String? = nil) {
    self.name = name
    self.bytes = bytes
    self.unpacker = unpacker
  }

  private static let known = [
    FileSignature("gzip", [0x1F, 0x8B], unpacker: "gzip -dc"),
    FileSignature("bzip2", Array("BZh".utf8), unpacker: "bzip2 -dc"),
    FileSignature("xz", [0xFD, 0x37, 0x7A, 0x58, 0x5A], unpacker: "xz -dc"),
    FileSignature("zstd", [0x28, 0xB5, 0x2F, 0xFD], unpacker: "zstd -dc"),
    FileSignature("ZIP", [0x50, 0x4B, 0x03, 0x04], unpacker: "unzip -p"),
    FileSignature("PNG", [0x89, 0x50, 0x4E, 0x47]),
    FileSignature("JPEG", [0xFF, 0xD8, 0xFF]),
    FileSignature("GIF", Array("GIF8".utf8)),
    FileSignature("PDF", Array("%PDF".utf8)),
    FileSignature("SQLite", Array("SQLite format 3".utf8)),
    FileSignature("ELF", [0x7F, 0x45, 0x4C, 0x46]),
    FileSignature("RIFF", Array("RIFF".utf8)),
    FileSignature("property list", Array("bplist".utf8)),
  ]
}
