/// Storing an index as plain memory, for example in a file, and loading it without rebuilding.
extension SearchIndex {
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

  /// Replaces the contents with a stored index, which uses the memory of the parts.
  /// - Returns: false if the parts are not a valid index; then nothing is replaced. Every offset in them is checked, so
  ///   that a wrong one is found now and not by a later search.
  public func load(_ parts: [IndexMemory]) -> Bool {
    guard parts.count == SearchIndex.storedPartCount, let stored = SearchStorage(parts: parts) else { return false }
    replace(by: stored)
    return true
  }

  /// Sorts the rows, and frees the memory of removed ones.
  public func pack() { storage.withLock { $0.pack() } }
}

extension SearchStorage {
  fileprivate init?(parts: [IndexMemory]) {
    guard let lexicon = Lexicon(parts: parts[PackedContacts.partCount...]),
      let contacts = PackedContacts(parts: parts[..<PackedContacts.partCount], entries: lexicon.count)
    else { return nil }
    self.init(lexicon: lexicon, contacts: contacts)
  }
}
