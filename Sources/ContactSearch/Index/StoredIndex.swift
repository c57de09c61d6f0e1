/// Memory that somebody else keeps, such as the pages of a file.
public protocol StoredMemory: AnyObject, Sendable {
  /// Whether the memory still holds what it held when an index was loaded from it. Whatever is in it, no page of it may
  /// vanish: one that is gone reads as zeros.
  var isIntact: Bool { get }
}

/// An index as plain memory that somebody else keeps, in a file for instance, and takes up again without work.
extension SearchIndex {
  /// One part of a stored index.
  public struct StoredPart: @unchecked Sendable {
    /// Where the part is, with room after it for what is added later. The index writes into this memory.
    let memory: UnsafeMutableRawBufferPointer
    /// How many bytes the part has.
    let count: Int
    /// Keeps the memory as long as the index needs it.
    let owner: any StoredMemory

    /// - Parameters:
    ///   - memory: the part and the room after it, beginning at a multiple of 16; no one else may write there.
    ///   - count: bytes of the part.
    ///   - owner: keeps the memory until it is released.
    public init(memory: UnsafeMutableRawBufferPointer, count: Int, owner: any StoredMemory) {
      self.memory = memory
      self.count = count
      self.owner = owner
    }
  }

  /// Names what a stored index depends on: how texts are split, folded and packed. To be raised with any change of them.
  public static let storedVersion = 4

  /// How many parts a stored index has.
  public static let storedPartCount = PackedPeople.partCount + Lexicon.partCount

  /// Calls `body` with the parts to store, which are valid inside it only. Nil when there are changes that the parts do
  /// not show: ``pack()`` first.
  public func withStoredParts<Result>(_ body: ([UnsafeRawBufferPointer]) throws -> Result) rethrows -> Result? {
    // A copy shares the memory; a change that comes meanwhile moves the index to memory of its own.
    let storage = storage.withLock { $0 }
    guard storage.isPacked else { return nil }
    let readings = storage.lexicon.readings.stored()
    return try readings.spellings.withUnsafeBytes { spellings in
      try readings.sets.withUnsafeBytes { sets in
        try withExtendedLifetime(storage) {
          try body(storage.people.parts + storage.lexicon.parts + [spellings, sets])
        }
      }
    }
  }

  /// Replaces everything by a stored index.
  /// - Returns: false when the parts are not a valid index; this one is unchanged then. Every index in them is checked, so that
  ///   damage is found here and not by a later search.
  public func load(_ parts: [StoredPart]) -> Bool {
    guard parts.count == SearchIndex.storedPartCount, let stored = SearchStorage(parts: parts) else { return false }
    replace(by: stored)
    return true
  }

  /// Whether the memory that the index was loaded from still holds it. When not, what was found since it was last true may
  /// be wrong, and the index must be rebuilt.
  public var isIntact: Bool { storage.withLock { $0.isIntact } }

  /// Puts rows in order and gives back the room of old ones.
  public func pack() { storage.withLock { $0.pack() } }
}

extension SearchStorage {
  fileprivate init?(parts: [SearchIndex.StoredPart]) {
    guard let lexicon = Lexicon(parts: parts[PackedPeople.partCount...]),
      let people = PackedPeople(parts: parts[..<PackedPeople.partCount], entries: lexicon.count)
    else { return nil }
    var owners: [ObjectIdentifier: any StoredMemory] = [:]
    for part in parts { owners[ObjectIdentifier(part.owner)] = part.owner }
    self.init(lexicon: lexicon, people: people, owners: Array(owners.values))
  }
}
