import CPinyinTable

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
