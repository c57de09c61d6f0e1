import Foundation
import Glibc
import ResultsController
import TerminalKit

/// Returns to the system what was freed: after a long list was read or rewritten, malloc keeps as much again as the list
/// itself needs, for allocations that never come.
enum FreedMemory {
  /// Lists of fewer rows leave too little to be worth a walk over the heap.
  private static let worthReturning = 50_000
  /// Changes of fewer rows, too.
  private static let manyRows = 4096

  private typealias Trim = @convention(c) (Int) -> Int32

  /// `malloc_trim`, which glibc has and the Swift module of it lacks; nil with another C library.
  private static let trim = dlsym(nil, "malloc_trim").map { unsafeBitCast($0, to: Trim.self) }
  private static let queue = DispatchQueue(label: "FreedMemory", qos: .utility)

  /// After an update of a list. It takes some milliseconds for a heap of a hundred megabytes, on a thread of its own; others
  /// may allocate meanwhile.
  static func giveBack(after update: ResultsUpdate) {
    guard max(update.before.count, update.after.count) > worthReturning else { return }
    let isLarge =
      update.completesOpening || abs(update.before.count - update.after.count) > manyRows
      || (!update.keepsRows && update.changes.updates.count + update.changes.moves.count > manyRows)
    guard isLarge else { return }
    queue.async {
      TerminalGuard.coverThread()
      _ = trim?(0)
    }
  }
}
