import CPageGuard
import ContactSearch
import Glibc

/// A mapping of parts of a file, with empty pages after each part, so that the mapped data can grow in place. Written
/// pages are private to this process; the others are shared with every process that maps the file.
///
/// If the file is truncated while it is mapped, or its disk fails, results may be wrong, but the process does not
/// crash: missing pages become zeros, and ``isIntact`` is false from then on.
final class MappedFile: StoredMemory {
  // Released once, by the last owner.
  private nonisolated(unsafe) let memory: UnsafeMutableRawBufferPointer
  private let descriptor: Int32
  private let status: Status
  private let guardNumber: Int32

  /// The status that changes with any write to the file.
  private struct Status: Equatable {
    let size: off_t
    let seconds: Int
    let nanoseconds: Int

    init?(_ descriptor: Int32) {
      var status = stat()
      guard fstat(descriptor, &status) == 0 else { return nil }
      size = status.st_size
      seconds = status.st_mtim.tv_sec
      nanoseconds = status.st_mtim.tv_nsec
    }
  }

  /// Whether the file is unchanged since it was mapped, and every page that was read was there. Check it before and
  /// after reading.
  var isIntact: Bool {
    page_guard_renew()
    return page_guard_has_failed(guardNumber) == 0 && Status(descriptor) == status
  }

  func releasePages(of range: UnsafeRawBufferPointer) {
    guard let base = memory.baseAddress, let start = range.baseAddress else { return }
    // The first page may belong to the range before this one too, which has been released.
    func page(_ address: UnsafeRawPointer) -> Int { (address - UnsafeRawPointer(base)) & ~(Int(getpagesize()) - 1) }
    let (first, end) = (page(start), page(start + range.count))
    if first < end { madvise(base + first, end - first, MADV_DONTNEED) }
  }

  func loadPages(of range: UnsafeRawBufferPointer) {
    guard let base = memory.baseAddress, let start = range.baseAddress, !range.isEmpty,
      start >= UnsafeRawPointer(base), start + range.count <= UnsafeRawPointer(base) + memory.count
    else { return }
    let first = (start - UnsafeRawPointer(base)) & ~(Int(getpagesize()) - 1)
    // Linux before 5.14 does not know this, and loads each page when it is read. The guard handles a missing page.
    madvise(base + first, start - UnsafeRawPointer(base) + range.count - first, MADV_POPULATE_READ)
  }

  private init(
    _ memory: UnsafeMutableRawBufferPointer, _ descriptor: Int32, _ status: Status, guardNumber: Int32
  ) {
    self.memory = memory
    self.descriptor = descriptor
    self.status = status
    self.guardNumber = guardNumber
  }

  deinit {
    page_guard_remove(guardNumber)
    munmap(memory.baseAddress, memory.count)
    close(descriptor)
  }

  /// Maps ranges of a file, whose offsets are multiples of the page size; returns nil if that fails.
  static func parts(of file: Int32, _ ranges: [Range<Int>]) -> [CacheFile.Part]? {
    let page = Int(getpagesize())
    func pages(_ bytes: Int) -> Int { (bytes + page - 1) / page * page }
    let rooms = ranges.map { pages($0.count) + max(65_536, pages($0.count / 8)) }
    let size = rooms.reduce(0, +)
    let access = PROT_READ | PROT_WRITE
    guard size > 0, let base = mmap(nil, size, access, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0),
      base != MAP_FAILED
    else { return nil }
    let memory = UnsafeMutableRawBufferPointer(start: base, count: size)
    let copy = fcntl(file, F_DUPFD_CLOEXEC, 3)
    let number = page_guard_add(base, size)
    guard copy >= 0, number >= 0, let status = Status(copy) else {
      if number >= 0 { page_guard_remove(number) }
      if copy >= 0 { close(copy) }
      munmap(base, size)
      return nil
    }
    let owner = MappedFile(memory, copy, status, guardNumber: number)
    var parts: [CacheFile.Part] = []
    var start = 0
    for (range, room) in zip(ranges, rooms) {
      let part = UnsafeMutableRawBufferPointer(rebasing: memory[start..<start + room])
      if !range.isEmpty {
        let mapped = mmap(
          part.baseAddress, pages(range.count), access, MAP_PRIVATE | MAP_FIXED, file, off_t(range.lowerBound))
        guard mapped != MAP_FAILED else { return nil }
      }
      parts.append(CacheFile.Part(memory: part, count: range.count, owner: owner))
      start += room
    }
    return parts
  }
}
