/// Maps row ids to the serials of their chunks. Nested arrays, so that copies share all buckets except the changed
/// ones.
struct IdentityMap: Sendable {
  /// Twelve bytes: an `Int64` with the serial would be padded to sixteen.
  private struct Entry {
    private let low: UInt32
    private let high: UInt32
    var serial: UInt32

    init(id: Int64, serial: UInt32) {
      low = UInt32(truncatingIfNeeded: id)
      high = UInt32(truncatingIfNeeded: id >> 32)
      self.serial = serial
    }

    @inline(__always)
    func isOf(_ id: Int64) -> Bool {
      low == UInt32(truncatingIfNeeded: id) && high == UInt32(truncatingIfNeeded: id >> 32)
    }
  }

  private static let rowsPerBucket = 128
  private static let bucketsPerGroup = 64
  /// How many rows are sorted into buckets at a time: few enough for the processor's cache.
  private static let rowsPerPass = 65_536

  private var groups: [[[Entry]]] = []
  private var shift: UInt64 = 63
  private var bucketCount = 0
  private var capacity = 0
  private(set) var count = 0

  /// Fills the map in one pass; the serial of a chunk is its index.
  init(_ chunks: [IndexChunk], count: Int) {
    guard count > 0 else {
      makeEmptyBuckets()
      return
    }
    reset(for: count)
    self.count = count
    var starts = [Int](repeating: 0, count: bucketCount + 1)
    for chunk in chunks {
      for id in chunk.ids { starts[bucket(id) + 1] += 1 }
    }
    for index in 0..<bucketCount { starts[index + 1] += starts[index] }
    let passes = (count - 1) / Self.rowsPerPass + 1
    let groupCount = (bucketCount - 1) / Self.bucketsPerGroup + 1
    for pass in 0..<passes {
      let first = groupCount * pass / passes
      let last = groupCount * (pass + 1) / passes
      fill(first * Self.bucketsPerGroup..<min(last * Self.bucketsPerGroup, bucketCount), chunks, starts)
    }
  }

  /// Adds the groups of some buckets. The first bucket starts a group.
  private mutating func fill(_ buckets: Range<Int>, _ chunks: [IndexChunk], _ starts: [Int]) {
    let first = starts[buckets.lowerBound]
    let sorted = UnsafeMutablePointer<Entry>.allocate(capacity: starts[buckets.upperBound] - first)
    defer { sorted.deallocate() }
    var next = Array(starts[buckets])
    next.withUnsafeMutableBufferPointer { next in
      for (serial, chunk) in chunks.enumerated() {
        for id in chunk.ids {
          let bucket = bucket(id) - buckets.lowerBound
          guard bucket >= 0, bucket < next.count else { continue }
          (sorted + (next[bucket] - first)).initialize(to: Entry(id: id, serial: UInt32(serial)))
          next[bucket] += 1
        }
      }
    }
    for group in stride(from: buckets.lowerBound, to: buckets.upperBound, by: Self.bucketsPerGroup) {
      groups.append(
        (group..<min(group + Self.bucketsPerGroup, buckets.upperBound)).map { bucket in
          Array(
            UnsafeBufferPointer(start: sorted + (starts[bucket] - first), count: starts[bucket + 1] - starts[bucket]))
        })
    }
  }

  /// Whether so many rows were added that the buckets are too full for fast lookup.
  var isOverfull: Bool { count > capacity }

  func serial(of id: Int64) -> UInt32? {
    let bucket = bucket(id)
    return groups[bucket / Self.bucketsPerGroup][bucket % Self.bucketsPerGroup].withUnsafeBufferPointer { entries in
      for entry in entries where entry.isOf(id) { return entry.serial }
      return nil
    }
  }

  mutating func set(_ id: Int64, _ serial: UInt32) {
    let bucket = bucket(id)
    let group = bucket / Self.bucketsPerGroup
    let slot = bucket % Self.bucketsPerGroup
    if let found = groups[group][slot].firstIndex(where: { $0.isOf(id) }) {
      groups[group][slot][found].serial = serial
    } else {
      groups[group][slot].append(Entry(id: id, serial: serial))
      count += 1
    }
  }

  mutating func remove(_ id: Int64) {
    let bucket = bucket(id)
    let group = bucket / Self.bucketsPerGroup
    let slot = bucket % Self.bucketsPerGroup
    guard let found = groups[group][slot].firstIndex(where: { $0.isOf(id) }) else { return }
    let last = groups[group][slot].removeLast()
    if found < groups[group][slot].count { groups[group][slot][found] = last }
    count -= 1
  }

  private func bucket(_ id: Int64) -> Int {
    Int(truncatingIfNeeded: (UInt64(bitPattern: id) &* 0x9E37_79B9_7F4A_7C15) >> shift)
  }

  private mutating func reset(for count: Int) {
    var bits: UInt64 = 1
    while (1 << bits) * Self.rowsPerBucket < count { bits += 1 }
    shift = 64 - bits
    bucketCount = 1 << bits
    capacity = bucketCount * Self.rowsPerBucket * 3
    groups = []
  }

  private mutating func makeEmptyBuckets() {
    reset(for: 0)
    groups = [[[Entry]]](
      repeating: [[Entry]](repeating: [], count: min(bucketCount, Self.bucketsPerGroup)),
      count: max(1, bucketCount / Self.bucketsPerGroup))
  }
}
