/// Strings packed into bytes. Several threads encode contacts and pack their strings; one thread unpacks them in the
/// order of the output.
public enum PackedTexts {
  private static let countSize = MemoryLayout<UInt32>.size

  /// Appends the length of a text in UTF-8, as four bytes in little-endian order, and the text.
  public static func append(_ text: String, to bytes: inout [UInt8]) {
    withUnsafeBytes(of: UInt32(text.utf8.count).littleEndian) { bytes += $0 }
    bytes += text.utf8
  }

  /// Returns the texts that were appended. An incomplete text ends the list.
  public static func texts(in bytes: UnsafeRawBufferPointer) -> [String] {
    var texts: [String] = []
    var rest = bytes[...]
    while rest.count >= countSize {
      let count = Int(UInt32(littleEndian: UnsafeRawBufferPointer(rebasing: rest).loadUnaligned(as: UInt32.self)))
      rest = rest.dropFirst(countSize)
      guard count <= rest.count else { break }
      texts.append(String(decoding: rest.prefix(count), as: UTF8.self))
      rest = rest.dropFirst(count)
    }
    return texts
  }
}
