/// A few ASCII characters packed into one integer: a syllable's letters, or the folding of a letter.
///
/// Up to eight characters, none of them NUL. It never allocates.
public struct ASCIILetters: RandomAccessCollection, Hashable, Sendable {
  /// The characters, the first in the lowest byte; unused bytes are 0.
  public let packed: UInt64

  init(packed: UInt64) { self.packed = packed }

  init(_ character: UInt8) { packed = UInt64(character) }

  /// Always 0.
  public var startIndex: Int { 0 }
  /// The number of characters, 0 to 8.
  public var endIndex: Int { 8 - packed.leadingZeroBitCount / 8 }

  /// Returns the ASCII code at `index`, which must be below `endIndex`.
  public subscript(index: Int) -> UInt8 { UInt8(truncatingIfNeeded: packed >> (8 * UInt64(index))) }
}

extension ASCIILetters: CustomStringConvertible {
  /// The characters as a string.
  public var description: String { String(decoding: self, as: UTF8.self) }
}
