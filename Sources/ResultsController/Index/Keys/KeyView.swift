import Glibc

/// An encoded sort key in memory that belongs to something else; valid as long as that memory is.
struct KeyView {
  let bytes: UnsafeBufferPointer<UInt8>

  init(_ bytes: UnsafeBufferPointer<UInt8>) { self.bytes = bytes }

  var count: Int { bytes.count }

  /// Negative, zero or positive, as `memcmp`; a key sorts after its own prefixes.
  static func compare(_ left: KeyView, _ right: KeyView) -> Int {
    let common = min(left.count, right.count)
    if common > 0, let leftStart = left.bytes.baseAddress, let rightStart = right.bytes.baseAddress {
      let order = Int(memcmp(leftStart, rightStart, common))
      if order != 0 { return order }
    }
    return left.count - right.count
  }

  /// How many bytes at the beginning are the same, at most `limit`. Compares eight at a time.
  @inline(__always)
  static func sharedCount(_ left: UnsafePointer<UInt8>, _ right: UnsafePointer<UInt8>, _ limit: Int) -> Int {
    var index = 0
    while index &+ 8 <= limit {
      let difference = word(left + index) ^ word(right + index)
      if difference != 0 { return index &+ difference.trailingZeroBitCount &>> 3 }
      index &+= 8
    }
    while index < limit, left[index] == right[index] { index &+= 1 }
    return index
  }

  @inline(__always)
  private static func word(_ bytes: UnsafePointer<UInt8>) -> UInt64 {
    UInt64(littleEndian: UnsafeRawPointer(bytes).loadUnaligned(as: UInt64.self))
  }
}

/// Numbers in unsigned LEB128: seven bits a byte, lowest first; only the last byte has a clear highest bit.
enum ShortNumber {
  static func byteCount(_ number: Int) -> Int { number < 0x80 ? 1 : 1 + byteCount(number >> 7) }

  /// Writes a number, and moves to the byte after it.
  @inline(__always)
  static func write(_ number: Int, _ next: inout UnsafeMutablePointer<UInt8>) {
    var number = number
    while number >= 0x80 {
      next.pointee = UInt8(truncatingIfNeeded: number) | 0x80
      next += 1
      number >>= 7
    }
    next.pointee = UInt8(truncatingIfNeeded: number)
    next += 1
  }

  /// Reads a number, and moves to the byte after it.
  @inline(__always)
  static func read(_ next: inout UnsafePointer<UInt8>) -> Int {
    var number = Int(next.pointee)
    next += 1
    guard number >= 0x80 else { return number }
    number &= 0x7F
    var shift = 7
    while true {
      let byte = Int(next.pointee)
      next += 1
      number |= (byte & 0x7F) << shift
      if byte < 0x80 { return number }
      shift += 7
    }
  }
}
