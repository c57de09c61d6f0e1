import Synchronization

/// The sections of a locale, and its order of names: Å, Ä and Ö after Z in Swedish, CH after H in Czech, and in Chinese
/// the number of strokes or the first letter in zhuyin.
///
/// Sections are the index characters of CLDR and A to Z, then `#`. Han characters stay in the sections of their pinyin,
/// unless the order of the locale is one of strokes or zhuyin.
public struct LocaleIndex: Hashable, Sendable {
  /// The locale as a BCP 47 language tag: `sv`, `zh-u-co-stroke`.
  public let locale: String
  private let opened: Opened

  /// Opens the order of a locale; nil if ICU does not have it. The sections are read when they are first needed.
  public init?(_ locale: String) {
    guard let opened = Opened.of(locale) else { return nil }
    self.locale = locale
    self.opened = opened
  }

  var table: Table { opened.table }

  /// The titles of the sections, in their order. Those of strokes are numbers.
  public var titles: [String] { table.titles + [Section.other.title] }

  /// Returns the section of the first letter of a text; nil for `#`.
  public func section(beginning text: String) -> Int? {
    text.unicodeScalars.map(\.value).withUnsafeBufferPointer { table.section(beginning: $0[...]) }
  }

  /// Returns whether both are of the same locale.
  public static func == (first: LocaleIndex, second: LocaleIndex) -> Bool { first.locale == second.locale }

  /// Hashes the locale.
  public func hash(into hasher: inout Hasher) { hasher.combine(locale) }
}

extension LocaleIndex {
  /// A locale that ICU has. Each is opened once.
  private final class Opened: Sendable {
    private static let known = Mutex<[String: Opened]>([:])

    private let locale: String
    private let collator: Collator
    private let made = Mutex<Table?>(nil)

    private init(_ locale: String, _ collator: Collator) {
      self.locale = locale
      self.collator = collator
    }

    static func of(_ locale: String) -> Opened? {
      known.withLock { known in
        if let opened = known[locale] { return opened }
        let opened = Collator(locale).map { Opened(locale, $0) }
        known[locale] = opened
        return opened
      }
    }

    var table: Table {
      made.withLock { made in
        if let made { return made }
        let table = Table(collator, locale)
        made = table
        return table
      }
    }
  }

  /// What ICU knows about a locale.
  final class Table: Sendable {
    let collator: Collator
    /// Without `#`.
    let titles: [String]
    /// Whether Han characters have the order of the collator, and not that of their pinyin.
    let ordersHan: Bool
    /// The primary weights with which the sections begin, ascending.
    private let weights: [[UInt8]]
    /// The scripts of names that are not in `#`.
    private let scripts: Set<Int32>

    fileprivate init(_ collator: Collator, _ locale: String) {
      self.collator = collator
      let labels = collator.labels(of: locale)
      let marks = labels.filter { Self.title(ofMark: $0) != nil }
      let letters = labels.filter { label in
        label.unicodeScalars.first.map { $0.value != Self.mark && ICU.script(of: $0.value) != Self.han } ?? false
      }
      let latin = (0x41...0x5A).map { String(Unicode.Scalar(UInt8($0))) }
      let sorted = (latin + letters + marks).map { label in
        let scalars = label.unicodeScalars.map(\.value)
        return (label, scalars.withUnsafeBufferPointer { collator.primaryWeights(of: $0[...], others: true) })
      }.sorted { $0.1.lexicographicallyPrecedes($1.1) }
      var (titles, weights): ([String], [[UInt8]]) = ([], [])
      // Of letters that differ only in accents the first counts: A and not Á in Hungarian.
      for (label, key) in sorted {
        let weight = Array(key.prefix { $0 != 0x01 })
        if weight == weights.last { continue }
        titles.append(Self.title(ofMark: label) ?? label)
        weights.append(weight)
      }
      self.titles = titles
      self.weights = weights
      ordersHan = !marks.isEmpty
      scripts = Set((latin + letters).compactMap { $0.unicodeScalars.first.map { ICU.script(of: $0.value) } })
        .union(marks.isEmpty ? [] : [Self.han])
    }

    /// The number of `#`.
    var other: UInt8 { UInt8(clamping: titles.count) }

    func section(of text: ReadText) -> UInt8 {
      if let first = text.codes.first, let letter = Syllable(code: first)?.letters.first {
        return [UInt32(letter)].withUnsafeBufferPointer { section(beginning: $0[...]) }.map(UInt8.init(clamping:))
          ?? other
      }
      return section(beginning: text.scalars[...]).map(UInt8.init(clamping:)) ?? other
    }

    /// Returns the section of a text: the last one that does not begin after it; nil if it does not begin with a letter
    /// of one of the scripts.
    func section(beginning text: Slice<UnsafeBufferPointer<UInt32>>) -> Int? {
      guard let first = text.first, scripts.contains(ICU.script(of: first)),
        Unicode.Scalar(first)?.properties.isAlphabetic == true
      else { return nil }
      let weight = collator.primaryWeights(of: text.prefix(Self.compared))
      return weights.lastIndex { !weight.lexicographicallyPrecedes($0) } ?? 0
    }

    /// How many scalars decide: DZS is a letter in Hungarian.
    private static let compared = 4
    private static let han = ICU.script(of: 0x4E00)
    /// In collations of Chinese, each section begins with this and a character.
    private static let mark: UInt32 = 0xFDD0

    /// Returns the number of strokes or the letter of zhuyin that a label stands for; nil for other labels.
    private static func title(ofMark label: String) -> String? {
      let scalars = label.unicodeScalars
      guard scalars.count == 2, scalars.first?.value == mark, let last = scalars.last else { return nil }
      switch last.value {
      case 0x2801...0x28FF: return String(last.value - 0x2800)
      case 0x3105...0x312F: return String(last)
      default: return nil
      }
    }
  }
}
