/// A cache of the values of names for one term. The key is the classes of a name's units, which thousands of names can
/// have in common. It is a small hash table without chaining: a new entry replaces the one in its slot.
final class NameValues {
  /// The length of the longest names that are cached, in units.
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

  /// Returns the value of a name of this many units, with the classes packed in `key`; nil if it is not cached.
  @inline(__always)
  func value(_ key: UInt64, _ count: UInt64) -> Int? {
    let slot = slot(key, count)
    return slot.pointee.key == key && slot.pointee.count == count ? slot.pointee.value : nil
  }

  func keep(_ value: Int, _ key: UInt64, _ count: UInt64) {
    slot(key, count).pointee = Slot(key: key, count: count, value: value)
  }
}

/// A cache of the values of shared fields for one term. It is a small table in which a new field replaces the one in
/// its slot.
final class PhraseValues {
  private static let slots = 4096

  private struct Slot {
    var id = -1
    var value = 0
  }

  private let table: UnsafeMutablePointer<Slot>

  init() {
    table = .allocate(capacity: Self.slots)
    table.initialize(repeating: Slot(), count: Self.slots)
  }

  deinit { table.deallocate() }

  /// Returns the value of a field by its number; nil if it is not cached.
  @inline(__always)
  func value(_ id: Int) -> Int? {
    let slot = table + (id & (Self.slots - 1))
    return slot.pointee.id == id ? slot.pointee.value : nil
  }

  func keep(_ value: Int, _ id: Int) { table[id & (Self.slots - 1)] = Slot(id: id, value: value) }
}
