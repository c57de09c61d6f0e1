/// A writer of the bytes of a sort key, up to a limit.
///
/// A key consists of: section, class, units; for names with characters other than Han, 01 and the lower levels of ICU's
/// keys; and, if the units omit characters of the name, 00 and all of its characters.
///
///     class        1 Han, 2 Latin, in `#` 1 another script, then its letter in two bytes, 3 number, 4 symbol,
///                  5 nothing visible
///     Han unit     syllable code + 0x1000 (two bytes), character (two bytes, or FB and three)
///     other run    40 when it follows Han, then ICU's primary weights; 02 when Han follows
///
/// So a shorter name comes before a longer one, and after the same beginning Han comes before all else. ICU's keys hold
/// no 00, and 01 and 02 only between levels.
struct SortKeyWriter {
  private let bytes: UnsafeMutableBufferPointer<UInt8>
  private(set) var count = 0

  init(_ bytes: UnsafeMutableBufferPointer<UInt8>) { self.bytes = bytes }

  var isFull: Bool { count == bytes.count }

  mutating func append(_ byte: UInt8) {
    guard count < bytes.count else { return }
    bytes[count] = byte
    count += 1
  }

  mutating func append(_ slice: Slice<UnsafeMutableBufferPointer<UInt8>>) {
    for byte in slice { append(byte) }
  }

  mutating func appendHan(code: UInt16, character: UInt32) {
    append(0x10 + UInt8(code >> 8))
    append(UInt8(truncatingIfNeeded: code))
    if character >= 0xFB00 {
      append(0xFB)
      append(UInt8(truncatingIfNeeded: character >> 16))
    }
    append(UInt8(truncatingIfNeeded: character >> 8))
    append(UInt8(truncatingIfNeeded: character))
  }
}
