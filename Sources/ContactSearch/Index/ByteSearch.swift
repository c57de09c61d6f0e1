/// Finds a byte string in a long array, 32 places at a time by its first two bytes.
enum ByteSearch {
  private typealias Block = SIMD16<UInt8>

  /// Calls `found` with the places of the string, ascending; it answers where to go on.
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
    let last = bytes.count - needle.count
    let first = Block(repeating: needle[0])
    let hasSecond = needle.count > 1
    let second = Block(repeating: hasSecond ? needle[1] : 0)
    var place = 0
    while place <= last {
      if place + 33 <= bytes.count {
        var low = start.loadUnaligned(fromByteOffset: place, as: Block.self) .== first
        var high = start.loadUnaligned(fromByteOffset: place + 16, as: Block.self) .== first
        if hasSecond {
          low = low .& (start.loadUnaligned(fromByteOffset: place + 1, as: Block.self) .== second)
          high = high .& (start.loadUnaligned(fromByteOffset: place + 17, as: Block.self) .== second)
        }
        let either = unsafeBitCast(low .| high, to: SIMD2<UInt64>.self)
        if either.x | either.y == 0 {
          place += 32
          continue
        }
      }
      let end = min(place + 32, last + 1)
      while place < end {
        if bytes[place] == needle[0], isEqual(needle, bytes, place) {
          place = max(found(place), place + 1)
        } else {
          place += 1
        }
      }
    }
  }

  @inline(__always)
  private static func isEqual(
    _ needle: UnsafeBufferPointer<UInt8>, _ bytes: UnsafeBufferPointer<UInt8>, _ place: Int
  ) -> Bool {
    var offset = 1
    while offset < needle.count {
      if bytes[place + offset] != needle[offset] { return false }
      offset += 1
    }
    return true
  }
}
