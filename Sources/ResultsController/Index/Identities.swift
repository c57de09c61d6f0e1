import ChangeLog
import Synchronization

/// The numbers that identify rows whose key is not the rowid: each key gets one when it is first seen, for the lifetime
/// of the controller.
final class RowIdentities: Sendable {
  private struct State {
    var numbers: [RowKey: Int64] = [:]
    var keys: [RowKey] = []
  }

  private let state = Mutex(State())

  /// The number of a key, from 1.
  func number(of key: RowKey) -> Int64 {
    state.withLock { state in
      if let known = state.numbers[key] { return known }
      state.keys.append(key)
      let number = Int64(state.keys.count)
      state.numbers[key] = number
      return number
    }
  }

  /// The key of a number; nil if the number was never assigned.
  func key(of number: Int64) -> RowKey? {
    state.withLock { state in
      number > 0 && number <= Int64(state.keys.count) ? state.keys[Int(number) - 1] : nil
    }
  }
}

/// Maps row ids to the serials of their chunks. The ids are in many small dictionaries by hash, so that copies share all
/// but the changed ones.
struct IdentityMap: Sendable {
  private static let rowsPerPart = 256

  private var parts: [[Int64: UInt32]]
  /// The part of an id is the highest bits of its hash; this many lower ones are left out.
  private let shift: UInt64
  private(set) var count = 0

  /// Fills the map; the serial of a chunk is its index.
  /// - Parameter count: the number of all rows.
  init(_ chunks: [IndexChunk], count: Int) {
    var bits: UInt64 = 1
    while (1 << bits) * Self.rowsPerPart < count { bits += 1 }
    shift = 64 - bits
    parts = Array(repeating: [:], count: 1 << bits)
    for index in parts.indices where count > 0 { parts[index].reserveCapacity(count >> bits) }
    for (serial, chunk) in chunks.enumerated() {
      chunk.forEachID(in: 0..<chunk.count) { parts[part(of: $0)][$0] = UInt32(serial) }
    }
    self.count = count
  }

  /// Whether so many rows were added that a change copies too much.
  var isOverfull: Bool { count > parts.count * Self.rowsPerPart * 3 }

  func serial(of id: Int64) -> UInt32? { parts[part(of: id)][id] }

  mutating func set(_ id: Int64, _ serial: UInt32) {
    if parts[part(of: id)].updateValue(serial, forKey: id) == nil { count += 1 }
  }

  mutating func remove(_ id: Int64) {
    if parts[part(of: id)].removeValue(forKey: id) != nil { count -= 1 }
  }

  private func part(of id: Int64) -> Int {
    Int(truncatingIfNeeded: (UInt64(bitPattern: id) &* 0x9E37_79B9_7F4A_7C15) >> shift)
  }
}
