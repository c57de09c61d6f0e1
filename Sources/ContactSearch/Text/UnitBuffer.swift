/// How a unit is matched.
enum UnitKind: UInt8 {
  /// A word of letters: as a whole, by its initial, or by a prefix at the end of a term; if it is not all ASCII, also
  /// by its Latin spellings.
  case word = 1
  /// A number: as a whole, or by a prefix at the end of a term.
  case number
  /// A Han character: literally, or by any of its readings or their beginnings.
  case han
  /// A character of a script without spaces, or of Hangul: literally, or by its Latin spellings or their beginnings.
  case cluster
  /// Punctuation or an emoji: literally, or skipped between other units.
  case symbol
  /// In a packed index, the start of another field.
  case marker
  /// In a packed index, a whole field that several contacts may share.
  case phrase
}

/// A text split into units, with the mapping back to the original code points. Reusable.
struct UnitBuffer {
  struct Unit {
    var kind: UnitKind
    /// The range of folded letters in `keys`. The key of a Han character is the character itself.
    var key: Range<Int>
    /// The range of code points in the text, including marks.
    var source: Range<Int>
  }

  /// Code points of the text in normalization form C.
  private(set) var source: [UInt32] = []
  private(set) var units: [Unit] = []
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
  static let longestUnit = 64

  /// Splits a text, replacing the previous one.
  mutating func split(_ text: String) {
    var text = text
    text.withUTF8 { split($0) }
  }

  /// Splits a text, which is valid UTF-8, replacing the previous one.
  mutating func split(_ text: UnsafeBufferPointer<UInt8>) {
    source.removeAll(keepingCapacity: true)
    units.removeAll(keepingCapacity: true)
    keys.removeAll(keepingCapacity: true)
    keySource.removeAll(keepingCapacity: true)
    CanonicalForm.append(text, to: &source)
    var isOpen = false  // whether the last unit may continue
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
      if let kind = units.last?.kind, kind != .word, kind != .number { isOpen = false }
    }
  }

  /// Finds the reading of each Han character in its context.
  mutating func read(_ how: NameReadings) { HanReadings.read(source, how, into: &readings) }

  private mutating func grow(_ kind: UnitKind, at index: Int, isOpen: inout Bool) {
    guard isOpen, let last = units.last, last.kind == kind, last.key.count < UnitBuffer.longestUnit else {
      begin(kind, at: index)
      isOpen = true
      return
    }
    appendKey(at: index)
    units[units.count - 1].key = last.key.lowerBound..<keys.count
    units[units.count - 1].source = last.source.lowerBound..<(index + 1)
  }

  /// Adds the ASCII letters that follow to the word; returns where they end.
  private mutating func appendASCII(from start: Int) -> Int {
    let word = units.count - 1
    let end = min(source.count, start + UnitBuffer.longestUnit - units[word].key.count)
    var index = start
    while index < end, (source[index] | 0x20) &- 0x61 < 26 {
      keys.append(source[index] | 0x20)
      keySource.append(index)
      index += 1
    }
    if index > start {
      units[word].key = units[word].key.lowerBound..<keys.count
      units[word].source = units[word].source.lowerBound..<index
    }
    return index
  }

  private mutating func begin(_ kind: UnitKind, at index: Int) {
    let start = keys.count
    if kind == .han { appendKey(source[index], at: index) } else { appendKey(at: index) }
    guard keys.count > start else { return }
    units.append(Unit(kind: kind, key: start..<keys.count, source: index..<(index + 1)))
  }

  /// Adds a mark to the letter before it; the mark is compared unless it is an accent.
  private mutating func extend(at index: Int) {
    guard let last = units.last, last.source.upperBound == index else { return }
    let letter = source[..<index].last { ScalarKind($0) != .mark } ?? 0
    ScalarFolding.append(mark: source[index], after: letter, to: &keys)
    while keySource.count < keys.count { keySource.append(index) }
    units[units.count - 1].key = last.key.lowerBound..<keys.count
    units[units.count - 1].source = last.source.lowerBound..<(index + 1)
  }

  private mutating func appendKey(at index: Int) {
    let value = source[index]
    if value < 0x80 { return appendKey(value &- 0x41 < 26 ? value | 0x20 : value, at: index) }
    if folds.isEmpty { folds = Array(repeating: (0, 0), count: UnitBuffer.foldSlots) }
    let slot = Int(value) & (UnitBuffer.foldSlots - 1)
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

  /// Returns the range of code points that the first letters of a unit came from, with their marks.
  func sourceRange(of unit: Unit, letters: Int) -> Range<Int> {
    let next = unit.key.lowerBound + letters
    guard unit.kind == .word || unit.kind == .number, next < unit.key.upperBound else { return unit.source }
    var end = keySource[next]
    if end == keySource[next - 1] { end += 1 }
    return unit.source.lowerBound..<max(end, unit.source.lowerBound + 1)
  }
}
