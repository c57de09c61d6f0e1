/// The meaning of terminal sequences: xterm and compatible ones, rxvt, the Linux console, tmux, and `CSI u`.
enum KeySequences {
  /// Returns the modifiers in xterm's parameter: 1 plus bits for shift, alt, control, meta; none for any other value.
  static func modifiers(_ parameter: Int) -> Key.Modifiers {
    guard (2...256).contains(parameter) else { return [] }
    let bits = parameter - 1
    var modifiers: Key.Modifiers = []
    if bits & 1 != 0 { modifiers.insert(.shift) }
    if bits & (2 | 8 | 32) != 0 { modifiers.insert(.alt) }
    if bits & 4 != 0 { modifiers.insert(.control) }
    return modifiers
  }

  /// Returns the key of `CSI numbers final`; nil if the sequence is not a key.
  static func key(numbers: [Int], final: UInt8) -> Key? {
    let first = numbers.first ?? 1
    let modifiers = modifiers(numbers.count > 1 ? numbers[1] : 1)
    switch final {
    case UInt8(ascii: "~"):
      if first == 27, numbers.count > 2 { return typed(numbers[2], modifiers) }
      return numbered(first).map { Key($0, modifiers) }
    // rxvt: shift, control, both.
    case UInt8(ascii: "$"): return numbered(first).map { Key($0, .shift) }
    case UInt8(ascii: "^"): return numbered(first).map { Key($0, .control) }
    case UInt8(ascii: "@"): return numbered(first).map { Key($0, [.shift, .control]) }
    case UInt8(ascii: "a")...UInt8(ascii: "d") where numbers.isEmpty:
      return arrow(final - 0x20).map { Key($0, .shift) }
    case UInt8(ascii: "u"): return numbers.isEmpty ? nil : typed(first, modifiers)
    case UInt8(ascii: "Z"): return Key(.backTab, modifiers.subtracting(.shift))
    // In the first line, a cursor report looks like F3 with modifiers; only accept known modifiers.
    case UInt8(ascii: "R"):
      return first == 1 && !modifiers.isEmpty && numbers[1] < 17 ? Key(.function(3), modifiers) : nil
    // st sends a bare `CSI P` for Delete; F1 is `SS3 P` there, and `CSI 1;… P` with modifiers elsewhere.
    case UInt8(ascii: "P") where numbers.isEmpty: return Key(.delete)
    case UInt8(ascii: "P"), UInt8(ascii: "Q"), UInt8(ascii: "S"):
      return first == 1 ? Key(.function(Int(final) - 0x4F), modifiers) : nil
    default: return arrow(final).map { Key($0, modifiers) }
    }
  }

  /// Returns the key of `SS3 final` (cursor keys, F1 to F4, the numeric keypad); nil for any other byte.
  static func singleShift(_ final: UInt8) -> Key? {
    switch final {
    case UInt8(ascii: "P")...UInt8(ascii: "S"): Key(.function(Int(final) - 0x4F))
    case UInt8(ascii: "M"): Key(.enter)
    case UInt8(ascii: "I"): Key(.tab)
    case UInt8(ascii: "X"): .character("=")
    case UInt8(ascii: "a")...UInt8(ascii: "d"): arrow(final - 0x20).map { Key($0, .control) }
    // The keypad sends the character's code plus 64.
    case UInt8(ascii: "j")...UInt8(ascii: "y"): .character(Character(Unicode.Scalar(final - 0x40)))
    default: arrow(final).map { Key($0) }
    }
  }

  /// Returns whether these are the digits of a key for which rxvt sends `$` when shift is down.
  static func isShiftedNumber(_ bytes: [UInt8]) -> Bool {
    guard (1...2).contains(bytes.count), bytes.allSatisfy({ (0x30..<0x3A).contains($0) }) else { return false }
    return numbered(bytes.reduce(0) { $0 * 10 + Int($1) - 0x30 }) != nil
  }

  /// Returns the mouse event of a report with xterm's button code; nil for one that is ignored, such as a move without
  /// a button.
  ///
  /// - Parameter isRelease: nil if the code itself says so (3 means that some button was released).
  static func mouse(code: Int, column: Int, row: Int, isRelease: Bool?) -> Mouse? {
    guard code >= 0, column >= 0, row >= 0 else { return nil }
    let position = Point(row: row, column: column)
    let button = code & 3
    if code & 0x80 != 0 { return nil }
    if code & 0x40 != 0 {
      guard button < 2, isRelease != true else { return nil }
      return Mouse(button == 0 ? .wheelUp : .wheelDown, at: position)
    }
    if isRelease == true { return button == 3 ? nil : Mouse(.release, button: button, at: position) }
    if button == 3 { return code & 0x20 == 0 && isRelease == nil ? Mouse(.release, at: position) : nil }
    return Mouse(code & 0x20 == 0 ? .press : .drag, button: button, at: position)
  }

  private static func arrow(_ final: UInt8) -> Key.Code? {
    switch final {
    case UInt8(ascii: "A"): .up
    case UInt8(ascii: "B"): .down
    case UInt8(ascii: "C"): .right
    case UInt8(ascii: "D"): .left
    case UInt8(ascii: "H"): .home
    case UInt8(ascii: "F"): .end
    default: nil
    }
  }

  private static func numbered(_ number: Int) -> Key.Code? {
    switch number {
    case 1, 7: .home
    case 2: .insert
    case 3: .delete
    case 4, 8: .end
    case 5: .pageUp
    case 6: .pageDown
    case 11...15: .function(number - 10)
    case 17...21: .function(number - 11)
    case 23...26: .function(number - 12)
    case 28, 29: .function(number - 13)
    case 31...34: .function(number - 14)
    default: nil
    }
  }

  // A key given by its code point, as in `CSI u` and modifyOtherKeys.
  private static func typed(_ code: Int, _ modifiers: Key.Modifiers) -> Key? {
    switch code {
    case 9: return modifiers.contains(.shift) ? Key(.backTab, modifiers.subtracting(.shift)) : Key(.tab, modifiers)
    case 13, 10: return Key(.enter, modifiers)
    case 27: return Key(.escape, modifiers)
    case 8, 127: return Key(.backspace, modifiers)
    default: break
    }
    guard let scalar = Unicode.Scalar(UInt32(code)) else { return nil }
    switch scalar.properties.generalCategory {
    // kitty uses private code points for keys that are not supported here.
    case .control, .privateUse, .unassigned, .format: return nil
    default: break
    }
    var character = Character(scalar)
    if modifiers.contains(.shift), scalar.isASCII, scalar.properties.isLowercase {
      character = Character(scalar.properties.uppercaseMapping)
    }
    if modifiers.contains(.control) { character = Character(character.lowercased()) }
    return Key(.character(character), modifiers.subtracting(.shift))
  }
}

/// The text between the brackets of DEC mode 2004.
struct PasteBuffer: Sendable {
  private static let end: [UInt8] = Array("\u{1B}[201~".utf8)
  /// The size in bytes at which a part is delivered before the next code point: a long paste must not fill the memory.
  private let partSize: Int
  private var bytes: [UInt8] = []
  // How many bytes of the closing bracket have been matched.
  private var matched = 0
  // True if the byte before this one was a CR: a LF then belongs to the same line end.
  private var wasReturn = false

  init(partSize: Int = 16 << 20) { self.partSize = partSize }

  var isEmpty: Bool { bytes.isEmpty }
  /// True after an Esc that may begin the closing bracket.
  var isAtEscape: Bool { matched == 1 }

  /// Adds a byte; returns true if it completes the closing bracket.
  mutating func append(_ byte: UInt8, _ events: inout [Event]) -> Bool {
    // No code point has more than three continuation bytes; further ones are not text.
    if bytes.count >= partSize, byte & 0xC0 != 0x80 || bytes.count >= partSize + 3 { deliver(&events) }
    if byte == Self.end[matched] {
      matched += 1
      wasReturn = false
      guard matched == Self.end.count else { return false }
      flush(&events)
      return true
    }
    if matched > 0 {
      // Not the bracket: the matched bytes are text, except the Esc.
      bytes += Self.end[1..<matched]
      matched = 0
      if byte == 0x1B {
        matched = 1
        return false
      }
    }
    switch byte {
    case 0x0D: bytes.append(0x0A)
    case 0x0A where wasReturn: break
    case 0x09, 0x0A, 0x20..<0x7F, 0x80...: bytes.append(byte)
    default: break
    }
    wasReturn = byte == 0x0D
    return false
  }

  /// Delivers the text so far and starts over.
  mutating func flush(_ events: inout [Event]) {
    matched = 0
    wasReturn = false
    deliver(&events)
  }

  private mutating func deliver(_ events: inout [Event]) {
    guard !bytes.isEmpty else { return }
    var text = String(decoding: bytes, as: UTF8.self)
    bytes = []
    // Remove C1 controls, which are two bytes in UTF-8.
    if text.unicodeScalars.contains(where: { (0x80..<0xA0).contains($0.value) }) {
      text.unicodeScalars.removeAll { (0x80..<0xA0).contains($0.value) }
    }
    if !text.isEmpty { events.append(.paste(text)) }
  }
}

/// The terminal's reply to a query of its background color: `OSC 11 ; rgb:RRRR/GGGG/BBBB` (XTerm Control Sequences).
enum BackgroundReply {
  /// The query, to which terminals without it send no reply.
  static let query = Array("\u{1B}]11;?\u{1B}\\".utf8)

  /// Returns whether the color in the text of an OSC is a light one; nil if the text is not such a reply.
  static func isLight(_ text: [UInt8]) -> Bool? {
    let text = String(decoding: text, as: UTF8.self)
    let prefixes = ["11;rgb:", "11;rgba:"]
    guard let prefix = prefixes.first(where: text.hasPrefix) else { return nil }
    let parts = text.dropFirst(prefix.count).split(separator: "/", omittingEmptySubsequences: false).map(fraction)
    guard parts.count == (prefix == prefixes[0] ? 3 : 4), let red = parts[0], let green = parts[1], let blue = parts[2]
    else { return nil }
    return RelativeLuminance.of(red, green, blue) > RelativeLuminance.middle
  }

  // One to four hexadecimal digits of a channel, from 0 to 1.
  private static func fraction(_ digits: Substring) -> Double? {
    guard (1...4).contains(digits.count), let value = Int(digits, radix: 16), value >= 0 else { return nil }
    return Double(value) / Double(1 << (4 * digits.count) - 1)
  }
}
