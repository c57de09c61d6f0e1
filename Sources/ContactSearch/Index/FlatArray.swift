import Glibc

/// A growable array of plain values.
///
/// Sendable because it only writes to memory that nothing else shares.
struct FlatArray<Element: BitwiseCopyable>: @unchecked Sendable {
  private var memory: IndexMemory
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
    memory = IndexMemory(count: room * MemoryLayout<Element>.stride)
    start = memory.start.bindMemory(to: Element.self, capacity: room)
    count = 0
    self.room = room
  }

  /// Creates an array that uses the memory of a part of a stored index; nil if the part's size is wrong.
  init?(_ part: IndexMemory) {
    let width = MemoryLayout<Element>.stride
    guard part.count.isMultiple(of: width) else { return nil }
    memory = part
    count = part.count / width
    room = count
    start = part.start.bindMemory(to: Element.self, capacity: count)
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
    if isKnownUniquelyReferenced(&memory) {
      // For a long array the system moves pages instead of copying.
      memory.resize(to: capacity * MemoryLayout<Element>.stride)
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

  /// Releases spare capacity.
  mutating func shrink() { move(toRoom: count) }

  /// The number of bytes, including spare capacity.
  var footprint: Int { room * MemoryLayout<Element>.stride }
}

/// Plain memory of an index, which an index that is loaded from it uses in place.
///
/// Sendable because an index only writes to memory that nothing else shares.
public final class IndexMemory: @unchecked Sendable {
  private(set) var start: UnsafeMutableRawPointer
  /// The number of bytes.
  public private(set) var count: Int
  /// What the memory belongs to; nil if it was allocated here.
  private var owner: (any AnyObject & Sendable)?

  /// Allocates memory, aligned to 16 bytes. Fill ``bytes`` before an index is loaded from it.
  public init(count: Int) {
    self.count = count
    start = IndexMemory.resized(nil, count)
  }

  /// Uses memory of an owner, which stays valid as long as the owner. It is aligned to 16 bytes.
  public init(_ bytes: UnsafeMutableRawBufferPointer, of owner: any AnyObject & Sendable) {
    count = bytes.count
    start = bytes.baseAddress ?? IndexMemory.resized(nil, 0)
    self.owner = owner
  }

  deinit { if owner == nil { free(start) } }

  /// The bytes, valid as long as this object, and until an index that was loaded from it is changed.
  public var bytes: UnsafeMutableRawBufferPointer { UnsafeMutableRawBufferPointer(start: start, count: count) }

  func resize(to count: Int) {
    if owner == nil {
      start = IndexMemory.resized(start, count)
    } else {
      let copy = IndexMemory.resized(nil, count)
      copy.copyMemory(from: start, byteCount: min(count, self.count))
      start = copy
      owner = nil
    }
    self.count = count
  }

  private static func resized(_ start: UnsafeMutableRawPointer?, _ count: Int) -> UnsafeMutableRawPointer {
    guard let resized = realloc(start, max(16, count)) else { fatalError("out of memory") }
    return resized
  }
}
