import Synchronization

/// Characters that take one column in most terminals, and two in some for East Asian users: those of the width A
/// (UAX #11), such as Greek, Cyrillic and accented letters, lines and blocks.
///
/// In a terminal where they are wide, they count two columns, and the symbols that screens draw in one column are
/// replaced with ASCII. ncurses measures with the C library, for which they are narrow, so it gets wide stand-ins,
/// which are replaced in its output.
enum AmbiguousWidth {
  private static let isWideHere = Atomic<Bool>(false)

  /// Whether they take two columns in this terminal.
  static var isWide: Bool {
    get { isWideHere.load(ordering: .relaxed) }
    set { isWideHere.store(newValue, ordering: .relaxed) }
  }

  /// Returns true for a code point that takes two columns only because ambiguous ones are wide here.
  static func isWidened(_ value: UInt32) -> Bool { value > 0xA0 && isWide && rank(of: value) != nil }

  // MARK: Symbols

  /// Shown for a code point that cannot be shown.
  static var replacement: Unicode.Scalar { isWide ? "?" : "\u{FFFD}" }

  /// The ASCII character for a symbol that screens draw in one column, or for a character that could be taken for a
  /// stand-in; nil for all others.
  static func narrowForm(of value: UInt32) -> Unicode.Scalar? {
    switch value {
    case 0x2500, 0x2501, 0x2504, 0x2505, 0x2508, 0x2509, 0x2550: "-"
    case 0x2502, 0x2506, 0x2507, 0x250A, 0x250B, 0x2551: "|"
    // The thumb of a scroll bar.
    case 0x2503: "#"
    case 0x250C...0x2573: "+"
    case 0x2580...0x2595: "#"
    default: original(of: value) == nil ? symbols[value] : "?"
    }
  }

  private static let symbols: [UInt32: Unicode.Scalar] = [
    0xB7: ".", 0x2013: "-", 0x2018: "'", 0x2019: "'", 0x25A4: "#", 0x25C7: "%", 0x25CB: "o", 0x25CF: "*", 0x2605: "*",
    0xFFFD: "?",
  ]

  // MARK: Stand-ins for ncurses

  /// The first stand-in. Tangut is wide for every C library, and its script has no living readers.
  private static let firstStandIn: UInt32 = 0x17000

  /// Returns the code point that ncurses gets for an ambiguous one that is wide here; nil for all others.
  static func standIn(for value: UInt32) -> UInt32? {
    isWide ? rank(of: value).map { firstStandIn + UInt32($0) } : nil
  }

  private static func original(of standIn: UInt32) -> UInt32? {
    guard standIn >= firstStandIn else { return nil }
    var rest = standIn - firstStandIn
    for index in stride(from: 0, to: WideTable.ambiguous.count, by: 2) {
      let count = WideTable.ambiguous[index + 1] - WideTable.ambiguous[index] + 1
      if rest < count { return WideTable.ambiguous[index] + rest }
      rest -= count
    }
    return nil
  }

  /// Returns ncurses' output with the originals of all stand-ins.
  static func restored(_ bytes: [UInt8]) -> [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity(bytes.count)
    var index = 0
    while index < bytes.count {
      if bytes[index] == 0xF0, index + 4 <= bytes.count {
        let scalar = String(decoding: bytes[index..<index + 4], as: UTF8.self).unicodeScalars.first
        if let restored = scalar.flatMap({ original(of: $0.value) }).flatMap(Unicode.Scalar.init) {
          result += Array(String(restored).utf8)
          index += 4
          continue
        }
      }
      result.append(bytes[index])
      index += 1
    }
    return result
  }

  // The number of ambiguous code points before this one; nil if it is not one.
  private static func rank(of value: UInt32) -> Int? {
    guard let index = WideTable.index(of: value, in: WideTable.ambiguous) else { return nil }
    return Int(value - WideTable.ambiguous[2 * index]) + ranksOfRanges[index]
  }

  private static let ranksOfRanges: [Int] = {
    var rank = 0
    return stride(from: 0, to: WideTable.ambiguous.count, by: 2).map { index in
      defer { rank += Int(WideTable.ambiguous[index + 1] - WideTable.ambiguous[index]) + 1 }
      return rank
    }
  }()
}

extension TextWidth {
  /// How many columns this terminal uses for a character of ambiguous width (UAX #11): 1 or 2. For the whole process.
  public static var ambiguousColumns: Int {
    get { AmbiguousWidth.isWide ? 2 : 1 }
    set { AmbiguousWidth.isWide = newValue > 1 }
  }

  /// A mark of one column for text that was cut.
  public static var ellipsis: String { AmbiguousWidth.isWide ? "~" : "…" }
}
