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
