/// The objects of a context by id: a hash table that does not retain its objects, and takes a third of the time of a
/// dictionary with ids as keys.
struct ObjectRegistry {
  /// Addresses of objects, 0 in free slots. The number of slots is a power of two, and at least a quarter of the slots
  /// are free.
  private var slots: [UInt] = []
  private(set) var count = 0
  private let factor = Self.processFactor

  /// Different in each process, so nobody can prepare a file whose numbers collide.
  private static let processFactor = UInt64.random(in: .min ... .max) | 1

  /// All objects, in any order.
  var objects: [ManagedObject] {
    var objects: [ManagedObject] = []
    objects.reserveCapacity(count)
    for slot in slots where slot != 0 {
      if let object = Self.object(slot) { objects.append(object.takeUnretainedValue()) }
    }
    return objects
  }

  func object(_ id: ObjectID) -> ManagedObject? {
    count == 0 ? nil : Self.object(slots[index(of: id)])?.takeUnretainedValue()
  }

  /// Adds an object, or replaces the one with the same id.
  mutating func insert(_ object: ManagedObject) {
    reserve(1)
    let index = index(of: object.objectID)
    if slots[index] == 0 { count += 1 }
    slots[index] = Self.address(object)
  }

  /// Removes an object, unless another one has its id.
  mutating func remove(_ object: ManagedObject) {
    guard count > 0 else { return }
    let index = index(of: object.objectID)
    if slots[index] == Self.address(object) { empty(index) }
  }

  /// Removes the object with an id and returns it; nil if there is none.
  mutating func remove(_ id: ObjectID) -> ManagedObject? {
    guard let object = object(id) else { return nil }
    empty(index(of: id))
    return object
  }

  mutating func reserve(_ more: Int) {
    guard (count + more) * 4 > slots.count * 3 else { return }
    var size = max(16, slots.count)
    while (count + more) * 4 > size * 3 { size *= 2 }
    let old = slots
    slots = Array(repeating: 0, count: size)
    for slot in old where slot != 0 {
      var index = home(slot)
      while slots[index] != 0 { index = (index + 1) & (size - 1) }
      slots[index] = slot
    }
  }

  // MARK: -

  private static func address(_ object: ManagedObject) -> UInt {
    UInt(bitPattern: Unmanaged.passUnretained(object).toOpaque())
  }

  private static func object(_ slot: UInt) -> Unmanaged<ManagedObject>? {
    UnsafeRawPointer(bitPattern: slot).map { Unmanaged<ManagedObject>.fromOpaque($0) }
  }

  /// Returns the slot where the search for an id begins.
  private func home(_ id: ObjectID) -> Int {
    let number =
      switch id.key {
      case .permanent(let number): UInt64(bitPattern: number)
      case .temporary(let uuid): withUnsafeBytes(of: uuid.uuid) { $0.load(as: UInt64.self) }
      }
    return Int(truncatingIfNeeded: (number &* factor).byteSwapped) & (slots.count - 1)
  }

  private func home(_ slot: UInt) -> Int {
    Self.object(slot)?._withUnsafeGuaranteedRef { home($0.objectID) } ?? 0
  }

  /// Returns the slot of the object with an id; if there is none, the free slot where it belongs.
  private func index(of id: ObjectID) -> Int {
    var index = home(id)
    while let object = Self.object(slots[index]) {
      if object._withUnsafeGuaranteedRef({ $0.objectID == id }) { return index }
      index = (index + 1) & (slots.count - 1)
    }
    return index
  }

  /// Empties a slot, and moves the objects in the slots after it that would no longer be found.
  private mutating func empty(_ index: Int) {
    let mask = slots.count - 1
    var (gap, next) = (index, (index + 1) & mask)
    while slots[next] != 0 {
      if (next - home(slots[next])) & mask >= (next - gap) & mask {
        slots[gap] = slots[next]
        gap = next
      }
      next = (next + 1) & mask
    }
    slots[gap] = 0
    count -= 1
  }
}
