/// What names are worth to one term, by the classes of their units: thousands of people differ in nothing that a term
/// sees. A small table in which a newer name takes the place of an older one.
final class NameValues {
  /// Longer names have no place here.
  static let longest: UInt64 = 4
  private static let slots = 512

  private struct Slot {
    var key: UInt64 = 0
    /// 0 for an empty slot.
    var count: UInt64 = 0
    var value = 0
  }

  private let table: UnsafeMutablePointer<Slot>

  init() {
    table = .allocate(capacity: Self.slots)
    table.initialize(repeating: Slot(), count: Self.slots)
  }

  deinit { table.deallocate() }

  @inline(__always)
  private func slot(_ key: UInt64, _ count: UInt64) -> UnsafeMutablePointer<Slot> {
    table + Int(truncatingIfNeeded: ((key &+ count) &* 0x9E37_79B9_7F4A_7C15) >> 55)
  }

  /// The value of a name of so many units, the classes packed in `key`; nil when it is not known.
  @inline(__always)
  func value(_ key: UInt64, _ count: UInt64) -> Int? {
    let slot = slot(key, count)
    return slot.pointee.key == key && slot.pointee.count == count ? slot.pointee.value : nil
  }

  func keep(_ value: Int, _ key: UInt64, _ count: UInt64) {
    slot(key, count).pointee = Slot(key: key, count: count, value: value)
  }
}
