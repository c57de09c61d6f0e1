import Glibc

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
    memory = FlatMemory(bytes: room * MemoryLayout<Element>.stride)
    start = memory.start.bindMemory(to: Element.self, capacity: room)
    count = 0
    self.room = room
  }

  /// The elements of a part of a stored index; nil when its length or place is none of such elements.
  init?(_ part: SearchIndex.StoredPart) {
    let width = MemoryLayout<Element>.stride
    guard let base = part.memory.baseAddress, part.count.isMultiple(of: width), part.count <= part.memory.count,
      UInt(bitPattern: base).isMultiple(of: UInt(MemoryLayout<Element>.alignment))
    else { return nil }
    memory = FlatMemory(start: base, owner: part.owner)
    start = base.assumingMemoryBound(to: Element.self)
    count = part.count / width
    room = part.memory.count / width
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

  mutating func append(repeating element: Element, count added: Int) {
    own(room: count + added)
    start.advanced(by: count).initialize(repeating: element, count: added)
    count += added
  }

  /// Gives the elements to be changed in place.
  mutating func update(_ body: (UnsafeMutableBufferPointer<Element>) -> Void) {
    own(room: count)
    body(UnsafeMutableBufferPointer(start: start, count: count))
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
    if isKnownUniquelyReferenced(&memory), memory.owner == nil {
      // The system moves the pages of a long array without a copy.
      memory.resize(bytes: wanted * MemoryLayout<Element>.stride)
      start = memory.start.bindMemory(to: Element.self, capacity: wanted)
      room = wanted
    } else {
      self = copy(room: wanted)
    }
  }

  private func copy(room: Int) -> FlatArray {
    var copy = FlatArray(room: room)
    copy.append(contentsOf: view)
    return copy
  }

  /// Gives back spare room, and takes the elements out of memory that somebody else mapped.
  mutating func shrink() { move(toRoom: count) }

  /// Bytes in use.
  var footprint: Int { room * MemoryLayout<Element>.stride }
}

/// Keeps the memory of a ``FlatArray`` until the last array that has it is gone.
private final class FlatMemory {
  private(set) var start: UnsafeMutableRawPointer
  /// Whoever mapped the memory; nil for memory of its own.
  let owner: AnyObject?

  init(bytes: Int) {
    start = FlatMemory.resized(nil, bytes)
    owner = nil
  }

  init(start: UnsafeMutableRawPointer, owner: AnyObject) {
    self.start = start
    self.owner = owner
  }

  deinit { if owner == nil { free(start) } }

  func resize(bytes: Int) { start = FlatMemory.resized(start, bytes) }

  private static func resized(_ start: UnsafeMutableRawPointer?, _ bytes: Int) -> UnsafeMutableRawPointer {
    guard let resized = realloc(start, max(16, bytes)) else { fatalError("out of memory") }
    return resized
  }
}
