import Glibc

/// A growable array of plain values. Its memory is allocated, or is part of a mapped stored index until the array
/// moves: when it outgrows that, is shrunk, or is changed while a copy shares it.
///
/// Sendable because it only writes to memory that nothing else shares.
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

  /// Creates an array that uses the memory of a part of a stored index; nil if the part's size or alignment is wrong.
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

  var last: Element? { count == 0 ? nil : start[count - 1] }

  /// The elements as plain memory, valid until this array is changed or released.
  var view: UnsafeBufferPointer<Element> { UnsafeBufferPointer(start: start, count: count) }

  subscript(index: Int) -> Element {
    @inline(__always)
    get {
      precondition(index >= 0 && index < count)
      return start[index]
    }
    set {
      precondition(index >= 0 && index < count)
      own(room: count)
      start[index] = newValue
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

  mutating func update(_ body: (UnsafeMutableBufferPointer<Element>) -> Void) {
    own(room: count)
    body(UnsafeMutableBufferPointer(start: start, count: count))
  }

  mutating func reserveCapacity(_ capacity: Int) {
    if capacity > room { move(toRoom: capacity) }
  }

  /// Makes sure that the memory is not shared and has this capacity.
  @inline(__always)
  private mutating func own(room capacity: Int) {
    if capacity > room {
      move(toRoom: max(capacity, room + room / 2 + 16))
    } else if !isKnownUniquelyReferenced(&memory) {
      move(toRoom: room)
    }
  }

  @inline(never)
  private mutating func move(toRoom capacity: Int) {
    if isKnownUniquelyReferenced(&memory), memory.owner == nil {
      // For a long array the system moves pages instead of copying.
      memory.resize(bytes: capacity * MemoryLayout<Element>.stride)
      start = memory.start.bindMemory(to: Element.self, capacity: capacity)
      room = capacity
    } else {
      self = copy(room: capacity)
    }
  }

  private func copy(room: Int) -> FlatArray {
    var copy = FlatArray(room: room)
    copy.append(contentsOf: view)
    return copy
  }

  /// Releases the pages of these elements, if they are in mapped memory.
  func releasePages(of range: Range<Int>) {
    memory.owner?.releasePages(of: UnsafeRawBufferPointer(UnsafeBufferPointer(rebasing: view[range])))
  }

  /// Releases spare capacity, and moves the elements out of mapped memory.
  mutating func shrink() { move(toRoom: count) }

  /// The number of bytes, including spare capacity.
  var footprint: Int { room * MemoryLayout<Element>.stride }
}

/// The memory of a ``FlatArray``, kept alive until the last array that uses it is gone.
private final class FlatMemory {
  private(set) var start: UnsafeMutableRawPointer
  /// The owner of mapped memory; nil for memory allocated here.
  let owner: (any StoredMemory)?

  init(bytes: Int) {
    start = FlatMemory.resized(nil, bytes)
    owner = nil
  }

  init(start: UnsafeMutableRawPointer, owner: any StoredMemory) {
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
