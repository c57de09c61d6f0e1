/// How a token is matched.
enum TokenKind: UInt8 {
  /// A word of letters: as a whole, by its initial, or by a prefix at the end of a term; if it is not all ASCII, also
  /// by its Latin spellings.
  case word = 1
  /// A number: as a whole, or by a prefix at the end of a term.
  case number
  /// A Han character: literally, or by any of its readings or their beginnings.
  case han
  /// A character of a script without spaces, or of Hangul: literally, or by its Latin spellings or their beginnings.
  case cluster
  /// Punctuation or an emoji: literally, or skipped between other tokens.
  case symbol
  /// In a packed index, the start of another field.
  case marker
  /// In a packed index, a whole field that several contacts may share.
  case sharedField
}

/// A text split into tokens, with the mapping back to the original code points. Reusable.
struct Tokenizer {
  struct Token {
    var kind: TokenKind
    /// The range of folded letters in `keys`. The key of a Han character is the character itself.
    var key: Range<Int>
    /// The range of code points in the text, including marks.
    var source: Range<Int>
  }

  /// Code points of the text in normalization form C.
  private(set) var source: [UInt32] = []
  private(set) var tokens: [Token] = []
  private(set) var keys: [UInt32] = []
  /// For each key letter, the index of the code point it came from.
  private(set) var keySource: [Int] = []

  /// For each code point its reading, see ``read(_:)``.
  private(set) var readings: [UInt64] = []

  /// A cache of letters outside ASCII that fold to one letter, indexed by their low bits. It is small, because the
  /// names of a script use few letters.
  private var folds: [(value: UInt32, folded: UInt32)] = []
  private static let foldSlots = 256

  /// The number of letters after which a word or number is split; marks may still follow the last one.
  static let longestToken = 64

  /// Splits a text, replacing the previous one.
  mutating func split(_ text: String) {
    var text = text
    text.withUTF8 { split($0) }
  }

  /// Splits a text, which is valid UTF-8, replacing the previous one.
  mutating func split(_ text: UnsafeBufferPointer<UInt8>) {
    source.removeAll(keepingCapacity: true)
    tokens.removeAll(keepingCapacity: true)
    keys.removeAll(keepingCapacity: true)
    keySource.removeAll(keepingCapacity: true)
    CanonicalForm.append(text, to: &source)
    var isOpen = false  // whether the last token may continue
    var next = 0
    while next < source.count {
      let index = next
      let value = source[index]
      next += 1
      switch ScalarKind(value) {
      case .space: isOpen = false
      case .invisible: continue
      case .mark: extend(at: index)
      case .letter:
        grow(.word, at: index, isOpen: &isOpen)
        if value < 0x80 { next = appendASCII(from: next) }
      case .digit: grow(.number, at: index, isOpen: &isOpen)
      case .han: begin(.han, at: index)
      case .cluster: begin(.cluster, at: index)
      case .symbol: begin(.symbol, at: index)
      }
      if let kind = tokens.last?.kind, kind != .word, kind != .number { isOpen = false }
    }
  }

  /// Finds the reading of each Han character in its context.
  mutating func read(_ how: NameReadings) { HanReadings.read(source, how, into: &readings) }

  private mutating func grow(_ kind: TokenKind, at index: Int, isOpen: inout Bool) {
    guard isOpen, let last = tokens.last, last.kind == kind, last.key.count < Tokenizer.longestToken else {
      begin(kind, at: index)
      isOpen = true
      return
    }
    appendKey(at: index)
    tokens[tokens.count - 1].key = last.key.lowerBound..<keys.count
    tokens[tokens.count - 1].source = last.source.lowerBound..<(index + 1)
  }

  /// Adds the ASCII letters that follow to the word; returns where they end.
  private mutating func appendASCII(from start: Int) -> Int {
    let word = tokens.count - 1
    let end = min(source.count, start + Tokenizer.longestToken - tokens[word].key.count)
    var index = start
    while index < end, (source[index] | 0x20) &- 0x61 < 26 {
      keys.append(source[index] | 0x20)
      keySource.append(index)
      index += 1
    }
    if index > start {
      tokens[word].key = tokens[word].key.lowerBound..<keys.count
      tokens[word].source = tokens[word].source.lowerBound..<index
    }
    return index
  }

  private mutating func begin(_ kind: TokenKind, at index: Int) {
    let start = keys.count
    if kind == .han { appendKey(source[index], at: index) } else { appendKey(at: index) }
    guard keys.count > start else { return }
    tokens.append(Token(kind: kind, key: start..<keys.count, source: index..<(index + 1)))
  }

  /// Adds a mark to the letter before it; the mark is compared unless it is an accent.
  private mutating func extend(at index: Int) {
    guard let last = tokens.last, last.source.upperBound == index else { return }
    let letter = source[..<index].last { ScalarKind($0) != .mark } ?? 0
    ScalarFolding.append(mark: source[index], after: letter, to: &keys)
    while keySource.count < keys.count { keySource.append(index) }
    tokens[tokens.count - 1].key = last.key.lowerBound..<keys.count
    tokens[tokens.count - 1].source = last.source.lowerBound..<(index + 1)
  }

  private mutating func appendKey(at index: Int) {
    let value = source[index]
    if value < 0x80 { return appendKey(value &- 0x41 < 26 ? value | 0x20 : value, at: index) }
    if folds.isEmpty { folds = Array(repeating: (0, 0), count: Tokenizer.foldSlots) }
    let slot = Int(value) & (Tokenizer.foldSlots - 1)
    if folds[slot].value == value { return appendKey(folds[slot].folded, at: index) }
    let count = keys.count
    ScalarFolding.append(indexed: value, to: &keys)
    if keys.count == count + 1 { folds[slot] = (value, keys[count]) }
    while keySource.count < keys.count { keySource.append(index) }
  }

  private mutating func appendKey(_ value: UInt32, at index: Int) {
    keys.append(value)
    keySource.append(index)
  }

  /// Returns the range of code points that the first letters of a token came from, with their marks.
  func sourceRange(of token: Token, letters: Int) -> Range<Int> {
    let next = token.key.lowerBound + letters
    guard token.kind == .word || token.kind == .number, next < token.key.upperBound else { return token.source }
    var end = keySource[next]
    if end == keySource[next - 1] { end += 1 }
    return token.source.lowerBound..<max(end, token.source.lowerBound + 1)
  }
}
