import Glibc
import IDSets
import SeededRandom
import Testing

@testable import ResultsController

/// Chunks, compared with arrays of whole keys and ids.
@Suite
struct IndexChunkTests {
  private struct PlainRow: Equatable, Comparable {
    let key: [UInt8]
    let id: Int64

    static func < (left: PlainRow, right: PlainRow) -> Bool {
      let order = IndexChunkTests.order(left.key, right.key)
      return order == 0 ? left.id < right.id : order < 0
    }
  }

  /// Returns a key of one kind: with few or many shared bytes, of the lowest and highest bytes, empty, of one repeated
  /// byte, or about 64 KiB long.
  private func key(_ kind: Int, _ random: inout SeededGenerator) -> [UInt8] {
    func bytes(_ count: ClosedRange<Int>, _ choice: [UInt8]) -> [UInt8] {
      (0..<Int.random(in: count, using: &random)).map { _ in choice[Int.random(in: choice.indices, using: &random)] }
    }
    switch kind {
    case 0: return bytes(0...4, [0, 0xFF])
    case 1: return bytes(0...40, Array(0...255))
    case 2: return Array("the same beginning, longer than eight bytes".utf8) + bytes(0...3, [0, 1, 0x61, 0xFF])
    case 3: return bytes(20...20, [0x61]) + bytes(100...200, [0x61, 0x62])
    case 4: return []
    case 5: return [UInt8](repeating: 7, count: Int.random(in: 0...300, using: &random))
    default: return [UInt8](repeating: 7, count: 65_530) + bytes(0...20, [0, 7, 0xFF])
    }
  }

  private func rows(_ count: Int, _ kinds: [Int], _ ids: ClosedRange<Int64>, _ random: inout SeededGenerator)
    -> [PlainRow]
  {
    var seen: Set<Int64> = []
    while seen.count < count { seen.insert(Int64.random(in: ids, using: &random)) }
    return seen.sorted().shuffled(using: &random).map {
      PlainRow(key: key(kinds[Int.random(in: kinds.indices, using: &random)], &random), id: $0)
    }.sorted()
  }

  /// Compares whole keys as `memcmp` does; of two that begin alike, the shorter one comes first.
  private static func order(_ left: [UInt8], _ right: [UInt8]) -> Int {
    let order = Int(memcmp(left, right, min(left.count, right.count)))
    return order == 0 ? (left.count - right.count).signum() : order.signum()
  }

  private func check(_ chunk: IndexChunk, _ rows: [PlainRow], _ random: inout SeededGenerator) {
    #expect(chunk.count == rows.count)
    var ids: [Int64] = []
    chunk.forEachID(in: 0..<chunk.count) { ids.append($0) }
    #expect(ids == rows.map(\.id))
    #expect(rows.indices.allSatisfy { Array(chunk.key($0).bytes) == rows[$0].key && chunk.id($0) == rows[$0].id })
    #expect(rows.indices.allSatisfy { chunk.index(of: rows[$0].id) == $0 })
    for id in [0, -1, .min, .max, (rows.first?.id ?? 0) &+ 1, Int64.random(in: .min ... .max, using: &random)] {
      #expect(chunk.index(of: id) == rows.firstIndex { $0.id == id })
    }

    for number in 0..<min(60, 3 * rows.count) {
      var probe = rows[Int.random(in: rows.indices, using: &random)].key
      switch number % 5 {
      case 0: probe.append(contentsOf: [0, 0xFF].shuffled(using: &random).prefix(1))
      case 1: probe = Array(probe.dropLast(Int.random(in: 0...3, using: &random)))
      case 2 where !probe.isEmpty:
        probe[Int.random(in: probe.indices, using: &random)] &+= number.isMultiple(of: 2) ? 1 : 255
      case 3: probe = key(Int.random(in: 0...5, using: &random), &random)
      default: break
      }
      let id = number.isMultiple(of: 3) ? Int64.random(in: -5...5, using: &random) : rows[number % rows.count].id
      let index = Int.random(in: rows.indices, using: &random)
      probe.withUnsafeBufferPointer { bytes in
        let view = KeyView(bytes)
        #expect(chunk.compare(index, view).signum() == Self.order(rows[index].key, probe))
        let row = PlainRow(key: probe, id: id)
        #expect(chunk.compare(index, view, id).signum() == (rows[index] == row ? 0 : rows[index] < row ? -1 : 1))
        #expect(chunk.lowerBound(view, id) == rows.firstIndex { !($0 < row) } ?? rows.count)
      }
    }

    for share in [1, 2, 10] {
      let chosen = Set(ids.filter { _ in Int.random(in: 0..<share, using: &random) == 0 } + [5])
      let wanted = ids.indices.filter { chosen.contains(ids[$0]) }
      for set in [IDSet(chosen), IDSet(chosen.union(0...3000))] {
        let bits = RowBits(wordCount: 1 + (ids.count + 63) / 64)
        guard let start = bits.words.baseAddress else { continue }
        let expected = set.count == chosen.count ? wanted : ids.indices.filter { set.contains(ids[$0]) }
        #expect(chunk.mark(set, in: start + 1) == expected.count)
        #expect(ids.indices.filter { bits.holds($0, from: 1) } == expected)
      }
    }
  }

  @Test(arguments: [
    (1, [0]), (1, [4]), (700, [0]), (700, [1]), (513, [2]), (300, [3]), (16, [4]), (40, [5]),
    (400, [0, 1, 2, 3, 4, 5]),
    (20, [6]), (24, [0, 3, 6]),
  ])
  func agreesWithWholeKeys(count: Int, kinds: [Int]) {
    let seed = UInt64.random(in: 1...UInt64.max)
    print("chunks: seed \(seed), \(count) rows of \(kinds)")
    var random = SeededGenerator(seed: seed)
    let ranges: [ClosedRange<Int64>] = [
      1...Int64(2 * count), -500...500, 0...Int64(UInt32.max), -7...Int64(UInt32.max) + 7, Int64.min...Int64.max,
      Int64.max - 3000...Int64.max, Int64.min...Int64.min + 3000,
    ]
    // Long keys are slow, so they are tried with only two of the ranges.
    for ids in kinds.contains(6) ? [ranges[1], ranges[4]] : ranges
    where ids.upperBound &- ids.lowerBound < 0 || ids.upperBound - ids.lowerBound >= Int64(count) {
      let rows = rows(count, kinds, ids, &random)
      var builder = ChunkBuilder(target: [count, count > 40 ? 100 : 1, 17, 512][Int.random(in: 0..<4, using: &random)])
      for (number, row) in rows.enumerated() {
        row.key.withUnsafeBufferPointer { bytes in
          #expect(builder.canAppend(row.id, KeyView(bytes)))
          builder.append(row.id, KeyView(bytes))
        }
        // A row before the last one, or the same one, is refused.
        let earlier = rows[Int.random(in: 0...number, using: &random)]
        earlier.key.withUnsafeBufferPointer { #expect(!builder.canAppend(earlier.id, KeyView($0))) }
      }
      builder.flush()
      var start = 0
      for chunk in builder.chunks {
        let part = Array(rows[start..<start + chunk.count])
        check(chunk, part, &random)
        start += chunk.count
        let bits = RowBits(wordCount: 1 + (part.count + 63) / 64)
        let kept = part.indices.filter { _ in Bool.random(using: &random) }
        for index in kept { bits.words[1 + index >> 6] |= 1 << UInt64(index & 63) }
        guard !kept.isEmpty else { continue }
        let some = IndexChunk(bits, from: 1, count: kept.count, of: chunk)
        check(some, kept.map { part[$0] }, &random)
        let fewer = RowBits(wordCount: (kept.count + 63) / 64)
        fewer.words[0] = 1
        check(IndexChunk(fewer, from: 0, count: 1, of: some), [part[kept[0]]], &random)
      }
      #expect(start == rows.count)
    }
  }
}
