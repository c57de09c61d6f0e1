import VCard

/// The lines of a text, one at a time, as bytes in UTF-8 or another extension of ASCII.
struct TextLines<Failure: Error> {
  /// The longest line, in bytes, which leaves room for photos in base64; the rest of a longer one is dropped.
  static var limit: Int { 64 << 20 }

  private let limit: Int
  private var input: TextInput<Failure>
  private var chunk: [UInt8] = []
  private var offset = 0
  private var isAfterReturn = false
  /// The number of the line that was read last, from 1; 0 before the first.
  private(set) var number = 0
  /// Whether the line that was read last was cut at the limit.
  private(set) var wasCut = false

  init(limit: Int = Self.limit, source: @escaping () throws(Failure) -> [UInt8]?) {
    self.limit = limit
    input = TextInput(source: source)
  }

  /// Returns the next line without its end (LF, CR LF or CR); nil at the end.
  mutating func next() throws(Failure) -> [UInt8]? {
    var line: [UInt8] = []
    var hasBegun = false
    wasCut = false
    while true {
      while offset >= chunk.count {
        guard let more = try input.next() else {
          if hasBegun { number += 1 }
          return hasBegun ? line : nil
        }
        chunk = more
        offset = 0
      }
      if isAfterReturn {
        isAfterReturn = false
        if chunk[offset] == 0x0A {
          offset += 1
          continue
        }
      }
      let end = chunk[offset...].firstIndex { $0 == 0x0A || $0 == 0x0D } ?? chunk.count
      let room = limit - line.count
      wasCut = wasCut || end - offset > room
      line += chunk[offset..<min(end, offset + room)]
      hasBegun = true
      guard end < chunk.count else {
        offset = end
        continue
      }
      isAfterReturn = chunk[end] == 0x0D
      offset = end + 1
      number += 1
      return line
    }
  }
}
