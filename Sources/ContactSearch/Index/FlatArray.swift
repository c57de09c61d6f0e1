/// A growing array of plain values: in memory of its own, or at first in memory that somebody else mapped, which it
/// leaves when it outgrows it.
///
/// Sendable because it writes only into memory that it alone has.
struct FlatArray<Element: BitwiseCopyable>: @unchecked Sendable {
  private var memory: FlatMemory
  private var start: UnsafeMutablePointer<Element>
  private(set) var count: Int
  private var room: Int

  init() {
    self.init(room: 0)
  }

  init(_ elements: some Collection<Element>) {
    self.init(room: elements.count)
    for element in elements { append(element) }
  }

  init(repeating element: Element, count: Int) {
    self.init(room: count)
    start.initialize(repeating: element, count: count)
    self.count = count
  }

  private init(room: Int) {
    let start = UnsafeMutablePointer<Element>.allocate(capacity: room)
    self.init(memory: FlatMemory { start.deallocate() }, start: start, count: 0, room: room)
  }

  private init(memory: FlatMemory, start: UnsafeMutablePointer<Element>, count: Int, room: Int) {
    self.memory = memory
    self.start = start
    self.count = count
    self.room = room
  }

  /// The elements of a part of a stored index; nil when its length or place is none of such elements.
  init?(_ part: SearchIndex.StoredPart) {
    let width = MemoryLayout<Element>.stride
    guard let base = part.memory.baseAddress, part.count.isMultiple(of: width), part.count <= part.memory.count,
      UInt(bitPattern: base).isMultiple(of: UInt(MemoryLayout<Element>.alignment))
    else { return nil }
    let owner = part.owner
    self.init(
      memory: FlatMemory { withExtendedLifetime(owner) {} }, start: base.assumingMemoryBound(to: Element.self),
      count: part.count / width, room: part.memory.count / width)
  }

  var isEmpty: Bool { count == 0 }
  var last: Element? { count == 0 ? nil : start[count - 1] }
  var indices: Range<Int> { 0..<count }

  /// The elements as plain memory, valid as long as this array lives unchanged.
  var view: UnsafeBufferPointer<Element> { UnsafeBufferPointer(start: start, count: count) }

  subscript(place: Int) -> Element {
    @inline(__always)
    get {
      precondition(place >= 0 && place < count)
      return start[place]
    }
    set {
      precondition(place >= 0 && place < count)
      own(room: count)
      start[place] = newValue
    }
  }

  mutating func append(_ element: Element) {
    own(room: count + 1)
    start.advanced(by: count).initialize(to: element)
    count += 1
  }

  mutating func append(contentsOf elements: UnsafeBufferPointer<Element>) {
    guard let source = elements.baseAddress, !elements.isEmpty else { return }
    own(room: count + elements.count)
    start.advanced(by: count).initialize(from: source, count: elements.count)
    count += elements.count
  }

  mutating func append(contentsOf elements: [Element]) {
    elements.withUnsafeBufferPointer { append(contentsOf: $0) }
  }

  mutating func reserveCapacity(_ wanted: Int) {
    if wanted > room { move(toRoom: wanted) }
  }

  /// Makes sure that nobody shares the memory and that it has this room.
  @inline(__always)
  private mutating func own(room wanted: Int) {
    if wanted > room {
      move(toRoom: max(wanted, room + room / 2 + 16))
    } else if !isKnownUniquelyReferenced(&memory) {
      move(toRoom: room)
    }
  }

  @inline(never)
  private mutating func move(toRoom wanted: Int) {
    var moved = FlatArray(room: wanted)
    moved.start.initialize(from: start, count: count)
    moved.count = count
    withExtendedLifetime(memory) { self = moved }
  }

  /// The same elements in memory of its own, without spare room.
  func shrunk() -> FlatArray {
    var copy = FlatArray(room: count)
    copy.append(contentsOf: view)
    return copy
  }

  /// Bytes in use.
  var footprint: Int { room * MemoryLayout<Element>.stride }
}

/// Keeps the memory of a ``FlatArray`` until the last array that has it is gone.
private final class FlatMemory {
  private let release: () -> Void

  init(release: @escaping () -> Void) { self.release = release }

  deinit { release() }
}
