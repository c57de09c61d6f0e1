import Glibc

/// Returns to the system what was freed: after a long list was read or rewritten, malloc keeps as much again as the list
/// itself needs, for allocations that never come.
enum FreedMemory {
  /// Lists of fewer rows leave too little to be worth a walk over the heap.
  static let worthReturning = 50_000

  private typealias Trim = @convention(c) (Int) -> Int32

  /// `malloc_trim`, which glibc has and the Swift module of it lacks; nil with another C library.
  private static let trim = dlsym(nil, "malloc_trim").map { unsafeBitCast($0, to: Trim.self) }

  /// Some milliseconds for a heap of a hundred megabytes; other threads may allocate meanwhile.
  static func giveBack() { _ = trim?(0) }
}
