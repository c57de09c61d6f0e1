import Testing

@testable import ContactSearch

/// An index that was stored and loaded again finds what the original finds, and damage in it crashes nothing.
@Suite struct StoredIndexTests {
  @Test(arguments: [1, 2, UInt64.random(in: 100...1_000_000)])
  func aLoadedIndexFindsWhatTheStoredOneFinds(seed: UInt64) throws {
    print("seed \(seed)")
    var people = RandomPeople(seed: seed)
    let index = SearchIndex()
    index.rebuild(from: (1...300).map { people.next(id: Int64($0)) })
    let loaded = SearchIndex()
    #expect(loaded.load(try #require(StoredParts(index)?.parts)))
    for round in 0..<120 {
      if round > 40 {
        let id = Int64(people.generator.next() % 400)
        if people.generator.chance(30) {
          for one in [index, loaded] { one.remove(id) }
        } else {
          let person = people.next(id: id)
          for one in [index, loaded] { one.upsert(person) }
        }
      }
      if round == 80 {
        loaded.pack()
        let again = try #require(StoredParts(loaded)?.parts)
        #expect(loaded.load(again))
      }
      let query = SearchQuery(
        people.query(), options: SearchOptions(fuzzy: people.generator.chance(20), t9: people.generator.chance(20)))
      #expect(index.search(query) == loaded.search(query), "seed \(seed), \(query.text)")
    }
    #expect(index.count == loaded.count)
  }

  @Test func anEmptyIndexIsStoredAndLoaded() throws {
    let loaded = SearchIndex()
    #expect(loaded.load(try #require(StoredParts(SearchIndex())?.parts)))
    loaded.upsert(SearchDocument(id: 5, name: "王小明"))
    #expect(loaded.search(SearchQuery("wxm")).map(\.id) == [5])
  }

  /// A rebuild goes on, and repeats all changes that were made since it began.
  @Test func anIndexIsLoadedDuringARebuild() throws {
    let index = SearchIndex()
    let stored = try #require(StoredParts(SearchIndex())?.parts)
    var isLoaded = false
    index.rebuild(from: [SearchDocument(id: 1, name: "Ann")]) { _ in
      guard !isLoaded else { return }
      isLoaded = true
      index.upsert(SearchDocument(id: 2, name: "Bob"))
      #expect(index.load(stored))
      #expect(index.count == 0)
      index.upsert(SearchDocument(id: 3, name: "Cid"))
    }
    #expect(isLoaded && index.count == 3)
  }

  @Test func partsOfAnotherCountOrLengthAreRefused() throws {
    var people = RandomPeople(seed: 4)
    let index = SearchIndex()
    index.rebuild(from: (1...50).map { people.next(id: Int64($0)) })
    let stored = try #require(StoredParts(index))
    let loaded = SearchIndex()
    #expect(!loaded.load([]))
    #expect(!loaded.load(stored.parts.dropLast()))
    for part in stored.bytes.indices where !stored.bytes[part].isEmpty {
      var cut = stored
      cut.bytes[part].removeLast()
      #expect(!loaded.load(cut.parts), "part \(part)")
    }
    #expect(loaded.count == 0)
  }

  /// If the list of characters named a token that is not a character, a search would use readings that do not exist.
  @Test func onlyCharactersHaveReadings() throws {
    let index = SearchIndex()
    index.rebuild(from: [SearchDocument(id: 1, name: "王小明"), SearchDocument(id: 2, name: "Li Wang")])
    let stored = try #require(StoredParts(index))
    // Parts 13 and 14: the characters of the lexicon, and the set of readings of each.
    for part in [13, 14] {
      #expect(stored.bytes[part].count == 3 * 4)
      for offset in 0..<3 {
        for value in UInt8(0)...20 where value != stored.bytes[part][offset * 4] {
          var damaged = stored
          damaged.bytes[part][offset * 4] = value
          let loaded = SearchIndex()
          if loaded.load(damaged.parts) {
            #expect(part == 13, "set \(value) at \(offset)")
            _ = loaded.search(SearchQuery("wxm"))
            _ = loaded.search(SearchQuery("王"))
          }
        }
      }
    }
  }

  /// Whatever bytes change, the index is refused or can be searched and changed without a crash.
  @Test(arguments: [1, UInt64.random(in: 100...1_000_000)])
  func damagedIndexesAreRefusedOrSearchable(seed: UInt64) throws {
    print("seed \(seed)")
    var people = RandomPeople(seed: seed)
    let index = SearchIndex()
    index.rebuild(from: (1...60).map { people.next(id: Int64($0)) })
    let stored = try #require(StoredParts(index))
    var refused = 0
    for _ in 0..<400 {
      var damaged = stored
      for _ in 0...Int(people.generator.next() % 3) {
        let part = people.generator.pick(stored.bytes.indices.filter { !stored.bytes[$0].isEmpty })
        let offset = Int(people.generator.next() % UInt64(damaged.bytes[part].count))
        damaged.bytes[part][offset] = UInt8(truncatingIfNeeded: people.generator.next())
      }
      let loaded = SearchIndex()
      guard loaded.load(damaged.parts) else {
        refused += 1
        continue
      }
      for _ in 0..<3 { _ = loaded.search(SearchQuery(people.query())) }
      loaded.upsert(people.next(id: Int64(people.generator.next() % 70)))
      loaded.remove(Int64(people.generator.next() % 70))
      _ = loaded.search(SearchQuery(people.query()))
    }
    print("refused \(refused) of 400")
    #expect(refused > 100)
  }
}

/// The bytes of a stored index.
private struct StoredParts {
  var bytes: [[UInt8]]

  init?(_ index: SearchIndex) {
    guard let bytes = index.withStoredParts({ $0.map(Array.init) }) else { return nil }
    self.bytes = bytes
  }

  /// A copy of each part.
  var parts: [IndexMemory] {
    bytes.map { bytes in
      let memory = IndexMemory(count: bytes.count)
      memory.bytes.copyBytes(from: bytes)
      return memory
    }
  }
}
