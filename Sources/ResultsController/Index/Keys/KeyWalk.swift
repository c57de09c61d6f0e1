/// Compares the stored keys of a run, one after the other, with another key, without rebuilding them.
///
/// A stored key shares some bytes with the key before it. If these are more than the previous key shares with the other
/// key, the stored key compares like the previous key; if they are fewer, it is past the other key.
struct KeyWalk {
  private let key: UnsafePointer<UInt8>
  private let keyCount: Int
  private var next: UnsafePointer<UInt8>
  /// How many bytes the current row's key and the other key have in common.
  private var matched: Int
  /// Negative if the current row's key is before the other key, zero if they are equal, otherwise positive.
  private(set) var order: Int

  /// Begins at the first row of a run.
  init(_ run: Int, of chunk: IndexChunk, with other: KeyView) {
    let prefix = chunk.prefix
    next = chunk.run(run)
    // The address of an empty key is never read.
    key = other.bytes.baseAddress ?? next
    keyCount = other.count
    (matched, order) = (0, 0)
    if let start = prefix.baseAddress { compare(start, prefix.count) }
    let length = ShortNumber.read(&next)
    if matched == prefix.count { compare(next, length) }
    next += length
  }

  /// Goes on to the next row of the run. Call it only if the current row's key is not past the other key.
  @inline(__always)
  mutating func advance() {
    let shared = ShortNumber.read(&next)
    let length = ShortNumber.read(&next)
    if shared == matched {
      compare(next, length)
    } else if shared < matched {
      order = 1
    }
    next += length
  }

  /// Compares what follows the matched bytes.
  @inline(__always)
  private mutating func compare(_ rest: UnsafePointer<UInt8>, _ count: Int) {
    let limit = min(count, keyCount &- matched)
    let same = KeyView.sharedCount(rest, key + matched, limit)
    matched &+= same
    if same < limit {
      order = Int(rest[same]) &- Int(key[matched])
    } else if same < count {
      order = 1
    } else {
      order = matched < keyCount ? -1 : 0
    }
  }
}
