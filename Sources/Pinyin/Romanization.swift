/// Latin spellings of the letters of other scripts, as people write names: `ivanov` for Иванов, `mueller` for Müller.
///
/// They come from a shipped table, which was made from ICU's transliterators and from what people write, so no
/// transliterator is opened. A script without vowels is spelled with any vowel after a consonant.
///
/// Letters are in lower case and without accents (й is и), except those with two spellings, such as ü, and katakana are
/// hiragana, as a search folds them.
public struct Romanization: Sendable {
  /// The spellings of all letters. Read from the table when it is first used.
  public static let shared = Romanization(romanizationTable)

  /// The initials of a letter that may be left out.
  public static let anyInitial = UInt32.max

  private struct Entry {
    var value: UInt32
    /// The second letter of a pair that is spelled together; 0 for a single letter.
    var second: UInt32 = 0
    var spellings: Range<Int>
    var initials: UInt32
  }

  /// Single letters and pairs; the entries that begin with a letter follow each other, a single letter first.
  private var entries: [Entry] = []
  /// Spellings as in ``ASCIILetters/packed``; 0 for a letter that may be left out.
  private var spellings: [UInt64] = []
  /// The index of the first entry of each letter, plus one; 0 for none.
  private var firstEntries: [UInt16]
  /// The entries of whole Hangul syllables: family names.
  private var syllables: [UInt32: Int] = [:]

  private static let lastValue: UInt32 = 0x30FF
  private static let hangul: ClosedRange<UInt32> = 0xAC00...0xD7A3

  /// Reads a table: `letter spelling …;`. After a spelling with `~` a vowel may follow, and a consonant may be doubled.
  init(_ table: StaticString) {
    firstEntries = [UInt16](repeating: 0, count: Int(Self.lastValue) + 1)
    table.withUTF8Buffer { text in
      for line in text.split(separator: UInt8(ascii: ";")) { add(line.split(separator: UInt8(ascii: " "))) }
    }
  }

  private mutating func add(_ words: [Slice<UnsafeBufferPointer<UInt8>>]) {
    let letters = words.first.map { Array(String(decoding: $0, as: UTF8.self).unicodeScalars) } ?? []
    guard let first = letters.first, letters.count <= 2 else { return }
    let start = spellings.count
    for word in words.dropFirst() { add(word) }
    let second = letters.count == 2 ? letters[1].value : 0
    let initials = spellings[start...].reduce(UInt32(0)) { $0 | Self.initial(of: $1) }
    entries.append(Entry(value: first.value, second: second, spellings: start..<spellings.count, initials: initials))
    if first.value > Self.lastValue {
      syllables[first.value] = entries.count - 1
    } else if firstEntries[Int(first.value)] == 0 {
      firstEntries[Int(first.value)] = UInt16(entries.count)
    }
  }

  private mutating func add(_ word: Slice<UnsafeBufferPointer<UInt8>>) {
    let isConsonant = word.last == UInt8(ascii: "~")
    let letters = word.filter { $0 != UInt8(ascii: "~") && $0 != UInt8(ascii: "_") }
    let packed = letters.reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    spellings.append(packed)
    guard isConsonant else { return }
    let doubled = packed | packed << 8
    for consonant in letters.count == 1 ? [packed, doubled] : [packed] {
      if consonant != packed { spellings.append(consonant) }
      let shift = UInt64(letters.count + (consonant == packed ? 0 : 1)) * 8
      for vowel in Self.vowels { spellings.append(consonant | vowel << shift) }
    }
  }

  /// The vowels that a script may leave out: a, e, i, o, u, ee, oo, ou.
  private static let vowels: [UInt64] = [0x61, 0x65, 0x69, 0x6F, 0x75, 0x6565, 0x6F6F, 0x756F]

  private static func initial(of spelling: UInt64) -> UInt32 {
    spelling == 0 ? anyInitial : 1 << (UInt32(truncatingIfNeeded: spelling & 0xFF) &- 0x61)
  }

  // MARK: Spellings

  /// Returns the first letters of a letter's spellings, bit 0 for a; ``anyInitial`` if it may be left out, 0 if it has
  /// none.
  public func initials(of value: UInt32) -> UInt32 {
    if Self.hangul.contains(value) {
      var initials: UInt32 = 0
      forEachSpelling(ofSyllable: value) { initials |= Self.initial(of: $0) }
      return initials
    }
    var initials: UInt32 = 0
    forEachEntry(of: value) { initials |= $0.initials }
    return initials
  }

  /// Calls `body` with each spelling of a letter, or of the letter and the next one together: the spelling as in
  /// ``ASCIILetters/packed``, 0 if the letter may be left out, and how many letters it spells. Not called
  /// for a letter without spellings.
  public func forEachSpelling(
    of value: UInt32, before next: UInt32?, _ body: (_ spelling: UInt64, _ count: Int) -> Void
  ) {
    if Self.hangul.contains(value) { return forEachSpelling(ofSyllable: value) { body($0, 1) } }
    forEachEntry(of: value) { entry in
      guard entry.second == 0 || entry.second == next else { return }
      for index in entry.spellings { body(spellings[index], entry.second == 0 ? 1 : 2) }
    }
  }

  private func forEachEntry(of value: UInt32, _ body: (Entry) -> Void) {
    guard value <= Self.lastValue, firstEntries[Int(value)] > 0 else { return }
    var index = Int(firstEntries[Int(value)]) - 1
    while index < entries.count, entries[index].value == value {
      body(entries[index])
      index += 1
    }
  }

  /// Calls `body` with each spelling of a Hangul syllable: an initial, a vowel and perhaps a final (The Unicode
  /// Standard, 3.12).
  private func forEachSpelling(ofSyllable value: UInt32, _ body: (UInt64) -> Void) {
    let index = value - 0xAC00
    forEachEntry(of: 0x1100 + index / 588) { initial in
      forEachEntry(of: 0x1161 + index % 588 / 28) { vowel in
        for first in spellings[initial.spellings] {
          for second in spellings[vowel.spellings] {
            let open = Self.joined(first, second)
            guard index % 28 > 0 else {
              body(open)
              continue
            }
            forEachEntry(of: 0x11A7 + index % 28) { final in
              for third in spellings[final.spellings] { body(Self.joined(open, third)) }
            }
          }
        }
      }
    }
    if let known = syllables[value] { for spelling in spellings[entries[known].spellings] { body(spelling) } }
  }

  private static func joined(_ first: UInt64, _ second: UInt64) -> UInt64 {
    first | second << UInt64((8 - first.leadingZeroBitCount / 8) * 8)
  }
}
