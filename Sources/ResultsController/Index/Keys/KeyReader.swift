import Glibc

/// Rebuilds the keys of chunks. It keeps the last key, and is fastest if keys are read in order. It belongs to one
/// thread.
final class KeyReader {
  private var bytes: UnsafeMutablePointer<UInt8>
  private var capacity = 128
  private var count = 0
  /// The row whose key was rebuilt last.
  private var chunk: IndexChunk?
  private var row = 0
  /// The stored key of the row after `row`.
  private var next: UnsafePointer<UInt8>

  init() {
    bytes = .allocate(capacity: capacity)
    next = UnsafePointer(bytes)
  }

  deinit { bytes.deallocate() }

  /// The key of a row, valid until the reader is asked for another one or released.
  func key(_ index: Int, of chunk: IndexChunk) -> KeyView {
    let (chunk, target) = chunk.stored(index)
    let run = target / IndexChunk.rowsPerRun
    if self.chunk !== chunk || target < row || run != row / IndexChunk.rowsPerRun { begin(run, of: chunk) }
    while row < target { advance() }
    return KeyView(UnsafeBufferPointer(start: bytes, count: count))
  }

  private func begin(_ run: Int, of chunk: IndexChunk) {
    let prefix = chunk.prefix
    next = chunk.run(run)
    let length = ShortNumber.read(&next)
    reserve(prefix.count + length, keeping: 0)
    if let start = prefix.baseAddress { memcpy(bytes, start, prefix.count) }
    memcpy(bytes + prefix.count, next, length)
    next += length
    count = prefix.count + length
    self.chunk = chunk
    row = run * IndexChunk.rowsPerRun
  }

  private func advance() {
    let shared = ShortNumber.read(&next)
    let length = ShortNumber.read(&next)
    reserve(shared + length, keeping: shared)
    memcpy(bytes + shared, next, length)
    next += length
    count = shared + length
    row += 1
  }

  private func reserve(_ needed: Int, keeping kept: Int) {
    guard needed > capacity else { return }
    let grown = max(capacity * 2, needed)
    let moved = UnsafeMutablePointer<UInt8>.allocate(capacity: grown)
    moved.update(from: bytes, count: kept)
    bytes.deallocate()
    bytes = moved
    capacity = grown
  }
}
