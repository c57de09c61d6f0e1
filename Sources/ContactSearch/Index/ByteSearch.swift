/// A search for a byte string in a long array, 64 positions at a time. It first compares up to three consecutive bytes
/// of the string, those that are rarest at the beginning of the array.
enum ByteSearch {
  private typealias Block = SIMD16<UInt8>

  /// Calls `found` with the position of each occurrence of the string, in ascending order; `found` returns the position
  /// at which to continue.
  @inline(__always)
  static func forEach(_ needle: [UInt8], in bytes: UnsafeBufferPointer<UInt8>, _ found: (Int) -> Int) {
    needle.withUnsafeBufferPointer { forEach($0, in: bytes, found) }
  }

  @inline(__always)
  private static func forEach(
    _ needle: UnsafeBufferPointer<UInt8>, in bytes: UnsafeBufferPointer<UInt8>, _ found: (Int) -> Int
  ) {
    guard let base = bytes.baseAddress, !needle.isEmpty, bytes.count >= needle.count else { return }
    let start = UnsafeRawPointer(base)
    let key = rarestPart(of: needle, in: bytes)
    let toSecond = needle.count > 1 ? 1 : 0
    let toThird = needle.count > 2 ? 2 : 0
    let first = Block(repeating: needle[key])
    let second = Block(repeating: needle[key + toSecond])
    let third = Block(repeating: needle[key + toThird])
    @inline(__always)
    func equal(_ index: Int) -> SIMDMask<SIMD16<Int8>> {
      (start.loadUnaligned(fromByteOffset: index, as: Block.self) .== first)
        .& (start.loadUnaligned(fromByteOffset: index &+ toSecond, as: Block.self) .== second)
        .& (start.loadUnaligned(fromByteOffset: index &+ toThird, as: Block.self) .== third)
    }
    var next = 0  // the first position that may be reported
    var block = 0
    let count = bytes.count - needle.count + 1
    // Only blocks that can be read without passing the end, wherever the three bytes are in the string.
    while block + 64 <= count, block + key + 66 <= bytes.count {
      let index = block &+ key
      let masks = (equal(index), equal(index &+ 16), equal(index &+ 32), equal(index &+ 48))
      let any = unsafeBitCast((masks.0 .| masks.1) .| (masks.2 .| masks.3), to: SIMD2<UInt64>.self)
      if any.x | any.y != 0 {
        var rest = bits(masks.0) | bits(masks.1) << 16 | bits(masks.2) << 32 | bits(masks.3) << 48
        while rest != 0 {
          let index = block &+ rest.trailingZeroBitCount
          rest &= rest &- 1
          // The bytes compared so far agree: all of them in a short string.
          if index >= next, needle.count <= 3 || isEqual(needle, bytes, index) { next = max(found(index), index + 1) }
        }
      }
      block &+= 64
    }
    var index = max(block, next)
    while index < count {
      index = isEqual(needle, bytes, index) ? max(found(index), index + 1) : index + 1
    }
  }

  /// Returns a bit for each of sixteen positions of a mask, the first in the lowest bit.
  @inline(__always)
  private static func bits(_ mask: SIMDMask<SIMD16<Int8>>) -> UInt64 {
    // Moves the lowest bits of eight bytes into the highest byte: no two of the products share a bit.
    let lanes = unsafeBitCast(mask, to: SIMD2<UInt64>.self) & SIMD2(repeating: 0x0101_0101_0101_0101)
    return (lanes.x &* 0x0102_0408_1020_4080) &>> 56 | ((lanes.y &* 0x0102_0408_1020_4080) &>> 48 & 0xFF00)
  }

  /// Returns the offset in the string of the three bytes that are rarest at the beginning of the array; 0 for a string
  /// of fewer than four bytes.
  private static func rarestPart(of needle: UnsafeBufferPointer<UInt8>, in bytes: UnsafeBufferPointer<UInt8>) -> Int {
    if needle.count < 4 { return 0 }
    return withUnsafeTemporaryAllocation(of: Int.self, capacity: 256) { counts in
      counts.initialize(repeating: 1)
      for index in 0..<min(2048, bytes.count) { counts[Int(bytes[index])] += 1 }
      func frequency(_ index: Int) -> Int {
        counts[Int(needle[index])] * counts[Int(needle[index + 1])] * counts[Int(needle[index + 2])]
      }
      return (0..<(needle.count - 2)).min { frequency($0) < frequency($1) } ?? 0
    }
  }

  @inline(__always)
  private static func isEqual(
    _ needle: UnsafeBufferPointer<UInt8>, _ bytes: UnsafeBufferPointer<UInt8>, _ index: Int
  ) -> Bool {
    var offset = 0
    while offset < needle.count {
      if bytes[index + offset] != needle[offset] { return false }
      offset += 1
    }
    return true
  }
}
