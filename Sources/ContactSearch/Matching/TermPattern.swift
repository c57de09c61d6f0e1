import Pinyin

/// One token's share of a term: it matches the letters of the term from some position to `end`.
struct Transition: Hashable {
  private let endByte: UInt8
  private let costByte: UInt8
  /// Whether the token is matched as a whole, and not by a commonly confused sound.
  let isWhole: Bool

  init(end: Int, cost: Int, isWhole: Bool) {
    endByte = UInt8(truncatingIfNeeded: end)
    costByte = UInt8(truncatingIfNeeded: cost)
    self.isWhole = isWhole
  }

  /// The position in the term after the last matched letter, at most 63.
  var end: Int { Int(endByte) }
  /// The amount by which the transition would lower the value of the match if it covered the whole term, in points.
  var cost: Int { Int(costByte) }
}

/// A text term prepared for comparison: its folded letters, and the allowed ways of matching a token.
///
/// A term matches consecutive tokens: each token matches the next letters of the term, with its whole spelling, with
/// its initial, or as the character itself. Only the last token may match with a prefix.
struct TermPattern: Hashable, Sendable {
  struct Letter: Hashable, Sendable {
    /// The folded code point.
    var value: UInt32
    /// The simplified form of a Han character; otherwise the same as `value`.
    var form: UInt32
    /// The letters a to z that it matches, bit 0 for a. More than one only for a digit with the option `t9`.
    var mask: UInt32

    /// Returns whether a character other than a to z matches.
    @inline(__always)
    func matches(other character: UInt32) -> Bool {
      value == character || value == TermPattern.anyLetter && ScalarKind(character) == .letter
    }
  }

  /// The compared part of a term: at most ``longest`` letters.
  private(set) var letters: [Letter] = []
  /// The positions of spaces in a quoted phrase: a token must end there.
  private(set) var breaks: UInt64 = 0
  /// The positions of apostrophes between two syllables, as in `xi'an`: the reading of a character must end there.
  /// Words may be written with or without apostrophes.
  private(set) var syllableEnds: UInt64 = 0
  /// Whether a token may match with its initial only.
  var allowsInitials = true
  /// Whether the last token may match with a prefix.
  var allowsPrefix = true
  let isFuzzy: Bool

  /// Whether some letter may match a Latin one.
  private(set) var hasLatin = false
  /// Whether some letter is zhuyin.
  private(set) var hasZhuyin = false

  /// A set of positions in a term has to fit in 64 bits.
  static let longest = 63

  /// A value for a letter of a term that matches any letter; not a code point itself.
  static let anyLetter: UInt32 = 0x11_0001

  /// A value for an apostrophe among the code points of a term; not a code point itself.
  static let syllableEnd: UInt32 = 0x11_0000

  /// Creates a term from its folded code points; a space is a break.
  init(_ values: some Sequence<UInt32>, options: SearchOptions) {
    isFuzzy = options.fuzzy
    for value in values {
      if letters.count == TermPattern.longest { break }
      if value == 0x20 {
        breaks |= 1 << UInt64(letters.count)
        continue
      }
      if value == TermPattern.syllableEnd {
        syllableEnds |= 1 << UInt64(letters.count)
        continue
      }
      let form = ScalarKind(value) == .han ? HanVariants.form(of: value) : value
      letters.append(Letter(value: value, form: form, mask: TermPattern.mask(of: value, t9: options.t9)))
      if letters[letters.count - 1].mask != 0 { hasLatin = true }
      if Zhuyin.isLetter(value) { hasZhuyin = true }
    }
  }

  /// Changes the letters, and drops the marks of syllables, whose positions no longer fit.
  mutating func correct(_ change: (inout [Letter]) -> Void) {
    change(&letters)
    syllableEnds = 0
  }

  private static func mask(of value: UInt32, t9: Bool) -> UInt32 {
    switch value {
    case 0x61...0x7A: return 1 << (value - 0x61)
    case 0x32...0x39 where t9:
      let keys: [UInt32] = [
        0b111, 0b111 << 3, 0b111 << 6, 0b111 << 9, 0b111 << 12, 0b1111 << 15, 0b111 << 19, 0b1111 << 22,
      ]
      return keys[Int(value - 0x32)]
    default: return 0
    }
  }

  /// Returns how many letters of a spelling agree with the term from a position on.
  private func agreement<Spelling: RandomAccessCollection>(_ spelling: Spelling, from index: Int) -> Int
  where Spelling.Element: FixedWidthInteger, Spelling.Index == Int {
    var count = 0
    while count < spelling.count, index + count < letters.count {
      let letter = letters[index + count]
      let value = UInt32(truncatingIfNeeded: spelling[spelling.startIndex + count])
      let isLetter = value >= 0x61 && value <= 0x7A
      guard isLetter ? letter.mask & 1 << (value - 0x61) != 0 : letter.matches(other: value) else { break }
      count += 1
    }
    return count
  }

  /// Returns the furthest position up to which one token may match.
  func limit(from index: Int, isSyllable: Bool = false) -> Int {
    let ends = isSyllable ? breaks | syllableEnds : breaks
    let ahead = ends & ~(UInt64(2) << UInt64(index) - 1)
    return ahead == 0 ? letters.count : min(letters.count, ahead.trailingZeroBitCount)
  }

  /// Calls `body` with each way of matching a word, a number, a cluster or a symbol from a position on.
  @inline(__always)
  func forEachTransition<Spelling: RandomAccessCollection>(
    of spelling: Spelling, kind: TokenKind, from index: Int, _ body: (Transition) -> Void
  ) where Spelling.Element: FixedWidthInteger, Spelling.Index == Int {
    if kind == .symbol, index > 0 { body(Transition(end: index, cost: 1, isWhole: true)) }
    let agreed = agreement(spelling, from: index)
    if agreed == 0 { return }
    let limit = limit(from: index)
    if agreed == spelling.count, index + agreed <= limit {
      body(Transition(end: index + agreed, cost: 0, isWhole: true))
    } else if allowsPrefix, index + agreed == letters.count, limit == letters.count {
      body(Transition(end: letters.count, cost: 5, isWhole: false))
    }
    if allowsInitials, kind == .word, spelling.count > 1, index + 1 < letters.count {
      body(Transition(end: index + 1, cost: 6, isWhole: false))
    }
  }

  /// Calls `body` if a position of the term has only the consonant with which a syllable of Hangul begins.
  func forEachTransition(ofHangul syllable: UInt32, from index: Int, _ body: (Transition) -> Void) {
    if letters[index].value == Hangul.initial(of: syllable) {
      body(Transition(end: index + 1, cost: 5, isWhole: false))
    }
  }

  /// Calls `body` with each way of matching a syllable from a position on.
  func forEachTransition(of forms: [SpellingForms.Form], isPrimary: Bool, from index: Int, _ body: (Transition) -> Void)
  {
    let limit = limit(from: index, isSyllable: true)
    for form in forms {
      let agreed = agreement(form.letters, from: index)
      if agreed == 0 { continue }
      let loose = (isPrimary ? 0 : 1) + (form.isFuzzy ? 1 : 0)
      if agreed == form.letters.count, index + agreed <= limit {
        let cost = (isPrimary ? 0 : 4) + (form.isFuzzy ? 3 : 0)
        body(Transition(end: index + agreed, cost: cost, isWhole: !form.isFuzzy))
      }
      if allowsPrefix, index + agreed == letters.count, limit == letters.count, agreed < form.letters.count {
        body(Transition(end: letters.count, cost: 5 + loose, isWhole: false))
      }
      guard allowsInitials, index + 1 < letters.count else { continue }
      if form.letters.count > 1 { body(Transition(end: index + 1, cost: 6 + loose, isWhole: false)) }
      if agreed > 1, form.letters.count > 2, index + 2 < letters.count, SpellingForms.hasLongInitial(form.letters) {
        body(Transition(end: index + 2, cost: 6 + loose, isWhole: false))
      }
    }
  }

  /// Returns how a Han character matches literally, in either form, from a position on; nil if it does not.
  func literalTransition(of value: UInt32, form: UInt32, from index: Int) -> Transition? {
    guard letters[index].form == form else { return nil }
    return Transition(end: index + 1, cost: letters[index].value == value ? 0 : 1, isWhole: true)
  }
}

extension SpellingForms {
  /// Returns whether the initial is zh, ch or sh.
  static func hasLongInitial(_ letters: [some FixedWidthInteger]) -> Bool {
    guard letters.count > 1, letters[1] == 0x68 else { return false }
    return letters[0] == 0x7A || letters[0] == 0x63 || letters[0] == 0x73
  }
}
