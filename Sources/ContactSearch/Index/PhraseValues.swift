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
