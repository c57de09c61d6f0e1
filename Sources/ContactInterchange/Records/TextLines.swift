import VCard

/// The lines of a text, one at a time, as bytes in UTF-8 or an 8-bit charset.
struct TextLines<Failure: Error> {
  /// The longest line in bytes: a photo in base64 has a few MB.
  static var limit: Int { 64 << 20 }

  private var input: TextInput<Failure>
  private var chunk: [UInt8] = []
  private var place = 0
  private var isAfterReturn = false
  /// The number of the last line, from 1.
  private(set) var number = 0
  /// True if the last line was cut at the limit.
  private(set) var wasCut = false

  init(source: @escaping () throws(Failure) -> [UInt8]?) { input = TextInput(source: source) }

  /// The next line without its end (LF, CR LF or CR); nil at the end.
  mutating func next() throws(Failure) -> [UInt8]? {
    var line: [UInt8] = []
    var hasBegun = false
    wasCut = false
    while true {
      while place >= chunk.count {
        guard let more = try input.next() else {
          if hasBegun { number += 1 }
          return hasBegun ? line : nil
        }
        chunk = more
        place = 0
      }
      if isAfterReturn {
        isAfterReturn = false
        if chunk[place] == 0x0A {
          place += 1
          continue
        }
      }
      let end = chunk[place...].firstIndex { $0 == 0x0A || $0 == 0x0D } ?? chunk.count
      let room = Self.limit - line.count
      wasCut = wasCut || end - place > room
      line += chunk[place..<min(end, place + room)]
      hasBegun = true
      guard end < chunk.count else {
        place = end
        continue
      }
      isAfterReturn = chunk[end] == 0x0D
      place = end + 1
      number += 1
      return line
    }
  }
}
