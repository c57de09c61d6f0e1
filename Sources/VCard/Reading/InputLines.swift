import Glibc

/// The physical lines of the input, without their line ends.
///
/// LF and CR LF end a line, even if a broken conversion left several CRs before the LF. A lone CR ends one too, except
/// in a card whose own BEGIN:VCARD did not end that way: there it is text.
final class InputLines<Failure: Error> {
  /// The result of reading a line.
  enum Step {
    /// A line, valid until the next call.
    case line(UnsafeBufferPointer<UInt8>)
    /// A part of a line longer than the limit was skipped: the length of the part in bytes.
    case tooLong(Int)
    case end
  }

  private let window: InputWindow<Failure>
  /// The number of the most recently read line, from 1; 0 before the first.
  private(set) var number = 0
  /// Whether a lone CR ends a line.
  var returnEndsLine = true
  /// Whether a lone CR ended the most recently read line.
  private(set) var endedByReturn = false

  init(source: @escaping () throws(Failure) -> [UInt8]?) {
    window = InputWindow(source: source)
  }

  var bytesRead: Int { window.bytesRead }

  /// Returns the first bytes of the input: as many as ``FileSignature`` needs, if it has them.
  func beginning() throws(Failure) -> [UInt8] {
    while window.count < FileSignature.length, !window.isAtEnd { try window.fill() }
    return Array(UnsafeBufferPointer(start: window.bytes + window.head, count: min(FileSignature.length, window.count)))
  }

  /// Returns the next line, or why there is none.
  func next(limit: Int) throws(Failure) -> Step {
    while true {
      if let line = scan() { return .line(line) }
      if window.isAtEnd {
        guard window.count > 0 else { return .end }
        let rest = UnsafeBufferPointer(start: window.bytes + window.head, count: window.count)
        window.consume(to: window.tail)
        number += 1
        endedByReturn = false
        return .line(trimmed(rest))
      }
      if window.count > limit { return try skip() }
      try window.double()
    }
  }

  /// Skips the part of a line that is in the window, because the line is too long. What follows is read as a line of
  /// its own.
  private func skip() throws(Failure) -> Step {
    let length = window.count
    window.consume(to: window.tail)
    return .tooLong(length)
  }

  private func scan() -> UnsafeBufferPointer<UInt8>? {
    let start = window.bytes + window.head
    let count = window.count
    let end: Int
    if returnEndsLine {
      guard let found = endOfEitherKind(start, count) else { return nil }
      end = found
    } else {
      guard let found = memchr(start, 10, count) else { return nil }
      end = UnsafeRawPointer(found) - UnsafeRawPointer(start)
      endedByReturn = false
      window.consume(to: window.head + end + 1)
    }
    number += 1
    return trimmed(UnsafeBufferPointer(start: start, count: end))
  }

  /// Finds the first CR or LF and consumes that line end; nil if more input is needed.
  private func endOfEitherKind(_ start: UnsafePointer<UInt8>, _ count: Int) -> Int? {
    var position = 0
    while position < count, start[position] != Byte.lineFeed, start[position] != Byte.carriageReturn { position += 1 }
    guard position < count else { return nil }
    var next = position
    while next < count, start[next] == Byte.carriageReturn { next += 1 }
    if next < count {
      endedByReturn = start[next] != Byte.lineFeed
    } else {
      guard window.isAtEnd else { return nil }
      endedByReturn = true
    }
    window.consume(to: window.head + (endedByReturn ? position + 1 : next + 1))
    return position
  }

  private func trimmed(_ line: UnsafeBufferPointer<UInt8>) -> UnsafeBufferPointer<UInt8> {
    var count = line.count
    while count > 0, line[count - 1] == Byte.carriageReturn { count -= 1 }
    return UnsafeBufferPointer(start: line.baseAddress, count: count)
  }
}

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
