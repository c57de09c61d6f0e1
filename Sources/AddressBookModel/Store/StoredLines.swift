import ContactInterchange
import Glibc

/// The lines of a card in one column: a JSON array of strings, which other programs can read too.
package enum StoredLines {
  package static func text(_ lines: [String]) -> String {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(lines.reduce(2) { $0 + $1.utf8.count + 4 })
    bytes.append(open)
    for (index, line) in lines.enumerated() {
      if index > 0 { bytes.append(comma) }
      ContactJSON.append(line, to: &bytes)
    }
    bytes.append(close)
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Returns the lines of a column; none if the column is not an array of strings.
  package static func lines(_ text: String) -> [String] {
    var text = text
    return text.withUTF8 { bytes in
      var lines: [String] = []
      var position = 0
      return parse(bytes, &position) { lines.append(String(decoding: $0, as: UTF8.self)) } ? lines : []
    }
  }

  private static let open = UInt8(ascii: "[")
  private static let close = UInt8(ascii: "]")
  private static let comma = UInt8(ascii: ",")
  private static let quote = UInt8(ascii: "\"")
  private static let backslash = UInt8(ascii: "\\")
  private static let escapes: [UInt8: UInt8] = [
    UInt8(ascii: "n"): 0x0A, UInt8(ascii: "r"): 0x0D, UInt8(ascii: "t"): 0x09, UInt8(ascii: "b"): 0x08,
    UInt8(ascii: "f"): 0x0C, quote: quote, backslash: backslash, UInt8(ascii: "/"): UInt8(ascii: "/"),
  ]

  private static func parse(
    _ bytes: UnsafeBufferPointer<UInt8>, _ position: inout Int, _ body: (UnsafeBufferPointer<UInt8>) -> Void
  ) -> Bool {
    func next() -> UInt8? {
      while position < bytes.count, [0x20, 0x09, 0x0A, 0x0D].contains(bytes[position]) { position += 1 }
      defer { position += 1 }
      return position < bytes.count ? bytes[position] : nil
    }
    guard next() == open else { return false }
    var isFirst = true
    var byte = next()
    while byte == quote {
      guard string(bytes, &position, body) else { return false }
      isFirst = false
      byte = next()
      if byte == close { return true }
      guard byte == comma else { return false }
      byte = next()
    }
    return byte == close && isFirst
  }

  /// Returns the offset of the first quote or backslash from `start` on; the end if there is none.
  private static func firstSpecial(_ bytes: UnsafeBufferPointer<UInt8>, from start: Int) -> Int {
    func offset(of byte: UInt8, before end: Int) -> Int {
      guard start < end, let base = bytes.baseAddress, let found = memchr(base + start, Int32(byte), end - start) else {
        return end
      }
      return UnsafeRawPointer(found) - UnsafeRawPointer(base)
    }
    return offset(of: backslash, before: offset(of: quote, before: bytes.count))
  }

  /// Calls `body` with the string up to the closing quote, which is consumed.
  /// - Returns: false if the string is not valid.
  private static func string(
    _ bytes: UnsafeBufferPointer<UInt8>, _ position: inout Int, _ body: (UnsafeBufferPointer<UInt8>) -> Void
  ) -> Bool {
    let start = position
    position = firstSpecial(bytes, from: start)
    guard position < bytes.count else { return false }
    if bytes[position] == quote {
      body(UnsafeBufferPointer(rebasing: bytes[start..<position]))
      position += 1
      return true
    }
    var result = Array(bytes[start..<position])
    var units: [UInt16] = []
    func flush() {
      result += Array(String(decoding: units, as: UTF16.self).utf8)
      units = []
    }
    while position < bytes.count {
      let byte = bytes[position]
      position += 1
      guard byte == backslash else {
        if !units.isEmpty { flush() }
        if byte == quote {
          result.withUnsafeBufferPointer(body)
          return true
        }
        result.append(byte)
        continue
      }
      guard position < bytes.count else { return false }
      let letter = bytes[position]
      position += 1
      if letter == UInt8(ascii: "u") {
        guard position + 4 <= bytes.count,
          let unit = UInt16(String(decoding: bytes[position..<position + 4], as: UTF8.self), radix: 16)
        else { return false }
        units.append(unit)
        position += 4
      } else {
        if !units.isEmpty { flush() }
        guard let known = escapes[letter] else { return false }
        result.append(known)
      }
    }
    return false
  }
}
