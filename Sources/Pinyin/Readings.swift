import CPinyinTable
import Synchronization

/// Mandarin readings of Han characters, from the shipped table.
public enum Readings {
  /// Returns the usual reading of a character; nil if it is not Han or has no reading.
  ///
  /// Covers traditional and simplified characters, all ideograph extensions and compatibility ideographs, as far as
  /// Unihan does.
  public static func primary(_ scalar: Unicode.Scalar) -> Syllable? {
    let entry = ReadingTable.entry(scalar.value)
    if entry.isEmpty { return MissingReadings.shared.reading(of: scalar) }
    return Syllable(code: entry.primaryCode)
  }

  /// Returns all readings of a character: the usual one is at the beginning, and those that it has only in surnames and
  /// words are at the end.
  ///
  /// Two readings may have the same letters and different tones (好 hǎo, hào).
  public static func all(_ scalar: Unicode.Scalar) -> SyllableList {
    let entry = ReadingTable.entry(scalar.value)
    if entry.isEmpty, let missing = MissingReadings.shared.reading(of: scalar) { return SyllableList(single: missing) }
    return SyllableList(entry: entry)
  }

  /// Returns the reading of each Unicode scalar of a name; nil for a scalar without one.
  ///
  /// A person's name begins with a surname, compound before single (单田芳 shàn, 长孙无忌 zhǎngsūn), unless a longer word
  /// begins there (单位 dānwèi). Elsewhere, words are read as such (重庆 chóngqìng), and other characters by their usual
  /// reading.
  public static func name(_ text: String, isPerson: Bool) -> [Syllable?] {
    name(text, role: isPerson ? .person : .other)
  }

  /// Writes the letters of ``name(_:isPerson:)`` without tones, for indexing many names.
  /// - Parameters:
  ///   - scalars: the name as Unicode scalars.
  ///   - isPerson: whether it is the name of a person.
  ///   - letters: gets for each scalar the letters as in ``ASCIILetters/packed``, 0 for one without a reading. Its
  ///     memory is reused.
  public static func letters(of scalars: [UInt32], isPerson: Bool, into letters: inout [UInt64]) {
    letters.removeAll(keepingCapacity: true)
    withUnsafeTemporaryAllocation(of: UInt16.self, capacity: scalars.count) { codes in
      codes.initialize(repeating: 0)
      scalars.withUnsafeBufferPointer { NameReader.read($0, role: isPerson ? .person : .other, into: codes) }
      for code in codes { letters.append(code == 0 ? 0 : ReadingTable.letters(code >> 3)) }
    }
  }

  /// Returns how many Unicode scalars of a Han name are the family name: those of a known compound family name (欧阳, 长孙)
  /// if a given name follows it, else 1. 0 for a text that does not begin with a Han character.
  public static func familyNameLength(of name: String) -> Int {
    let scalars = name.unicodeScalars.map(\.value)
    guard let first = scalars.first, ScalarClass.isHan(first) else { return 0 }
    let longest = min(ReadingTable.longestPhraseLength, scalars.count - 1)
    guard longest >= 2, ReadingTable.entry(first).beginsPhrase else { return 1 }
    return scalars.withUnsafeBufferPointer {
      ReadingTable.longestPhrase(.surname, in: $0, at: 0, lengths: 2...longest)?.length ?? 1
    }
  }

  /// Returns whether a character is in the blocks of unified and compatibility ideographs.
  public static func isHan(_ scalar: Unicode.Scalar) -> Bool { ScalarClass.isHan(scalar.value) }

  static func name(_ text: String, role: NameReader.Role) -> [Syllable?] {
    let scalars = text.unicodeScalars.map(\.value)
    var codes = [UInt16](repeating: 0, count: scalars.count)
    scalars.withUnsafeBufferPointer { scalars in
      codes.withUnsafeMutableBufferPointer { NameReader.read(scalars, role: role, into: $0) }
    }
    return codes.map { Syllable(code: $0) }
  }
}

/// The readings of one character, the usual one first. It never allocates.
public struct SyllableList: RandomAccessCollection, Sendable {
  private let entry: ReadingTable.Entry?
  private let single: Syllable?

  init(entry: ReadingTable.Entry) {
    self.entry = entry
    single = nil
  }

  init(single: Syllable) {
    entry = nil
    self.single = single
  }

  /// Always 0.
  public var startIndex: Int { 0 }
  /// The number of readings; 0 for a character without any.
  public var endIndex: Int { entry?.count ?? 1 }

  /// Returns the reading at `index`, which must be below `endIndex`.
  public subscript(index: Int) -> Syllable {
    guard let syllable = single ?? entry.flatMap({ Syllable(code: $0.code(at: index)) }) else {
      preconditionFailure("an entry holds no empty reading")
    }
    return syllable
  }
}

/// Readings of Han characters that the shipped table lacks, but that a newer ICU may have.
///
/// The transliterator takes 80 ms to open, so it is opened for the first such character, and only if the ICU at run
/// time is newer than the one that the table was made from: the same version would know nothing more. Its results are
/// cached.
final class MissingReadings: Sendable {
  /// A function that returns the pinyin of one character with tone marks, or nil. It is never called by two threads at
  /// once.
  typealias Source = @Sendable (Unicode.Scalar) -> String?

  static let shared = MissingReadings(open: {
    ICU.isNewer(than: ReadingTable.icuVersion) ? ICU.openTransliterator("Han-Latin") : nil
  })

  private struct State {
    var source: Source?
    var isOpen = false
    var known: [Unicode.Scalar: Syllable?] = [:]
  }

  private let open: @Sendable () -> Source?
  private let state = Mutex(State())

  init(open: @escaping @Sendable () -> Source?) { self.open = open }

  /// Returns the reading of an ideograph that the table lacks; nil if ICU has none. For anything but an ideograph, the
  /// transliterator is not opened.
  func reading(of scalar: Unicode.Scalar) -> Syllable? {
    guard ScalarClass.isHan(scalar.value) else { return nil }
    return state.withLock { state in
      if let known = state.known[scalar] { return known }
      if !state.isOpen {
        state.isOpen = true
        state.source = open()
      }
      guard let source = state.source else { return nil }
      let reading = source(scalar).flatMap { PinyinText.syllables(in: $0)?.first }
      // Bounded, because the blocks of ideographs have more than 100,000 code points that the table lacks.
      if state.known.count < 4096 { state.known[scalar] = .some(reading) }
      return reading
    }
  }
}

/// Access to the shipped table. The only file that imports `CPinyinTable`.
enum ReadingTable {
  struct Entry {
    fileprivate let bits: UInt16

    var isEmpty: Bool { bits == 0 }
    var beginsPhrase: Bool { bits & UInt16(PINYIN_BEGINS_PHRASE) != 0 }

    private var value: UInt16 { bits & UInt16(PINYIN_VALUE) }
    private var isHeteronym: Bool { bits & UInt16(PINYIN_HETERONYM) != 0 }

    /// The code of the first reading; 0 if there is none.
    var primaryCode: UInt16 { isHeteronym ? pinyin_heteronym_set(UInt32(value))[1] : value }

    var count: Int {
      if isHeteronym { return Int(pinyin_heteronym_set(UInt32(value))[0]) }
      return value == 0 ? 0 : 1
    }

    func code(at index: Int) -> UInt16 {
      isHeteronym ? pinyin_heteronym_set(UInt32(value))[1 + index] : value
    }
  }

  enum PhraseKind: UInt8 {
    case surname = 1
    case word = 2
  }

  /// An exception that begins at some position of a text.
  struct Phrase {
    let length: Int
    /// Codes of the first `PINYIN_PHRASE_MAXIMUM` characters; 0 for a character with its usual reading.
    let codes: (UInt16, UInt16, UInt16, UInt16)

    func code(at index: Int) -> UInt16 {
      switch index {
      case 0: codes.0
      case 1: codes.1
      case 2: codes.2
      default: codes.3
      }
    }
  }

  static func entry(_ scalar: UInt32) -> Entry { Entry(bits: pinyin_entry(scalar)) }

  /// Returns the longest exception of a kind that `text` has at `start`, with a length in the given range of
  /// characters; nil if there is none.
  static func longestPhrase(
    _ kind: PhraseKind, in text: UnsafeBufferPointer<UInt32>, at start: Int, lengths: ClosedRange<Int>
  ) -> Phrase? {
    var number = pinyin_phrase_search(text[start])
    var longest: Phrase?
    while number < pinyin_phrases_count {
      let phrase = pinyin_phrase_at(number).pointee
      if phrase.scalars.0 != text[start] { break }
      number += 1
      let length = Int(phrase.length)
      guard phrase.kind == kind.rawValue, lengths.contains(length), start + length <= text.count else { continue }
      if let longest, longest.length >= length { continue }
      if length > 1, phrase.scalars.1 != text[start + 1] { continue }
      if length > 2, phrase.scalars.2 != text[start + 2] { continue }
      if length > 3, phrase.scalars.3 != text[start + 3] { continue }
      longest = Phrase(length: length, codes: phrase.codes)
    }
    return longest
  }

  /// The maximum length of a phrase, in characters.
  static let longestPhraseLength = Int(PINYIN_PHRASE_MAXIMUM)

  /// Returns the letters of a syllable's number: ASCII, the first in the lowest byte.
  static func letters(_ number: UInt16) -> UInt64 {
    let bytes = UnsafeRawPointer(pinyin_letters_at(UInt32(number)))
    return UInt64(littleEndian: bytes.loadUnaligned(as: UInt64.self))
  }

  /// Returns the number of a syllable by its letters; nil if the table has no such syllable.
  static func number(ofLetters letters: UInt64) -> UInt16? {
    // Zero-padded letters compare correctly as big-endian numbers.
    let target = letters.byteSwapped
    var low: UInt16 = 1
    var high = UInt16(pinyin_letters_count)
    while low < high {
      let middle = low + (high - low) / 2
      if Self.letters(middle).byteSwapped < target { low = middle + 1 } else { high = middle }
    }
    return low < pinyin_letters_count && Self.letters(low) == letters ? low : nil
  }

  /// Returns up to four folded ASCII characters, the first in the lowest byte; 0 if the scalar has no folding.
  static func folding(_ scalar: UInt32) -> UInt32 { pinyin_folding_of(scalar) }

  /// Changes whenever the contents of the table change.
  static var contentsDigest: UInt64 { pinyin_contents_digest }
  /// FNV-1a of the script and the overrides that generated the table.
  static var inputsDigest: UInt64 { pinyin_inputs_digest }
  /// The version of ICU that the table's readings come from.
  static var icuVersion: (major: Int, minor: Int) { (Int(pinyin_icu_major), Int(pinyin_icu_minor)) }
}
