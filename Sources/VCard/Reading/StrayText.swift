/// Lines between cards, collected into one diagnostic.
struct StrayText {
  private(set) var firstLine = 0
  private(set) var bytes = 0
  private var lines = 0
  private var beginning = ""

  mutating func add(_ line: UnsafeBufferPointer<UInt8>, number: Int) {
    bytes += line.count + 1
    guard line.contains(where: { !Byte.isSpace($0) }) else { return }
    if lines == 0 {
      firstLine = number
      beginning = Excerpt.of(line)
    }
    lines += 1
  }

  /// Returns the diagnostic for the collected lines, if any, and starts over.
  mutating func finding() -> Diagnostic? {
    defer { self = StrayText() }
    guard lines > 0 else { return nil }
    return Diagnostic(line: firstLine, problem: .textOutsideCard(lines: lines, beginning: beginning))
  }
}

/// The beginning of a line, for a message.
enum Excerpt {
  /// Returns up to 60 bytes of the line, without control characters.
  static func of(_ line: UnsafeBufferPointer<UInt8>) -> String {
    let text = String(decoding: line.prefix(60), as: UTF8.self)
    let cleaned = text.unicodeScalars.filter { $0.value >= 0x20 && !(0x7F...0x9F).contains($0.value) }
    return String(String.UnicodeScalarView(cleaned))
  }
}
