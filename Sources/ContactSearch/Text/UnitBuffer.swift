/// How a unit is compared.
enum UnitKind: UInt8 {
  /// A word of letters: whole, its initial, or a prefix at the end of a term.
  case word = 1
  /// A number: whole, or a prefix at the end of a term.
  case number
  /// A Han character: itself or any of its readings.
  case han
  /// A character of a script without spaces: itself.
  case cluster
  /// Punctuation or an emoji: itself, or left out between other units.
  case symbol
  /// In a packed index, the start of another field.
  case marker
  /// In a packed index, a whole field that several contacts share.
  case phrase
}

/// A text split into units, with the way back to the original code points. Reused from text to text.
struct UnitBuffer {
  /// One unit of the text.
  struct Unit {
    var kind: UnitKind
    /// Folded letters, in `keys`. A Han character's key is the character as it is written.
    var key: Range<Int>
    /// Code points of the text that belong to the unit, marks included.
    var source: Range<Int>
  }

  /// Code points of the text in normalization form C.
  private(set) var source: [UInt32] = []
  private(set) var units: [Unit] = []
  private(set) var keys: [UInt32] = []
  /// For each key letter the code point it came from.
  private(set) var keySource: [Int] = []

  /// A word longer than this goes on in a next unit.
  static let longestUnit = 64

  /// Splits a text, forgetting the last one.
  mutating func split(_ text: String) {
    source.removeAll(keepingCapacity: true)
    units.removeAll(keepingCapacity: true)
    keys.removeAll(keepingCapacity: true)
    keySource.removeAll(keepingCapacity: true)
    CanonicalForm.append(text, to: &source)
    var isOpen = false  // whether the last unit may go on
    for index in source.indices {
      let value = source[index]
      switch ScalarKind(value) {
      case .space: isOpen = false
      case .invisible: continue
      case .mark: extend(at: index)
      case .letter: grow(.word, at: index, isOpen: &isOpen)
      case .digit: grow(.number, at: index, isOpen: &isOpen)
      case .han: begin(.han, at: index)
      case .cluster: begin(.cluster, at: index)
      case .symbol: begin(.symbol, at: index)
      }
      if let kind = units.last?.kind, kind != .word, kind != .number { isOpen = false }
    }
  }

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

  private mutating func begin(_ kind: UnitKind, at index: Int) {
    let start = keys.count
    if kind == .han { appendKey(source[index], at: index) } else { appendKey(at: index) }
    guard keys.count > start else { return }
    units.append(Unit(kind: kind, key: start..<keys.count, source: index..<(index + 1)))
  }

  /// A mark goes with the letter before it; it is compared where it is not an accent.
  private mutating func extend(at index: Int) {
    guard let last = units.last, last.source.upperBound == index else { return }
    let letter = source[..<index].last { ScalarKind($0) != .mark } ?? 0
    ScalarFolding.append(mark: source[index], after: letter, to: &keys)
    while keySource.count < keys.count { keySource.append(index) }
    units[units.count - 1].key = last.key.lowerBound..<keys.count
    units[units.count - 1].source = last.source.lowerBound..<(index + 1)
  }

  private mutating func appendKey(at index: Int) {
    ScalarFolding.append(source[index], to: &keys)
    while keySource.count < keys.count { keySource.append(index) }
  }

  private mutating func appendKey(_ value: UInt32, at index: Int) {
    keys.append(value)
    keySource.append(index)
  }

  /// The code points that the first letters of a unit came from, with their marks.
  func sourceRange(of unit: Unit, letters: Int) -> Range<Int> {
    let next = unit.key.lowerBound + letters
    guard unit.kind == .word || unit.kind == .number, next < unit.key.upperBound else { return unit.source }
    var end = keySource[next]
    if end == keySource[next - 1] { end += 1 }
    return unit.source.lowerBound..<max(end, unit.source.lowerBound + 1)
  }
}
