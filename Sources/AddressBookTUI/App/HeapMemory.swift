import Foundation
import Glibc
import ResultsController
import TerminalKit

/// Keeps the heap of a program that mostly waits small, at the price of a few calls of the system.
///
/// glibc gives each thread a heap of its own and keeps what is freed, more of it the larger the blocks were: after some searches
/// a third of what the screen holds. Its threads hardly ever allocate at the same time.
enum HeapLimits {
  private typealias Option = @convention(c) (Int32, Int32) -> Int32
  // From <malloc.h>, which the Swift module of glibc lacks.
  private static let trimThreshold: Int32 = -1
  private static let arenaMaximum: Int32 = -8

  /// To be called once, before other threads are started. Nothing happens with another C library.
  static func set() {
    guard let symbol = dlsym(nil, "mallopt") else { return }
    let mallopt = unsafeBitCast(symbol, to: Option.self)
    _ = mallopt(arenaMaximum, 1)
    _ = mallopt(trimThreshold, 64 * 1024)
  }
}

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
