/// The part of the input in memory, with UTF-16 converted to UTF-8: it grows at the end and shrinks at the start.
final class InputWindow<Failure: Error> {
  private let source: () throws(Failure) -> [UInt8]?
  private var memory: UnsafeMutablePointer<UInt8>
  private var capacity: Int
  private var transcoder: UTF16Transcoder?
  private var isSniffed = false

  /// The first byte that was not consumed, as an offset into ``bytes``.
  private(set) var head = 0
  /// The end of the bytes, exclusive.
  private(set) var tail = 0
  /// True if the source has no more data.
  private(set) var isAtEnd = false
  /// The number of bytes read from the source so far.
  private(set) var bytesRead = 0

  init(source: @escaping () throws(Failure) -> [UInt8]?) {
    self.source = source
    capacity = 1 << 16
    memory = .allocate(capacity: capacity)
  }

  deinit { memory.deallocate() }

  /// The bytes of the window; valid until the next ``fill()``.
  var bytes: UnsafePointer<UInt8> { UnsafePointer(memory) }
  var count: Int { tail - head }

  func consume(to offset: Int) { head = offset }

  /// Reads at least one more chunk, or records the end.
  func fill() throws(Failure) {
    guard !isAtEnd else { return }
    guard isSniffed else {
      isSniffed = true
      try sniff()
      return
    }
    try readChunk()
  }

  /// Reads chunks until the window has doubled: rescanning a long line must take linear time.
  func double() throws(Failure) {
    let goal = max(2 * count, 1)
    while count < goal, !isAtEnd { try fill() }
  }

  private func readChunk() throws(Failure) {
    guard let chunk = try source() else {
      isAtEnd = true
      return finish()
    }
    bytesRead += chunk.count
    transcode(chunk[...])
  }

  /// Appends what is left of UTF-16 that was cut.
  private func finish() {
    guard transcoder != nil else { return }
    var rest: [UInt8] = []
    transcoder?.finish(into: &rest)
    append(rest[...])
  }

  private func transcode(_ chunk: ArraySlice<UInt8>) {
    guard transcoder != nil else { return append(chunk) }
    var converted: [UInt8] = []
    converted.reserveCapacity(chunk.count)
    transcoder?.decode(chunk, into: &converted)
    append(converted[...])
  }

  /// Detects UTF-16 by its byte order mark or by zeros next to the first letters.
  private func sniff() throws(Failure) {
    var first: [UInt8] = []
    while first.count < 4, !isAtEnd {
      guard let chunk = try source() else {
        isAtEnd = true
        break
      }
      first += chunk
    }
    bytesRead += first.count
    transcoder = UTF16Transcoder(ofTextBeginning: first)
    transcode(first[...])
    if isAtEnd { finish() }
  }

  private func append(_ chunk: ArraySlice<UInt8>) {
    if head > 0, head == tail || head > capacity / 2 || tail + chunk.count > capacity {
      memory.update(from: memory + head, count: count)
      tail -= head
      head = 0
    }
    if tail + chunk.count > capacity {
      capacity = max(capacity * 2, tail + chunk.count)
      let larger = UnsafeMutablePointer<UInt8>.allocate(capacity: capacity)
      larger.update(from: memory, count: tail)
      memory.deallocate()
      memory = larger
    }
    chunk.withUnsafeBufferPointer { buffer in
      if let base = buffer.baseAddress { (memory + tail).update(from: base, count: buffer.count) }
    }
    tail += chunk.count
  }
}
