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
