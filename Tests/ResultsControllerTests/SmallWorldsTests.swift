import SeededRandom
import Testing

@testable import ResultsController

/// Every pair of small sectioned lists: the rules for all change sets hold without exception.
@Suite
struct SmallWorlds {
  /// A list, as the section and the key of each of its rows; rows with the same key are in the order of their ids.
  typealias World = [Int64: (section: Int, key: Int)]

  static func worlds(ids: [Int64], sections: Int, keys: Int) -> [World] {
    var result: [World] = [[:]]
    for id in ids {
      result = result.flatMap { world in
        [world]
          + (0..<sections).flatMap { section in
            (0..<keys).map { key in
              var grown = world
              grown[id] = (section, key)
              return grown
            }
          }
      }
    }
    return result
  }

  /// - Parameter isSectionFirst: false if the section is not a sort key, but only agrees with the order.
  static func rows(_ world: World, isSectionFirst: Bool = true) -> [FoundRow] {
    world.map { id, location in
      FoundRow(
        id: id, section: .integer(Int64(location.section)),
        key: (isSectionFirst ? [UInt8(location.section)] : []) + [UInt8(location.key)],
        digest: UInt64(location.section * 16 + location.key))
    }
  }

  static func index(_ world: World, isSectionFirst: Bool = true) throws -> OrderedIndex {
    try OrderedIndex(chunks: [], sections: [], isSectioned: true).applying(
      removed: [], inserted: rows(world, isSectionFirst: isSectionFirst))
  }

  /// Returns whether the rows of each section are consecutive, in the order of their keys and ids alone.
  static func isSectioned(_ world: World) -> Bool {
    let sections = world.sorted { ($0.value.key, $0.key) < ($1.value.key, $1.key) }.map(\.value.section)
    let starts = sections.indices.filter { $0 == 0 || sections[$0] != sections[$0 - 1] }
    return Set(starts.map { sections[$0] }).count == starts.count
  }

  static func snapshot(_ index: OrderedIndex) -> ResultsSnapshot {
    ResultsSnapshot(generation: 1, plan: nil, index: index, titles: { $0.plainTitle })
  }

  /// Returns the fewest moves if only rows whose key or section changed may move. Tries all sets of moved rows.
  static func fewestMoves(_ before: World, _ after: World, _ old: PlainList, _ new: PlainList) -> Int {
    let common = before.keys.filter { after[$0] != nil }
    let changed = common.filter { before[$0]! != after[$0]! }.sorted()
    var best = changed.count
    for mask in 0..<(1 << changed.count) {
      let moved = Set(changed.indices.filter { mask >> $0 & 1 == 1 }.map { changed[$0] })
      guard moved.count < best else { continue }
      let stay = Set(common).subtracting(moved)
      let left = old.sections.map { ($0.value, $0.ids.filter(stay.contains)) }.filter { !$0.1.isEmpty }
      let right = new.sections.map { ($0.value, $0.ids.filter(stay.contains)) }.filter { !$0.1.isEmpty }
      if left.map(\.0) == right.map(\.0), left.map(\.1) == right.map(\.1) { best = moved.count }
    }
    return best
  }

  @Test(arguments: [true, false]) func everyPairOfLists(isSectionFirst: Bool) throws {
    // Each of 3 rows is in one of 4 positions or absent: 125 lists, 15,625 pairs.
    let all = Self.worlds(ids: [1, 2, 3], sections: 2, keys: 2)
    let worlds = isSectionFirst ? all : all.filter(Self.isSectioned)
    let built = try worlds.map { world in
      let index = try Self.index(world, isSectionFirst: isSectionFirst)
      let snapshot = Self.snapshot(index)
      return (world: world, index: index, snapshot: snapshot, list: PlainList(snapshot))
    }
    for before in built {
      for after in built {
        var touched: [Int64: Touch] = [:]
        for id in [Int64(1), 2, 3] {
          let old = before.world[id].map { UInt64($0.section * 16 + $0.key) }
          let new = after.world[id].map { UInt64($0.section * 16 + $0.key) }
          if old != new { touched[id] = Touch(base: old, latest: new) }
        }
        let changes = ChangeSet(from: before.snapshot, to: after.snapshot, touched: touched)
        let compared = ChangeSet(comparing: before.snapshot, with: after.snapshot, hasSameOrder: true, touched: touched)
        do {
          try ChangeSetChecks.all(changes, before.list, after.list)
          try ChangeSetChecks.all(compared, before.list, after.list)
          // If a section moves, rows move that nobody wrote.
          if isSectionFirst {
            let fewest = Self.fewestMoves(before.world, after.world, before.list, after.list)
            #expect(changes.moves.count == fewest, "\(before.list) → \(after.list)")
            #expect(compared.moves.count == fewest, "\(before.list) → \(after.list)")
          }
          #expect(changes.isEmpty == (before.list == after.list && touched.isEmpty))
          // Another order of keys: any row may move.
          let reordered = ChangeSet(
            comparing: before.snapshot, with: after.snapshot, hasSameOrder: false, touched: touched)
          try ChangeSetChecks.all(reordered, before.list, after.list)
        } catch {
          Issue.record("\(before.list) → \(after.list): \(error)")
        }
      }
    }
  }

  /// One application of changes leads from every list to every other.
  @Test func everyStepOfTheIndex() throws {
    let worlds = Self.worlds(ids: [1, 2, 3], sections: 2, keys: 2)
    let indexes = try worlds.map { try Self.index($0) }
    for (before, index) in zip(worlds, indexes) {
      for (after, wanted) in zip(worlds, indexes) {
        let rows = Self.rows(after)
        let removed = before.keys.filter { id in !rows.contains { $0.id == id && index.holds($0) } }
        let result = try index.applying(removed: removed, inserted: rows.filter { !index.holds($0) })
        #expect(PlainList(Self.snapshot(result)) == PlainList(Self.snapshot(wanted)))
        for id in [Int64(1), 2, 3] { #expect(result.flatRow(of: id) == wanted.flatRow(of: id)) }
      }
    }
  }

  /// A list and the world that it shows.
  typealias Built = (world: World, snapshot: ResultsSnapshot, list: PlainList)

  private func build(_ worlds: [World], isSectionFirst: Bool) throws -> [Built] {
    try worlds.map { world in
      let snapshot = Self.snapshot(try Self.index(world, isSectionFirst: isSectionFirst))
      return (world, snapshot, PlainList(snapshot))
    }
  }

  private func change(_ before: Built, _ after: Built) -> ChangeSet {
    var touched: [Int64: Touch] = [:]
    for id in Set(before.world.keys).union(after.world.keys) {
      let old = before.world[id].map { UInt64($0.section * 16 + $0.key) }
      let new = after.world[id].map { UInt64($0.section * 16 + $0.key) }
      touched[id] = Touch(base: old, latest: new)
    }
    return ChangeSet(from: before.snapshot, to: after.snapshot, touched: touched)
  }

  private func checkMerging(_ first: Built, _ second: Built, _ third: Built) {
    let merged = change(first, second).merging(change(second, third))
    do {
      try ChangeSetChecks.all(merged, first.list, third.list)
    } catch {
      Issue.record("\(first.list) → \(second.list) → \(third.list): \(error)")
    }
  }

  /// Two merged changes lead from the first list to the last, for every three lists of at most two rows.
  @Test(arguments: [true, false]) func everyMergedPairOfChanges(isSectionFirst: Bool) throws {
    let worlds = Self.worlds(ids: [1, 2], sections: 2, keys: 2)
    let built = try build(worlds, isSectionFirst: isSectionFirst)
    for first in built {
      for second in built {
        for third in built { checkMerging(first, second, third) }
      }
    }
  }

  /// The same for some of the lists whose sections may be in any order.
  @Test func mergedChangesOfTheOrderOfSections() throws {
    let seed = UInt64.random(in: 1...UInt64.max)
    print("merged changes: seed \(seed)")
    var random = SeededGenerator(seed: seed)
    let worlds = Self.worlds(ids: [1, 2, 3, 4], sections: 3, keys: 3).filter(Self.isSectioned)
    for _ in 0..<3000 {
      let some = try build(
        (0..<3).map { _ in worlds.randomElement(using: &random) ?? [:] }, isSectionFirst: false)
      checkMerging(some[0], some[1], some[2])
    }
  }
}
