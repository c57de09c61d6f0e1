import ContactSearch
import Testing

/// An index that was stored and taken up again is as good as the one it was stored from, and damage in it is found out.
@Suite struct StoredIndexTests {
  @Test(arguments: [1, 2, UInt64.random(in: 100...1_000_000)])
  func aLoadedIndexFindsWhatTheStoredOneFinds(seed: UInt64) throws {
    print("seed \(seed)")
    var people = RandomPeople(seed: seed)
    let index = SearchIndex()
    index.rebuild(from: (1...300).map { people.next(id: Int64($0)) })
    let loaded = SearchIndex()
    #expect(loaded.load(try #require(StoredParts(index)?.parts(room: 4096))))
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
        let again = try #require(StoredParts(loaded)?.parts(room: 0))
        #expect(loaded.load(again))
      }
      let query = SearchQuery(
        people.query(), options: SearchOptions(fuzzy: people.generator.chance(20), t9: people.generator.chance(20)))
      #expect(index.search(query) == loaded.search(query), "seed \(seed), \(query.text)")
    }
    #expect(index.count == loaded.count)
  }

  @Test func anEmptyIndexComesBack() throws {
    let loaded = SearchIndex()
    #expect(loaded.load(try #require(StoredParts(SearchIndex())?.parts(room: 64))))
    loaded.upsert(SearchDocument(id: 5, name: "王小明"))
    #expect(loaded.search(SearchQuery("wxm")).map(\.id) == [5])
  }

  @Test func partsOfAnotherNumberOrLengthAreRefused() throws {
    var people = RandomPeople(seed: 4)
    let index = SearchIndex()
    index.rebuild(from: (1...50).map { people.next(id: Int64($0)) })
    let stored = try #require(StoredParts(index))
    let loaded = SearchIndex()
    #expect(!loaded.load([]))
    #expect(!loaded.load(stored.parts(room: 0).dropLast()))
    for place in stored.bytes.indices where !stored.bytes[place].isEmpty {
      var cut = stored
      cut.bytes[place].removeLast()
      #expect(!loaded.load(cut.parts(room: 0)), "part \(place)")
    }
    #expect(loaded.count == 0)
  }

  /// Whatever bytes change, the index is refused or can be searched and changed without a crash.
  @Test(arguments: [1, UInt64.random(in: 100...1_000_000)])
  func noDamageLeadsAstray(seed: UInt64) throws {
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
        let place = Int(people.generator.next() % UInt64(damaged.bytes[part].count))
        damaged.bytes[part][place] = UInt8(truncatingIfNeeded: people.generator.next())
      }
      let loaded = SearchIndex()
      guard loaded.load(damaged.parts(room: 256)) else {
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

  /// Each part in memory of its own, with some room after it.
  func parts(room: Int) -> [SearchIndex.StoredPart] {
    bytes.map { bytes in
      let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: bytes.count + room, alignment: 16)
      memory.copyBytes(from: bytes)
      return SearchIndex.StoredPart(memory: memory, count: bytes.count, owner: Owner(memory))
    }
  }

  private final class Owner: @unchecked Sendable {
    let memory: UnsafeMutableRawBufferPointer
    init(_ memory: UnsafeMutableRawBufferPointer) { self.memory = memory }
    deinit { memory.deallocate() }
  }
}
