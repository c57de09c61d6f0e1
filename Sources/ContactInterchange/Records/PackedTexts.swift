/// Strings packed into bytes, each after its length. One thread packs what it has made of a contact, and another
/// unpacks it when it is the contact's turn in the output.
public enum PackedTexts {
  private static let countSize = MemoryLayout<UInt32>.size

  /// Appends a text.
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
