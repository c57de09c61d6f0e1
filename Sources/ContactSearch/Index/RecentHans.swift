/// A cache of the numbers of Han characters in a lexicon, each with its reading in its context. It is direct-mapped: a
/// character replaces another one with the same low bits.
struct RecentHans {
  private struct Slot: BitwiseCopyable {
    var value: UInt32 = 0
    var number: UInt32 = 0
    var reading: UInt64 = 0
  }

  private static let slotCount = 4096
  private var slots: [Slot] = []

  /// Returns the number kept for a character and its reading; nil if there is none.
  func number(of value: UInt32, reading: UInt64) -> Int? {
    guard !slots.isEmpty else { return nil }
    let slot = slots[Int(value) & (Self.slotCount - 1)]
    return slot.value == value && slot.reading == reading ? Int(slot.number) : nil
  }

  mutating func keep(_ number: Int, of value: UInt32, reading: UInt64) {
    if slots.isEmpty { slots = Array(repeating: Slot(), count: Self.slotCount) }
    slots[Int(value) & (Self.slotCount - 1)] = Slot(value: value, number: UInt32(number), reading: reading)
  }

  /// The size in bytes.
  var footprint: Int { slots.count * MemoryLayout<Slot>.stride }
}
