import Glibc

/// A clock that never jumps.
enum MonotonicClock {
  /// Milliseconds since some moment in the past.
  static var milliseconds: Int {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return time.tv_sec * 1000 + time.tv_nsec / 1_000_000
  }
}
