/// Memory with an external owner, such as a mapped file.
public protocol StoredMemory: AnyObject, Sendable {
  /// Whether the memory still has the contents that an index was loaded from. Its pages must stay mapped either way:
  /// a page that is gone must read as zeros.
  var isIntact: Bool { get }

  /// Releases the memory of pages that will not be read soon; they are loaded again when they are needed. Only called
  /// for memory that nothing was written to.
  /// - Parameter range: part of the memory. A page that extends past its end is kept.
  func releasePages(of range: UnsafeRawBufferPointer)

  /// Loads pages that will soon be read.
  /// - Parameter range: any memory; the part that does not belong to this object is ignored.
  func loadPages(of range: UnsafeRawBufferPointer)
}

/// Storing an index as plain memory, for example in a file, and loading it without rebuilding.
extension SearchIndex {
  /// One part of a stored index.
  public struct StoredPart: @unchecked Sendable {
    /// The memory of the part, with spare capacity after it. The index may write to it.
    let memory: UnsafeMutableRawBufferPointer
    /// The size of the part in bytes.
    let count: Int
    /// The owner, which keeps the memory alive as long as the index needs it.
    let owner: any StoredMemory

    /// - Parameters:
    ///   - memory: the part and the spare capacity after it, aligned to 16 bytes; nothing else may write there.
    ///   - count: the size of the part in bytes.
    ///   - owner: keeps the memory alive until it is released.
    public init(memory: UnsafeMutableRawBufferPointer, count: Int, owner: any StoredMemory) {
      self.memory = memory
      self.count = count
      self.owner = owner
    }
  }

  /// The version of the stored format: how texts are split, folded, packed and hashed. Increase it when any of them
  /// changes.
  public static let storedVersion = 7

  /// The number of parts of a stored index.
  public static let storedPartCount = PackedContacts.partCount + Lexicon.partCount

  /// Calls `body` with the parts to store, which are only valid inside it. Returns nil if there are changes that the
  /// parts do not include; call ``pack()`` first.
  public func withStoredParts<Result>(_ body: ([UnsafeRawBufferPointer]) throws -> Result) rethrows -> Result? {
    // A copy shares the memory; a change in the meantime moves the index to new memory.
    let storage = storage.withLock { $0 }
    guard storage.isPacked else { return nil }
    let readings = storage.lexicon.readings.stored()
    return try readings.spellings.withUnsafeBytes { spellings in
      try readings.sets.withUnsafeBytes { sets in
        try withExtendedLifetime(storage) {
          try body(storage.contacts.parts + storage.lexicon.parts + [spellings, sets])
        }
      }
    }
  }

  /// Replaces the contents with a stored index.
  /// - Returns: false if the parts are not a valid index; then nothing is replaced. Every offset in them is checked, so
  ///   that a wrong one is found now and not by a later search.
  public func load(_ parts: [StoredPart]) -> Bool {
    guard parts.count == SearchIndex.storedPartCount, let stored = SearchStorage(parts: parts) else { return false }
    replace(by: stored)
    return true
  }

  /// Whether the memory that the index was loaded from still has its contents. If not, results since it was last true
  /// may be wrong, and the index must be rebuilt.
  public var isIntact: Bool { storage.withLock { $0.isIntact } }

  /// Loads the memory that searches walk over, if it is the memory that the index was loaded from. Without this call,
  /// the first searches of each kind wait for its pages: some milliseconds each with a million contacts. Searches can
  /// run meanwhile.
  public func loadPages() {
    let (parts, owners) = storage.withLock { ($0.contacts.parts, $0.owners) }
    for owner in owners { for part in parts { owner.loadPages(of: part) } }
  }

  /// Sorts the rows, and frees the memory of removed ones.
  public func pack() { storage.withLock { $0.pack() } }
}

extension SearchStorage {
  fileprivate init?(parts: [SearchIndex.StoredPart]) {
    guard let lexicon = Lexicon(parts: parts[PackedContacts.partCount...]),
      let contacts = PackedContacts(parts: parts[..<PackedContacts.partCount], entries: lexicon.count)
    else { return nil }
    var owners: [ObjectIdentifier: any StoredMemory] = [:]
    for part in parts { owners[ObjectIdentifier(part.owner)] = part.owner }
    self.init(lexicon: lexicon, contacts: contacts, owners: Array(owners.values))
  }
}
