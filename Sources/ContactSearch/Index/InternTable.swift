import Glibc

/// Distinct byte strings, numbered from 0 in order of insertion. The overhead is 10 to 15 bytes per string.
struct InternTable {
  private(set) var bytes = FlatArray<UInt8>()
  private(set) var starts = FlatArray<UInt32>(CollectionOfOne(0))
  private(set) var slots = FlatArray<UInt32>(repeating: InternTable.free, count: 64)
  private static let free = UInt32.max

  var count: Int { starts.count - 1 }

  /// Returns the range in `bytes` of the string with this number.
  func range(of id: Int) -> Range<Int> { PackedContactsView.range(starts.view, id, id + 1) }

  private func view(of id: Int) -> UnsafeBufferPointer<UInt8> {
    UnsafeBufferPointer(rebasing: bytes.view[range(of: id)])
  }

  /// Returns the number of a string, or else a free slot.
  private func find(_ string: UnsafeBufferPointer<UInt8>) -> (id: Int?, slot: Int) {
    let slots = slots.view
    var slot = InternTable.hash(string) & (slots.count - 1)
    // At least one slot is free.
    while slots[slot] != InternTable.free {
      let id = Int(slots[slot])
      if InternTable.areEqual(view(of: id), string) { return (id, slot) }
      slot = (slot + 1) & (slots.count - 1)
    }
    return (nil, slot)
  }

  /// Returns the number of a string, and assigns one if the string is new.
  mutating func intern(_ string: [UInt8]) -> (id: Int, isNew: Bool) { string.withUnsafeBufferPointer { intern($0) } }

  private mutating func intern(_ string: UnsafeBufferPointer<UInt8>) -> (id: Int, isNew: Bool) {
    if (count + 1) * 4 > slots.count * 3 { grow() }
    let (known, slot) = find(string)
    if let known { return (known, false) }
    let id = count
    slots[slot] = UInt32(id)
    bytes.append(contentsOf: string)
    starts.append(UInt32(bytes.count))
    return (id, true)
  }

  private mutating func grow() {
    var larger = FlatArray(repeating: InternTable.free, count: slots.count * 2)
    for id in 0..<count {
      var slot = InternTable.hash(view(of: id)) & (larger.count - 1)
      while larger[slot] != InternTable.free { slot = (slot + 1) & (larger.count - 1) }
      larger[slot] = UInt32(id)
    }
    slots = larger
  }

  private static func areEqual(_ one: UnsafeBufferPointer<UInt8>, _ other: UnsafeBufferPointer<UInt8>) -> Bool {
    guard one.count == other.count, let first = one.baseAddress, let second = other.baseAddress else { return false }
    return memcmp(first, second, one.count) == 0
  }

  /// Returns a hash that multiplies eight bytes at a time and joins the halves of the product, as wyhash does.
  private static func hash(_ string: UnsafeBufferPointer<UInt8>) -> Int {
    let bytes = UnsafeRawBufferPointer(string)
    var hash: UInt64 = 0xA076_1D64_78BD_642F
    func add(_ word: UInt64) {
      let product = (hash ^ word).multipliedFullWidth(by: 0xE703_7ED1_A0B4_28DB)
      hash = product.high ^ product.low
    }
    var start = 0
    while start + 8 <= bytes.count {
      add(bytes.loadUnaligned(fromByteOffset: start, as: UInt64.self))
      start += 8
    }
    if start < bytes.count {
      // The length tells a short rest from one that ends with zeros.
      var rest = UInt64(bytes.count - start) << 56
      for index in start..<bytes.count { rest |= UInt64(bytes[index]) << UInt64(8 * (index - start)) }
      add(rest)
    }
    return Int(truncatingIfNeeded: hash & 0x7FFF_FFFF)
  }

  mutating func shrink() {
    bytes.shrink()
    starts.shrink()
  }

  /// The number of bytes, including spare capacity.
  var footprint: Int { bytes.footprint + starts.footprint + slots.footprint }
}

extension InternTable {
  /// Creates a table from its stored parts; nil if they are inconsistent.
  init?(stored bytes: FlatArray<UInt8>, starts: FlatArray<UInt32>, slots: FlatArray<UInt32>) {
    let count = starts.count - 1
    guard count >= 0, starts[0] == 0, starts[count] == bytes.count, slots.count >= 64,
      slots.count & (slots.count - 1) == 0, count < slots.count
    else { return nil }
    // Each string has at least one byte; each slot is free or refers to a string, and at least one is free, so that a
    // lookup ends.
    for id in 0..<count where starts.view[id] >= starts.view[id + 1] { return nil }
    var taken = 0
    for slot in slots.view where slot != InternTable.free {
      if slot >= count { return nil }
      taken += 1
    }
    guard taken == count else { return nil }
    self.bytes = bytes
    self.starts = starts
    self.slots = slots
  }
}
