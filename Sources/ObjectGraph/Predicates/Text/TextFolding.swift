import Foundation

/// How strings are folded before they are compared.
public struct TextOptions: OptionSet, Codable, Hashable, Sendable {
  /// The option bits.
  public let rawValue: UInt8

  /// Creates options from their bits.
  public init(rawValue: UInt8) {
    self.rawValue = rawValue
  }

  /// `[c]`: ignores case, by Unicode's full case folding.
  public static let caseInsensitive = TextOptions(rawValue: 1)
  /// `[d]`: ignores nonspacing marks.
  public static let diacriticInsensitive = TextOptions(rawValue: 2)
}

/// Folds strings for `[c]` and `[d]`.
enum TextFolding {
  /// Folds a string: `[d]` is NFD without nonspacing marks, then NFC; `[c]` is full case folding, after `[d]`.
  static func fold(_ text: String, _ options: TextOptions) -> String {
    if options.isEmpty { return text }
    if text.utf8.allSatisfy({ $0 < 0x80 }) {
      return options.contains(.caseInsensitive) ? text.lowercased() : text
    }
    var folded = text
    if options.contains(.diacriticInsensitive) { folded = withoutMarks(folded) }
    if options.contains(.caseInsensitive) { folded = caseFolded(folded) }
    return folded
  }

  private static func withoutMarks(_ text: String) -> String {
    var out: [Unicode.Scalar] = []
    for scalar in text.decomposedStringWithCanonicalMapping.unicodeScalars
    where scalar.properties.generalCategory != .nonspacingMark {
      // Only nonspacing marks compose across another scalar, and these are gone, so checking the previous one is
      // enough.
      if let last = out.last, let composed = composition(of: last, scalar) {
        out[out.count - 1] = composed
      } else {
        out.append(scalar)
      }
    }
    var view = String.UnicodeScalarView()
    view.append(contentsOf: out)
    return String(view)
  }

  private static func composition(of first: Unicode.Scalar, _ second: Unicode.Scalar) -> Unicode.Scalar? {
    if second.value < 0x9BE { return nil }
    return hangul(first.value, second.value) ?? compositions[UInt64(first.value) << 32 | UInt64(second.value)]
  }

  /// Composes a leading consonant and a vowel, or a syllable of these and a trailing consonant (Unicode Standard,
  /// section 3.12).
  private static func hangul(_ first: UInt32, _ second: UInt32) -> Unicode.Scalar? {
    if (0x1100..<0x1113).contains(first), (0x1161..<0x1176).contains(second) {
      return Unicode.Scalar(0xAC00 + ((first - 0x1100) * 21 + (second - 0x1161)) * 28)
    }
    if (0xAC00..<0xD7A4).contains(first), (first - 0xAC00) % 28 == 0, (0x11A8..<0x11C3).contains(second) {
      return Unicode.Scalar(first + (second - 0x11A7))
    }
    return nil
  }

  private static func caseFolded(_ text: String) -> String {
    var view = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      switch scalar.value {
      case _ where !scalar.properties.changesWhenCaseMapped, 0x131: view.append(scalar)
      case 0x1E9E: view.append(contentsOf: "ss".unicodeScalars)
      // Cherokee folds to capital letters.
      case 0x13A0...0x13FF, 0xAB70...0xABBF: view.append(contentsOf: scalar.properties.uppercaseMapping.unicodeScalars)
      default:
        for capital in scalar.properties.uppercaseMapping.unicodeScalars {
          view.append(contentsOf: capital.properties.lowercaseMapping.unicodeScalars)
        }
      }
    }
    return String(view)
  }

  private static let compositions: [UInt64: Unicode.Scalar] = {
    var compositions: [UInt64: Unicode.Scalar] = [:]
    let table = FoldingTable.compositions
    for index in stride(from: 0, to: table.count, by: 3) {
      compositions[UInt64(table[index]) << 32 | UInt64(table[index + 1])] = Unicode.Scalar(table[index + 2])
    }
    return compositions
  }()
}

/// Compares strings scalar by scalar. UTF-8 bytes sort like the scalars, and no scalar begins inside another; Swift's
/// own comparison treats composed and decomposed forms as equal.
enum TextOrder {
  static func isEqual(_ left: String, _ right: String) -> Bool {
    left.utf8.elementsEqual(right.utf8)
  }

  static func isLess(_ left: String, _ right: String) -> Bool {
    left.utf8.lexicographicallyPrecedes(right.utf8)
  }

  static func begins(_ text: String, with prefix: String) -> Bool {
    text.utf8.starts(with: prefix.utf8)
  }

  static func ends(_ text: String, with suffix: String) -> Bool {
    let (whole, end) = (text.utf8, suffix.utf8)
    return whole.count >= end.count && whole.suffix(end.count).elementsEqual(end)
  }

  static func contains(_ text: String, _ part: String) -> Bool {
    var (whole, sought) = (text, part)
    return whole.withUTF8 { whole in
      sought.withUTF8 { sought in
        guard let first = sought.first else { return true }
        var index = 0
        while index + sought.count <= whole.count {
          if whole[index] == first, whole[index..<(index + sought.count)].elementsEqual(sought) { return true }
          index += 1
        }
        return false
      }
    }
  }

  /// Returns the smallest string after all that begin with the prefix; nil if there is none.
  static func end(ofPrefix prefix: String) -> String? {
    var scalars = Array(prefix.unicodeScalars)
    while let last = scalars.popLast() {
      let next = last.value == 0xD7FF ? 0xE000 : last.value + 1
      if let scalar = Unicode.Scalar(next) {
        var view = String.UnicodeScalarView()
        view.append(contentsOf: scalars + [scalar])
        return String(view)
      }
    }
    return nil
  }
}

/// A string as a key of sets and dictionaries, compared scalar by scalar.
struct ScalarText: Hashable, Sendable {
  let text: String

  init(_ text: String) {
    self.text = text
  }

  static func == (left: ScalarText, right: ScalarText) -> Bool {
    TextOrder.isEqual(left.text, right.text)
  }

  func hash(into hasher: inout Hasher) {
    for byte in text.utf8 { hasher.combine(byte) }
  }
}
