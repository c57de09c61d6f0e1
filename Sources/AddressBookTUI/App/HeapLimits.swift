import Glibc

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
