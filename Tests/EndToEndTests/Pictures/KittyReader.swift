import Foundation

/// Reads a program's output as a terminal with kitty's graphics protocol does, but only pictures with placeholders: it
/// records the pictures, the placeholders that show them, and violations of the protocol. It is written from the
/// protocol's description, not from the program's code.
struct KittyReader {
  /// A picture that the terminal holds.
  struct Image {
    var columns: Int
    var rows: Int
    var png: [UInt8]
  }

  /// The pictures that the terminal holds, by number.
  private(set) var images: [Int: Image] = [:]
  /// The number of pictures that were sent so far, including those sent again.
  private(set) var sent = 0
  /// The number of delete commands so far.
  private(set) var deletions = 0
  /// How many placeholders were written so far, by the number of their picture.
  private(set) var placeholders: [Int: Int] = [:]
  /// Violations of the protocol, and of rules for this program, such as leaving no picture behind.
  private(set) var faults: [String] = []
  /// True on the alternate screen.
  private(set) var isOnAlternateScreen = false

  private enum State { case ground, escape, control, string, stringEscape }
  private var state = State.ground
  private var collected: [UInt8] = []
  private var character: [UInt8] = []
  private var foreground: Int?
  /// The numbers that the diacritics of the current placeholder stand for; nil outside a placeholder.
  private var marks: [Int]?
  /// The picture whose pieces are being received.
  private var arriving: (number: Int, columns: Int, rows: Int, base64: [UInt8])?

  /// The diacritics that stand for 0, 1, 2, …, derived by the rule that the protocol gives for its table.
  static let numbers: [Unicode.Scalar: Int] = {
    let parts: Set<UInt32> = [
      0x300, 0x301, 0x302, 0x303, 0x304, 0x306, 0x307, 0x308, 0x309, 0x30A, 0x30B, 0x30C, 0x30F, 0x311, 0x313, 0x314,
      0x342, 0x653, 0x654,
    ]
    var numbers: [Unicode.Scalar: Int] = [:]
    for value: UInt32 in 0x300..<0x20000 where !parts.contains(value) {
      guard let scalar = Unicode.Scalar(value), let age = scalar.properties.age else { continue }
      guard scalar.properties.generalCategory == .nonspacingMark, scalar.properties.canonicalCombiningClass == .above,
        (age.major, age.minor) <= (6, 0)
      else { continue }
      let text = String(Character(scalar))
      guard Array(text.decomposedStringWithCanonicalMapping.unicodeScalars) == [scalar] else { continue }
      numbers[scalar] = numbers.count
    }
    return numbers
  }()

  mutating func feed(_ bytes: some Sequence<UInt8>) {
    for byte in bytes { feed(byte) }
  }

  private mutating func feed(_ byte: UInt8) {
    switch state {
    case .ground:
      if byte == 0x1B {
        endCharacter()
        endPlaceholder()
        state = .escape
      } else {
        if byte & 0xC0 != 0x80 { endCharacter() }
        character.append(byte)
      }
    case .escape:
      collected = []
      switch byte {
      case UInt8(ascii: "["): state = .control
      case UInt8(ascii: "_"), UInt8(ascii: "P"), UInt8(ascii: "]"), UInt8(ascii: "^"), UInt8(ascii: "X"):
        collected = [byte]
        state = .string
      case 0x20..<0x30: state = .escape
      default: state = .ground
      }
    case .control:
      collected.append(byte)
      guard (0x40..<0x7F).contains(byte) else { return }
      state = .ground
      control(String(decoding: collected, as: UTF8.self))
    case .string:
      if byte == 0x1B {
        state = .stringEscape
      } else if byte == 0x07, collected.first == UInt8(ascii: "]") {
        state = .ground
      } else {
        collected.append(byte)
      }
    case .stringEscape:
      if byte != UInt8(ascii: "\\") { faults.append("a sequence is broken off") }
      state = .ground
      if collected.starts(with: Array("_G".utf8)) { graphics(collected.dropFirst(2)) }
    }
  }

  // MARK: Text

  private mutating func endCharacter() {
    defer { character = [] }
    guard !character.isEmpty, let scalar = String(decoding: character, as: UTF8.self).unicodeScalars.first else {
      return
    }
    if let read = marks, let number = Self.numbers[scalar] {
      marks = read + [number]
      return
    }
    endPlaceholder()
    if scalar == "\u{10EEEE}" { marks = [] }
  }

  private mutating func endPlaceholder() {
    guard let marks else { return }
    self.marks = nil
    guard let foreground, marks.count == 3 else {
      faults.append("a placeholder with \(marks.count) marks and the color \(foreground as Int?)")
      return
    }
    let number = marks[2] << 24 | foreground
    placeholders[number, default: 0] += 1
    guard let image = images[number] else {
      faults.append("a placeholder of picture \(number), which was not sent")
      return
    }
    if marks[0] >= image.rows || marks[1] >= image.columns {
      faults.append("row \(marks[0]) and column \(marks[1]) of \(image.rows) and \(image.columns)")
    }
  }

  private mutating func control(_ text: String) {
    if text == "?1049h" || text == "?1049l" {
      isOnAlternateScreen = text.last == "h"
      if !isOnAlternateScreen, !images.isEmpty { faults.append("\(images.count) pictures are left behind") }
    }
    guard text.last == "m", !text.hasPrefix(">"), !text.hasPrefix("?") else { return }
    var codes = text.dropLast().split(separator: ";", omittingEmptySubsequences: false).map { Int($0) ?? 0 }[...]
    while let code = codes.popFirst() {
      switch code {
      case 0, 39: foreground = nil
      case 30...37: foreground = code - 30
      case 90...97: foreground = code - 82
      case 38, 48:
        let isPalette = codes.popFirst() == 5
        var value = codes.popFirst() ?? 0
        if !isPalette { for _ in 0..<2 { value = value << 8 | (codes.popFirst() ?? 0) } }
        if code == 38 { foreground = value }
      default: break
      }
    }
  }

  // MARK: Pictures

  private mutating func graphics(_ content: ArraySlice<UInt8>) {
    let parts = content.split(separator: UInt8(ascii: ";"), maxSplits: 1, omittingEmptySubsequences: false)
    var keys: [String: String] = [:]
    for pair in String(decoding: parts[0], as: UTF8.self).split(separator: ",") {
      let sides = pair.split(separator: "=", maxSplits: 1).map(String.init)
      if sides.count == 2 { keys[sides[0]] = sides[1] } else { faults.append("a key without a value") }
    }
    let payload = parts.count > 1 ? Array(parts[1]) : []
    if keys["q"] != "2" { faults.append("an answer is asked for") }
    if payload.count > 4096 { faults.append("a piece of \(payload.count) bytes") }
    if !isOnAlternateScreen { faults.append("a command outside the alternate screen") }
    if var whole = arriving {
      if !Set(keys.keys).isSubset(of: ["m", "q"]) { faults.append("a command between the pieces of a picture") }
      whole.base64 += payload
      take(whole, isLast: keys["m"] == "0")
    } else if keys["a"] == "T" {
      guard keys["U"] == "1", keys["f"] == "100", let number = keys["i"].flatMap(Int.init), number > 0,
        let columns = keys["c"].flatMap(Int.init), let rows = keys["r"].flatMap(Int.init)
      else {
        faults.append("a picture that no placeholder can show: \(keys)")
        return
      }
      take((number, columns, rows, payload), isLast: keys["m"] != "1")
    } else if keys["a"] == "d", keys["d"] == "I", let number = keys["i"].flatMap(Int.init) {
      deletions += 1
      if images.removeValue(forKey: number) == nil { faults.append("picture \(number) is not there to be deleted") }
    } else {
      faults.append("an unknown command: \(keys)")
    }
  }

  private mutating func take(_ whole: (number: Int, columns: Int, rows: Int, base64: [UInt8]), isLast: Bool) {
    arriving = isLast ? nil : whole
    guard isLast else { return }
    guard let png = Data(base64Encoded: Data(whole.base64)), png.starts(with: [0x89, 0x50, 0x4E, 0x47]) else {
      faults.append("picture \(whole.number) is no PNG")
      return
    }
    sent += 1
    images[whole.number] = Image(columns: whole.columns, rows: whole.rows, png: Array(png))
  }
}
