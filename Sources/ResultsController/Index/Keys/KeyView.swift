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
}
