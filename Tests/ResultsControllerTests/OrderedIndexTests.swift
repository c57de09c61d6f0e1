import IDSets
import SeededRandom
import Testing

@testable import ResultsController

/// The index compared with a sorted array, with enough rows to split, thin out and refill its chunks.
@Suite
struct OrderedIndexTests {
  private func row(_ id: Int64, _ key: Int) -> FoundRow {
    FoundRow(
      id: id, section: .integer(Int64(key / 1000)),
      key: [UInt8(key / 1000), UInt8(key / 100 % 10), UInt8(key % 100)] + Array("tail".utf8), digest: 0)
  }

  private func check(_ index: OrderedIndex, _ keys: [Int64: Int], isFiltered: Bool = false) {
    let wanted = keys.sorted { ($0.value, $0.key) < ($1.value, $1.key) }
    var ids: [Int64] = []
    index.forEachID(in: 0..<index.count) { ids.append($0) }
    #expect(ids == wanted.map(\.key))
    // Some filtered lists share the map of the whole one.
    if !isFiltered { #expect(index.identities.count == keys.count) }
    for flat in stride(from: 0, to: wanted.count, by: 37) {
      let (id, key) = wanted[flat]
      #expect(index.flatRow(of: id) == flat)
      #expect(index.id(atFlatRow: flat) == id)
      let path = index.path(atFlatRow: flat)
      #expect(index.sectionValues[path.section] == .integer(Int64(key / 1000)))
      #expect(index.flatRow(of: path) == flat)
      #expect(index.holds(row(id, key)))
      #expect(!index.holds(row(id, key + 1)))
    }
    #expect(index.flatRow(of: -1) == nil)
    #expect(index.sectionValues == Set(keys.values.map { Int64($0 / 1000) }).sorted().map { .integer($0) })
  }

  @Test func growsAndShrinks() throws {
    let seed = UInt64.random(in: 1...UInt64.max)
    print("ordered index: seed \(seed)")
    var random = SeededGenerator(seed: seed)
    var index = OrderedIndex(chunks: [], sections: [], isSectioned: true)
    var keys: [Int64: Int] = [:]
    for step in 0..<40 {
      let old = index
      let oldKeys = keys
      var removed: [Int64] = []
      var inserted: [FoundRow] = []
      let grows = step < 20
      for id in keys.keys.shuffled(using: &random).prefix(grows ? 50 : keys.count / 4) {
        removed.append(id)
        keys[id] = nil
      }
      for _ in 0..<(grows ? 500 : 5) {
        let id = Int64.random(in: 1...1_000_000, using: &random)
        guard keys[id] == nil else { continue }
        let key = Int.random(in: 0..<5000, using: &random)
        keys[id] = key
        inserted.append(row(id, key))
      }
      index = try index.applying(removed: removed, inserted: inserted)
      check(index, keys)
      if step % 8 == 0 { check(old, oldKeys) }
    }
  }

  @Test func filtersToIDs() throws {
    var keys: [Int64: Int] = [:]
    for id in Int64(1)...3000 { keys[id] = Int(id * 7919 % 5000) }
    let index = try OrderedIndex(chunks: [], sections: [], isSectioned: true)
      .applying(removed: [], inserted: keys.map { row($0.key, $0.value) })
    for chosen in [Set(keys.keys.filter { $0 % 2 == 0 }), Set(keys.keys), [5, 17, 99_999], []] {
      check(index.filtered(IDSet(chosen)), keys.filter { chosen.contains($0.key) }, isFiltered: true)
    }
  }

  /// Sets of the rows of a list, whole or filtered, compared with arrays of their ids.
  @Test(arguments: [1, 7, 100_000_000_000])
  func givesItsRowsAsSets(step: Int64) throws {
    var keys: [Int64: Int] = [:]
    for id in Int64(1)...3000 { keys[id * step] = Int(id * 7919 % 5000) }
    let whole = try OrderedIndex(chunks: [], sections: [], isSectioned: true)
      .applying(removed: [], inserted: keys.map { row($0.key, $0.value) })
    let some = Set(keys.keys.filter { $0 % 3 != 0 })
    for index in [whole, whole.filtered(IDSet(some))] {
      let list = ResultsSnapshot(generation: 1, plan: nil, index: index, titles: { $0.plainTitle })
      for rows in [0..<list.count, 0..<0, 600..<1_300, list.count - 1..<list.count + 9] {
        #expect(list.idSet(inFlatRows: rows) == IDSet(list.ids(inFlatRows: rows)))
      }
      let marked = Set(keys.keys.filter { $0 % 5 == 0 } + [77_777])
      let found = list.ids(inFlatRows: 0..<list.count).filter(marked.contains)
      for limit in [0, 3, 10_000] {
        let rows = list.rows(in: IDSet(marked), first: limit)
        #expect(rows.ids == Array(found.prefix(limit)) && rows.count == found.count)
      }
    }
  }

  /// Lists that share the chunks of another, and change afterwards, compared with copies.
  @Test(arguments: 1...8)
  func listsThatShareChunksAgreeWithNewOnes(round: Int) throws {
    let seed = UInt64.random(in: 1...UInt64.max)
    print("shared rows: seed \(seed)")
    var random = SeededGenerator(seed: seed)
    var keys: [Int64: Int] = [:]
    for _ in 0..<4000 { keys[Int64.random(in: 1...9000, using: &random)] = Int.random(in: 0..<5000, using: &random) }
    let whole = try OrderedIndex(chunks: [], sections: [], isSectioned: true)
      .applying(removed: [], inserted: keys.map { row($0.key, $0.value) })
    var chosen = Set(keys.keys.filter { _ in Int.random(in: 0..<10, using: &random) < round })
    // All rows with keys in a range stay in even rounds and go in odd ones, so that whole chunks stay or go.
    let borders = [Int.random(in: 0..<5000, using: &random), Int.random(in: 0..<5000, using: &random)].sorted()
    for (id, key) in keys where (borders[0]..<borders[1]).contains(key) {
      if round.isMultiple(of: 2) { chosen.insert(id) } else { chosen.remove(id) }
    }
    var wanted = keys.filter { chosen.contains($0.key) }
    var shared = whole.selecting(IDSet(chosen))
    check(shared, wanted, isFiltered: true)
    let new = try OrderedIndex(chunks: [], sections: [], isSectioned: true)
      .applying(removed: [], inserted: wanted.map { row($0.key, $0.value) })
    #expect(shared.sectionStarts == new.sectionStarts && shared.sectionValues == new.sectionValues)
    for id in keys.keys where !chosen.contains(id) { #expect(shared.flatRow(of: id) == nil) }
    for _ in 0..<5 {
      let removed = Array(wanted.keys.shuffled(using: &random).prefix(wanted.count / 5))
      for id in removed { wanted[id] = nil }
      var inserted: [FoundRow] = []
      // Rows that the filter left out come back, at other positions.
      for id in (removed.prefix(30) + keys.keys.shuffled(using: &random).prefix(200)) where wanted[id] == nil {
        let key = Int.random(in: 0..<5000, using: &random)
        wanted[id] = key
        inserted.append(row(id, key))
      }
      shared = try shared.applying(removed: removed, inserted: inserted)
      check(shared, wanted, isFiltered: true)
    }
    check(whole, keys)
  }

  /// The nearest row that two lists have in common, compared with a walk over all rows.
  @Test(arguments: [1, 20, 400, 3000])
  func theNearestRowIsFound(kept: Int) throws {
    let seed = UInt64.random(in: 1...UInt64.max)
    print("nearest rows: seed \(seed)")
    var random = SeededGenerator(seed: seed)
    var keys: [Int64: Int] = [:]
    for id in Int64(1)...3000 { keys[id] = Int.random(in: 0..<5000, using: &random) }
    let whole = try OrderedIndex(chunks: [], sections: [], isSectioned: true)
      .applying(removed: [], inserted: keys.map { row($0.key, $0.value) })
    func some() -> ResultsSnapshot {
      let ids = IDSet(keys.keys.shuffled(using: &random).prefix(kept))
      return ResultsSnapshot(generation: 1, plan: nil, index: whole.filtered(ids), titles: { $0.plainTitle })
    }
    let all = ResultsSnapshot(generation: 1, plan: nil, index: whole, titles: { $0.plainTitle })
    for (before, after) in [(all, some()), (some(), all), (some(), some()), (some(), some())] {
      let update = ResultsUpdate(filteringFrom: before, to: after)
      for _ in 0..<20 {
        let top = Int.random(in: 0...before.count, using: &random)
        let focus = before.id(atFlatRow: Int.random(in: 0..<before.count, using: &random))
        var quick = ListState(top: top, height: Int.random(in: 0...3, using: &random), focus: focus)
        var plain = quick
        #expect(quick.apply(update) == plain.apply(update, walking: true))
        #expect(quick == plain)
      }
    }
  }

  @Test func aSectionInTwoPiecesIsRefused() throws {
    let index = try OrderedIndex(chunks: [], sections: [], isSectioned: true)
      .applying(removed: [], inserted: [row(1, 10), row(2, 30)])
    let stranger = FoundRow(id: 3, section: .integer(9), key: row(3, 20).key, digest: 0)
    #expect(throws: ResultsError.sectionOrderDisagrees(.integer(9))) {
      try index.applying(removed: [], inserted: [stranger])
    }
  }

  /// When the order of the sections is reversed, the small ones move past the largest.
  @Test(arguments: [[1, 100], [100, 1], [3, 40, 2, 5], [5, 2, 40, 3], [10, 9, 8, 30, 7, 9, 10]])
  func flippedSectionsMoveTheFewestRows(sizes: [Int]) throws {
    func snapshot(descending: Bool) throws -> ResultsSnapshot {
      var id: Int64 = 0
      let rows = sizes.enumerated().flatMap { section, size in
        (0..<size).map { row in
          id += 1
          return FoundRow(
            id: id, section: .integer(Int64(section)),
            key: [UInt8(descending ? sizes.count - section : section), UInt8(row)], digest: 0)
        }
      }
      let index = try OrderedIndex(chunks: [], sections: [], isSectioned: true).applying(removed: [], inserted: rows)
      return ResultsSnapshot(generation: 1, plan: nil, index: index, titles: { $0.plainTitle })
    }
    let before = try snapshot(descending: false)
    let after = try snapshot(descending: true)
    let changes = ChangeSet(comparing: before, with: after, hasSameOrder: false, touched: [:])
    try ChangeSetChecks.all(changes, PlainList(before), PlainList(after))
    let heaviest = sizes.firstIndex(of: sizes.max() ?? 0) ?? 0
    #expect(changes.deletedSections.map(\.ordinal) == sizes.indices.filter { $0 != heaviest })
    #expect(changes.moves.count == sizes.reduce(0, +) - (sizes.max() ?? 0))
  }
}
