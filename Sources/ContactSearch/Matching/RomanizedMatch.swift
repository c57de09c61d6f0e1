import Pinyin

/// How a token of another script, spelled in Latin letters, matches a term from one position on.
struct RomanizedMatch {
  /// The positions in the term at which a spelling of the whole token ends.
  private(set) var ends: UInt64 = 0
  /// Whether the term ends inside a spelling of the token.
  private(set) var isPrefix = false
  /// How many letters of the token match the term up to `target`: all if they can, otherwise as few as possible; nil if
  /// none do.
  private(set) var coveredLetters: Int?

  /// - Parameters:
  ///   - start: the position in the term.
  ///   - limit: the furthest position that the token may match.
  ///   - target: the position for ``coveredLetters``.
  init(
    of letters: UnsafeBufferPointer<UInt32>, in term: [TermPattern.Letter], from start: Int, limit: Int,
    target: Int? = nil
  ) {
    let romanization = Romanization.shared
    var now: UInt64 = 1 << UInt64(start)
    // The positions after the next letter, and after the letter that follows it.
    var (next, afterNext): (UInt64, UInt64) = (0, 0)
    for index in letters.indices {
      if now | next == 0 { return }
      if index > 0 { note(now, index, term.count, target) }
      var ended = false
      if now != 0 {
        let following = index + 1 < letters.count ? letters[index + 1] : nil
        var hasSpelling = false
        romanization.forEachSpelling(of: letters[index], before: following) { spelling, count in
          hasSpelling = true
          guard index > 0 || !Self.isDoubled(spelling, letters[0]) else { return }
          let reached = Self.advance(now, by: spelling, in: term, limit: limit, reachesEnd: &ended)
          if count == 1 { next |= reached } else { afterNext |= reached }
        }
        if !hasSpelling { next |= Self.advance(now, byLetter: letters[index], in: term, limit: limit) }
      }
      if index == 0, Self.hasArticle(letters) { afterNext |= 1 << UInt64(start) }
      if ended {
        isPrefix = true
        if target == term.count { coveredLetters = coveredLetters ?? index + 1 }
      }
      (now, next, afterNext) = (next, afterNext, 0)
    }
    ends = now
    if let target, now & 1 << UInt64(target) != 0 { coveredLetters = letters.count }
  }

  /// Returns whether a word begins with the Arabic article, which people leave out, and has three more letters.
  private static func hasArticle(_ letters: UnsafeBufferPointer<UInt32>) -> Bool {
    letters.count > 4 && letters[0] == 0x627 && letters[1] == 0x644
  }

  /// Returns whether a spelling begins with a doubled consonant, for a letter of a script that does not write doubled
  /// ones (Hebrew, Arabic, those of India). No word begins with it.
  private static func isDoubled(_ spelling: UInt64, _ letter: UInt32) -> Bool {
    let first = UInt8(truncatingIfNeeded: spelling)
    return (0x590...0xDFF).contains(letter) && first == UInt8(truncatingIfNeeded: spelling >> 8)
      && !"aeiou".utf8.contains(first)
  }

  /// Records whether the term or the target ends between two letters.
  private mutating func note(_ now: UInt64, _ index: Int, _ end: Int, _ target: Int?) {
    if now & 1 << UInt64(end) != 0 { isPrefix = true }
    if let target, coveredLetters == nil, now & 1 << UInt64(target) != 0 { coveredLetters = index }
  }

  /// Returns the positions after a spelling, from each of a set of positions.
  private static func advance(
    _ from: UInt64, by spelling: UInt64, in term: [TermPattern.Letter], limit: Int, reachesEnd: inout Bool
  ) -> UInt64 {
    if spelling == 0 { return from }
    var reached: UInt64 = 0
    var positions = from
    while positions != 0 {
      var position = positions.trailingZeroBitCount
      positions &= positions &- 1
      // The term ended before this letter.
      if position == term.count { continue }
      var rest = spelling
      while rest != 0, position < limit, term[position].matches(UInt32(truncatingIfNeeded: rest & 0xFF)) {
        position += 1
        rest >>= 8
      }
      if rest == 0 { reached |= 1 << UInt64(position) } else if position == term.count { reachesEnd = true }
    }
    return reached
  }

  /// Returns the positions after a letter that is not romanized.
  private static func advance(
    _ from: UInt64, byLetter value: UInt32, in term: [TermPattern.Letter], limit: Int
  ) -> UInt64 {
    var reached: UInt64 = 0
    var positions = from
    while positions != 0 {
      let position = positions.trailingZeroBitCount
      positions &= positions &- 1
      if position < limit, term[position].matches(value) { reached |= 2 << UInt64(position) }
    }
    return reached
  }
}

extension TermPattern.Letter {
  /// Returns whether a letter of a spelling matches: Latin letters by the mask, any other character by its value.
  fileprivate func matches(_ letter: UInt32) -> Bool {
    letter >= 0x61 && letter <= 0x7A ? mask & 1 << (letter - 0x61) != 0 : matches(other: letter)
  }
}

extension TermPattern {
  /// Calls `body` with each way of matching the Latin spellings of a word or a character of another script from a
  /// position on.
  func forEachRomanizedTransition(
    of letters: UnsafeBufferPointer<UInt32>, kind: TokenKind, from index: Int, _ body: (Transition) -> Void
  ) {
    let limit = limit(from: index, isSyllable: kind == .cluster)
    let match = RomanizedMatch(of: letters, in: self.letters, from: index, limit: limit)
    let end = self.letters.count
    var ends = match.ends & ~(1 << UInt64(index))
    while ends != 0 {
      body(Transition(end: ends.trailingZeroBitCount, cost: 0, isWhole: true))
      ends &= ends &- 1
    }
    // A long vowel need not be spelled.
    if kind == .cluster, index > 0, match.ends & 1 << UInt64(index) != 0 {
      body(Transition(end: index, cost: 1, isWhole: true))
    }
    if allowsPrefix, match.isPrefix, limit == end, match.ends & 1 << UInt64(end) == 0 {
      body(Transition(end: end, cost: 5, isWhole: false))
    }
    guard allowsInitials, index + 1 < end, match.ends & 2 << UInt64(index) == 0, let first = letters.first,
      kind == .word ? letters.count > 1 : Hangul.isSyllable(first)
    else { return }
    let initials = Romanization.shared.initials(of: first)
    let mask = self.letters[index].mask
    let isInitial =
      initials == 0 ? self.letters[index].matches(first) : initials != Romanization.anyInitial && mask & initials != 0
    if isInitial { body(Transition(end: index + 1, cost: 6, isWhole: false)) }
  }

  /// Returns how many letters of a token a part of the term covers.
  func coveredLetters(of letters: [UInt32], part: Range<Int>) -> Int {
    if letters.lazy.map(ScalarFolding.base).starts(with: self.letters[part].map(\.value)) { return part.count }
    let covered = letters.withUnsafeBufferPointer {
      RomanizedMatch(
        of: $0, in: self.letters, from: part.lowerBound, limit: self.letters.count, target: part.upperBound
      )
      .coveredLetters
    }
    // An initial may be a part of a spelling.
    return covered ?? 1
  }
}
