/// Maps ids that may be far apart to the serials of their chunks. The buckets by hash are in nested arrays, so that
/// copies share all buckets except the changed ones.
struct ScatteredIdentities: Sendable {
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
  /// How many rows are sorted into buckets at a time: few enough for the processor's cache, unless this would take more
  /// than the maximum number of passes.
  private static let rowsPerPass = 65_536
  private static let maximumPasses = 16

  private var groups: [[[Entry]]] = []
  private var shift: UInt64 = 63
  private var bucketCount = 0
  private var capacity = 0
  private(set) var count = 0

  /// Fills the map with the ids that meet a condition; the serial of a chunk is its index.
  /// - Parameter count: the number of ids that meet the condition.
  init(_ chunks: [IndexChunk], count: Int, where isIncluded: (Int64) -> Bool) {
    reset(for: count)
    guard count > 0 else {
      groups = [[[Entry]]](repeating: [[Entry]](repeating: [], count: bucketCount), count: 1)
      return
    }
    self.count = count
    var starts = [Int](repeating: 0, count: bucketCount + 1)
    for chunk in chunks {
      chunk.forEachID(in: 0..<chunk.count) { if isIncluded($0) { starts[bucket($0) + 1] += 1 } }
    }
    for index in 0..<bucketCount { starts[index + 1] += starts[index] }
    let passes = min((count - 1) / Self.rowsPerPass + 1, Self.maximumPasses)
    let groupCount = (bucketCount - 1) / Self.bucketsPerGroup + 1
    for pass in 0..<passes {
      let first = groupCount * pass / passes
      let last = groupCount * (pass + 1) / passes
      fill(first * Self.bucketsPerGroup..<min(last * Self.bucketsPerGroup, bucketCount), chunks, starts, isIncluded)
    }
  }

  /// Adds the groups of some buckets. The first bucket starts a group.
  private mutating func fill(
    _ buckets: Range<Int>, _ chunks: [IndexChunk], _ starts: [Int], _ isIncluded: (Int64) -> Bool
  ) {
    let first = starts[buckets.lowerBound]
    let sorted = UnsafeMutablePointer<Entry>.allocate(capacity: starts[buckets.upperBound] - first)
    defer { sorted.deallocate() }
    var next = Array(starts[buckets])
    next.withUnsafeMutableBufferPointer { next in
      for (serial, chunk) in chunks.enumerated() {
        chunk.forEachID(in: 0..<chunk.count) { id in
          let bucket = bucket(id) - buckets.lowerBound
          guard bucket >= 0, bucket < next.count, isIncluded(id) else { return }
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
    let (group, slot) = location(id)
    return groups[group][slot].withUnsafeBufferPointer { entries in
      for entry in entries where entry.isOf(id) { return entry.serial }
      return nil
    }
  }

  /// Adds an id that is not in the map yet.
  mutating func add(_ id: Int64, _ serial: UInt32) {
    let (group, slot) = location(id)
    groups[group][slot].append(Entry(id: id, serial: serial))
    count += 1
  }

  /// Replaces the serial of an id; returns false if the id is not in the map.
  mutating func replace(_ id: Int64, _ serial: UInt32) -> Bool {
    let (group, slot) = location(id)
    guard let found = groups[group][slot].firstIndex(where: { $0.isOf(id) }) else { return false }
    groups[group][slot][found].serial = serial
    return true
  }

  /// Does nothing if the id is not in the map.
  mutating func remove(_ id: Int64) {
    let (group, slot) = location(id)
    guard let found = groups[group][slot].firstIndex(where: { $0.isOf(id) }) else { return }
    let last = groups[group][slot].removeLast()
    if found < groups[group][slot].count { groups[group][slot][found] = last }
    count -= 1
  }

  private func location(_ id: Int64) -> (group: Int, slot: Int) {
    let bucket = bucket(id)
    return (bucket / Self.bucketsPerGroup, bucket % Self.bucketsPerGroup)
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
  }
}
