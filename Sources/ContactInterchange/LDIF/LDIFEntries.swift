import VCard

/// The entries of an LDIF file (RFC 2849), one at a time.
struct LDIFEntries<Failure: Error> {
  /// An attribute with its value; the name is in lower case and without options.
  struct Attribute {
    enum Value {
      case bytes([UInt8])
      /// The URL of a value (`:<`), which is never read.
      case reference
    }

    let name: String
    let value: Value
  }

  /// An entry, and the line where it begins, from 1.
  struct Entry {
    let line: Int
    var attributes: [Attribute] = []
    /// The lines that are not attributes, up to a limit: their numbers and beginnings.
    var malformed: [(line: Int, text: String)] = []
    var isCut = false

    /// Returns the values of an attribute, except those behind a URL.
    func values(of name: String) -> [[UInt8]] {
      attributes.compactMap { attribute in
        guard attribute.name == name, case .bytes(let bytes) = attribute.value else { return nil }
        return bytes
      }
    }
  }

  private struct Line {
    var bytes: [UInt8]
    /// The number of its first line, before the continuations.
    let number: Int
    var isCut: Bool
  }

  /// More than anyone reads.
  private static var malformedLimit: Int { 500 }

  private let limit: Int
  private var lines: TextLines<Failure>
  private var ahead: Line?

  /// - Parameter limit: the longest line with its continuations, in bytes.
  init(limit: Int = TextLines<Failure>.limit, source: @escaping () throws(Failure) -> [UInt8]?) {
    self.limit = limit
    lines = TextLines(limit: limit, source: source)
  }

  mutating func next() throws(Failure) -> Entry? {
    var entry: Entry?
    while let line = try unfolded() {
      if line.bytes.isEmpty {
        if let entry { return entry }
        continue
      }
      if line.bytes[0] == UInt8(ascii: "#") { continue }
      var current = entry ?? Entry(line: line.number)
      current.isCut = current.isCut || line.isCut
      if let attribute = Self.attribute(line.bytes) {
        // The version comes before the first entry, with or without an empty line after it.
        if entry != nil || attribute.name != "version" { current.attributes.append(attribute) } else { continue }
      } else if current.malformed.count < Self.malformedLimit {
        current.malformed.append((line.number, String(decoding: line.bytes.prefix(60), as: UTF8.self)))
      }
      entry = current
    }
    return entry
  }

  /// Returns a line with its continuations, which begin with a space; nil at the end.
  private mutating func unfolded() throws(Failure) -> Line? {
    var next = ahead.take()
    if next == nil { next = try readLine() }
    guard var line = next else { return nil }
    if line.bytes.isEmpty { return line }
    while let next = try readLine() {
      guard next.bytes.first == 0x20 else {
        ahead = next
        break
      }
      let rest = next.bytes.dropFirst()
      let room = limit - line.bytes.count
      line.isCut = line.isCut || next.isCut || rest.count > room
      line.bytes += rest.prefix(room)
    }
    return line
  }

  private mutating func readLine() throws(Failure) -> Line? {
    guard let bytes = try lines.next() else { return nil }
    return Line(bytes: bytes, number: lines.number, isCut: lines.wasCut)
  }

  private static func attribute(_ line: [UInt8]) -> Attribute? {
    guard let colon = line.firstIndex(of: UInt8(ascii: ":")), colon > 0 else { return nil }
    let name = String(decoding: line[..<colon].prefix { $0 != UInt8(ascii: ";") }, as: UTF8.self).lowercased()
    guard name.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) else { return nil }
    let rest = line[(colon + 1)...]
    switch rest.first {
    case UInt8(ascii: ":"):
      let bytes = Base64.decode(rest.dropFirst().drop { $0 == 0x20 })
      return bytes.map { Attribute(name: name, value: .bytes($0)) }
    case UInt8(ascii: "<"): return Attribute(name: name, value: .reference)
    default: return Attribute(name: name, value: .bytes(Array(rest.drop { $0 == 0x20 })))
    }
  }
}
