import Glibc

/// The address space that a limit (`ulimit -v`) leaves to this process.
///
/// Swift, libdispatch and SQLite end the program or wait forever when memory or a thread's stack cannot be had. With a
/// limit, the memory is asked for before the work starts; without one, the system always grants it.
enum AddressSpace {
  /// For a book with two connections and their caches.
  static let forBook = 16 << 20
  /// For an import of any size: its threads, their batches, and the part of the search index that is in memory.
  static let forImport = 64 << 20

  /// Returns whether this many bytes more can be mapped.
  static func has(_ bytes: Int) -> Bool {
    var limit = rlimit()
    guard getrlimit(__rlimit_resource_t(RLIMIT_AS.rawValue), &limit) == 0, limit.rlim_cur != .max else {
      return true
    }
    let pages = mmap(nil, bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0)
    guard let pages, pages != MAP_FAILED else { return false }
    munmap(pages, bytes)
    return true
  }
}
