/// Cuts a stream of JSON into its objects: the elements of one array, or objects one after the other. Memory holds one
/// object at a time, however long the stream is.
struct JSONElements {
  /// One object and the line where it begins, from 1.
  struct Element {
    let line: Int
    let bytes: [UInt8]
  }

  /// Largest object in bytes; a contact needs far less.
  private static let limit = 64 << 20

  private let file: String
  private let source: () throws(ImportError) -> [UInt8]?
  private var chunk: [UInt8] = []
  private var place = 0
  private var line = 1
  private var isInArray = false
  private var hasEnded = false

  init(file: String, source: @escaping () throws(ImportError) -> [UInt8]?) {
    self.file = file
    self.source = source
  }

  /// The next object, or nil at the end.
  mutating func next() throws(ImportError) -> Element? {
    while let byte = try take() {
      switch byte {
      case 0x0A: line += 1
      case 0x09, 0x0D, 0x20, UInt8(ascii: ","): break
      case 0xEF, 0xBB, 0xBF: break
      case UInt8(ascii: "[") where !isInArray && !hasEnded: isInArray = true
      case UInt8(ascii: "]") where isInArray:
        isInArray = false
        hasEnded = true
      case UInt8(ascii: "{"): return try object()
      default: throw failure(line)
      }
    }
    if isInArray { throw failure(line) }
    return nil
  }

  private mutating func object() throws(ImportError) -> Element {
    let start = line
    var bytes: [UInt8] = [UInt8(ascii: "{")]
    var depth = 1
    var isText = false
    var isEscaped = false
    while depth > 0 {
      guard let byte = try take(), bytes.count < Self.limit else { throw failure(start) }
      bytes.append(byte)
      if byte == 0x0A { line += 1 }
      if isEscaped {
        isEscaped = false
      } else if isText {
        if byte == UInt8(ascii: "\\") { isEscaped = true }
        if byte == UInt8(ascii: "\"") { isText = false }
      } else {
        switch byte {
        case UInt8(ascii: "\""): isText = true
        case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
        case UInt8(ascii: "}"), UInt8(ascii: "]"): depth -= 1
        default: break
        }
      }
    }
    return Element(line: start, bytes: bytes)
  }

  private mutating func take() throws(ImportError) -> UInt8? {
    while place >= chunk.count {
      guard let next = try source() else { return nil }
      chunk = next
      place = 0
    }
    defer { place += 1 }
    return chunk[place]
  }

  private func failure(_ line: Int) -> ImportError { ImportError(.notJSON, file: file, line: line) }
}
