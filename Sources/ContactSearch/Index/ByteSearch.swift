/// Finds a byte string in a long array, 32 places at a time by its first two bytes.
enum ByteSearch {
  private typealias Block = SIMD32<UInt8>

  /// Calls `found` with the places of the string, ascending; it answers where to go on, or nil to stop.
  @inline(__always)
  static func forEach(_ needle: [UInt8], in bytes: UnsafeBufferPointer<UInt8>, _ found: (Int) -> Int?) {
    guard let base = bytes.baseAddress, !needle.isEmpty, bytes.count >= needle.count else { return }
    let start = UnsafeRawPointer(base)
    let last = bytes.count - needle.count
    let first = Block(repeating: needle[0])
    let second = Block(repeating: needle.count > 1 ? needle[1] : 0)
    let hasSecond = needle.count > 1
    var next = 0  // the first place that may be reported
    var block = 0
    while block <= last {
      if block + 33 <= bytes.count {
        let here = start.loadUnaligned(fromByteOffset: block, as: Block.self)
        var equal = here .== first
        if hasSecond { equal = equal .& (start.loadUnaligned(fromByteOffset: block + 1, as: Block.self) .== second) }
        if !any(equal) {
          block += 32
          continue
        }
      }
      let end = min(block + 32, last + 1)
      var place = max(block, next)
      while place < end {
        if bytes[place] == needle[0], isEqual(needle, bytes, place) {
          guard let following = found(place) else { return }
          next = max(following, place + 1)
          place = next
        } else {
          place += 1
        }
      }
      block = max(block + 32, next)
    }
  }

  @inline(__always)
  private static func isEqual(_ needle: [UInt8], _ bytes: UnsafeBufferPointer<UInt8>, _ place: Int) -> Bool {
    for offset in needle.indices where bytes[place + offset] != needle[offset] { return false }
    return true
  }
}
