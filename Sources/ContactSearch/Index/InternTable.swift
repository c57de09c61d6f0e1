/// Byte strings, each kept once and named by a number from 0 in order of arrival. Packed: about ten bytes beside the
/// string itself.
struct InternTable {
  private(set) var bytes: [UInt8] = []
  private var starts: [UInt32] = [0]
  private var slots: [UInt32] = Array(repeating: InternTable.free, count: 64)
  private static let free = UInt32.max

  var count: Int { starts.count - 1 }

  /// Where the string of a number lies in `bytes`.
  func range(of id: Int) -> Range<Int> { Int(starts[id])..<Int(starts[id + 1]) }

  /// The number of a string; `isNew` when this call gave it.
  mutating func intern(_ string: [UInt8]) -> (id: Int, isNew: Bool) {
    if (count + 1) * 4 > slots.count * 3 { grow() }
    var slot = InternTable.hash(string[...]) & (slots.count - 1)
    while slots[slot] != InternTable.free {
      let id = Int(slots[slot])
      if bytes[range(of: id)].elementsEqual(string) { return (id, false) }
      slot = (slot + 1) & (slots.count - 1)
    }
    let id = count
    slots[slot] = UInt32(id)
    bytes.append(contentsOf: string)
    starts.append(UInt32(bytes.count))
    return (id, true)
  }

  private mutating func grow() {
    var larger = Array(repeating: InternTable.free, count: slots.count * 2)
    for id in 0..<count {
      var slot = InternTable.hash(bytes[range(of: id)]) & (larger.count - 1)
      while larger[slot] != InternTable.free { slot = (slot + 1) & (larger.count - 1) }
      larger[slot] = UInt32(id)
    }
    slots = larger
  }

  /// FNV-1a (draft-eastlake-fnv), with its high bits folded down because the table takes the low ones.
  private static func hash(_ string: ArraySlice<UInt8>) -> Int {
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    for byte in string { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
    return Int(truncatingIfNeeded: (hash ^ hash >> 32) & 0x7FFF_FFFF)
  }

  /// Gives back the room that growing left over.
  mutating func shrink() {
    bytes = bytes.shrunk()
    starts = starts.shrunk()
  }

  /// Bytes in use.
  var footprint: Int { bytes.capacity + starts.capacity * 4 + slots.capacity * 4 }
}

extension Array {
  /// The same elements without spare room.
  func shrunk() -> [Element] {
    [Element](unsafeUninitializedCapacity: count) { buffer, initialized in
      initialized = buffer.initialize(fromContentsOf: self)
    }
  }
}
