/// Splits a stream of JSON into its objects: the elements of one array, or consecutive objects. Only one object is in
/// memory at a time, however long the stream is.
public struct JSONElements<Failure: Error> {
  /// The next item of the stream.
  public enum Element {
    /// The bytes of one object, and the line where it begins, from 1.
    case object(line: Int, bytes: [UInt8])
    /// Invalid JSON, or a value other than an object, on this line; nothing comes after it.
    case malformed(line: Int)
  }

  /// The largest object in bytes; a contact needs far less.
  private static var limit: Int { 64 << 20 }

  private let source: () throws(Failure) -> [UInt8]?
  private var chunk: [UInt8] = []
  private var place = 0
  private var line = 1
  private var isInArray = false
  private var hasEnded = false
  private var isBroken = false

  /// Splits the bytes of a source.
  /// - Parameter source: the next bytes, or nil at the end.
  public init(source: @escaping () throws(Failure) -> [UInt8]?) {
    self.source = source
  }

  /// The next object, or nil at the end.
  public mutating func next() throws(Failure) -> Element? {
    while !isBroken, let byte = try take() {
      switch byte {
      case 0x0A: line += 1
      case 0x09, 0x0D, 0x20, UInt8(ascii: ","): break
      case 0xEF, 0xBB, 0xBF: break
      case UInt8(ascii: "[") where !isInArray && !hasEnded: isInArray = true
      case UInt8(ascii: "]") where isInArray:
        isInArray = false
        hasEnded = true
      case UInt8(ascii: "{"): return try object()
      default: return malformed(line)
      }
    }
    if isInArray, !isBroken { return malformed(line) }
    return nil
  }

  private mutating func object() throws(Failure) -> Element {
    let start = line
    var bytes: [UInt8] = [UInt8(ascii: "{")]
    var depth = 1
    var isText = false
    var isEscaped = false
    while depth > 0 {
      guard let byte = try take(), bytes.count < Self.limit else { return malformed(start) }
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
    return .object(line: start, bytes: bytes)
  }

  private mutating func take() throws(Failure) -> UInt8? {
    while place >= chunk.count {
      guard let next = try source() else { return nil }
      chunk = next
      place = 0
    }
    defer { place += 1 }
    return chunk[place]
  }

  private mutating func malformed(_ line: Int) -> Element {
    isBroken = true
    return .malformed(line: line)
  }
}
