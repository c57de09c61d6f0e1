import Pinyin

/// The distinct tokens of the indexed texts, numbered. A query is compared with these tokens first; after that, a
/// contact is just a row of numbers to look up.
struct Lexicon {
  private var table = InternTable()
  private var scratch: [UInt8] = []
  private(set) var kinds = FlatArray<UInt8>()

  /// Words of a to z, grouped by first letter.
  private(set) var wordsByInitial: [[UInt32]] = Array(repeating: [], count: 26)
  private(set) var numbers: [UInt32] = []
  /// Words and characters of other scripts, and words with letters such as ü, keyed by first letter.
  private(set) var foreign: [UInt32: [UInt32]] = [:]
  /// Symbols, and whatever is in no other list.
  private(set) var others: [UInt32] = []
  private(set) var sharedFields: [UInt32] = []
  /// Han characters, each with the number of its set of readings and its simplified form.
  private(set) var hans = FlatArray<UInt32>()
  private(set) var hanSets = FlatArray<UInt32>()
  private var hanForms = FlatArray<UInt32>()

  private(set) var readings = ReadingSets()

  /// Creates a lexicon in which the first numbers are the markers of fields.
  init() {
    for field in FieldKind.allCases { _ = add(.marker, [field.rawValue]) }
  }

  var count: Int { kinds.count }

  static func marker(_ field: FieldKind) -> Int { Int(field.rawValue) }

  func kind(_ id: Int) -> TokenKind { TokenKind(rawValue: kinds[id]) ?? .symbol }

  /// Calls `body` with the bytes of an entry: ASCII, or three bytes for each code point if some are not ASCII; for a
  /// Han character, three for the code point and three for the number of its set of readings; for a shared field, its
  /// codes.
  func withContent<Result>(_ id: Int, _ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result {
    let range = table.range(of: id).dropFirst()
    return body(UnsafeBufferPointer(rebasing: table.bytes.view[range]))
  }

  /// Returns the number of a token of a text, and assigns one if the token is new.
  /// - Parameter reading: the letters of a Han character's reading in its context, as in `ASCIILetters`; 0 if unknown.
  mutating func add(_ token: Tokenizer.Token, of buffer: Tokenizer, reading: UInt64) -> Int {
    if token.kind == .han { return addHan(buffer.keys[token.key.lowerBound], reading: reading) }
    scratch.removeAll(keepingCapacity: true)
    let letters = buffer.keys[token.key]
    if letters.allSatisfy({ $0 < 0x80 }) {
      scratch.append(token.kind.rawValue)
      for letter in letters { scratch.append(UInt8(letter)) }
    } else {
      scratch.append(token.kind.rawValue | Lexicon.wide)
      for letter in letters { scratch.append(value: letter) }
    }
    return intern(token.kind)
  }

  /// Adds a whole field, given as codes, and returns its number.
  mutating func addSharedField(_ codes: [UInt16]) -> Int {
    scratch.removeAll(keepingCapacity: true)
    scratch.append(TokenKind.sharedField.rawValue)
    for code in codes {
      scratch.append(UInt8(truncatingIfNeeded: code))
      scratch.append(UInt8(truncatingIfNeeded: code >> 8))
    }
    return intern(.sharedField)
  }

  /// Returns the letters of a word, number, cluster, symbol or Han character.
  func letters(_ id: Int) -> [UInt32] {
    let isNarrow = !isWide(id) && kind(id) != .han
    return withContent(id) { content in
      if isNarrow { return content.map { UInt32($0) } }
      return kind(id) == .han
        ? [content.value(at: 0)] : stride(from: 0, to: content.count, by: 3).map { content.value(at: $0) }
    }
  }

  /// Replaces `letters` with those of a word or a cluster that is not all ASCII.
  func copyLetters(_ id: Int, to letters: inout [UInt32]) {
    letters.removeAll(keepingCapacity: true)
    withContent(id) { content in
      for index in stride(from: 0, to: content.count, by: 3) { letters.append(content.value(at: index)) }
    }
  }

  func readingSet(_ id: Int) -> Int { withContent(id) { Int($0.value(at: 3)) } }

  func character(_ id: Int) -> UInt32 { withContent(id) { $0.value(at: 0) } }

  func hans(ofForm form: UInt32) -> [UInt32] {
    let hans = hans.view
    return hanForms.view.indices.filter { hanForms.view[$0] == form }.map { hans[$0] }
  }

  /// Calls `body` with the codes of a shared field, its marker first.
  func withCodes<Result>(ofSharedField id: Int, _ body: (UnsafeBufferPointer<UInt16>) -> Result) -> Result {
    withContent(id) { content in
      withUnsafeTemporaryAllocation(of: UInt16.self, capacity: content.count / 2) { codes in
        for index in codes.indices {
          codes.initializeElement(at: index, to: UInt16(content[2 * index]) | UInt16(content[2 * index + 1]) << 8)
        }
        return body(UnsafeBufferPointer(codes))
      }
    }
  }

  /// Returns whether each letter of an entry is stored in three bytes; false for a Han character.
  func isWide(_ id: Int) -> Bool { (table.bytes.view[table.range(of: id)].first ?? 0) & Lexicon.wide != 0 }

  /// The flag in the first byte of an entry, other than a Han character, whose letters are not all ASCII.
  private static let wide: UInt8 = 0x80

  private mutating func addHan(_ value: UInt32, reading: UInt64) -> Int {
    let set = readings.set(of: value, primary: reading == 0 ? nil : readings.syllable(reading))
    scratch.removeAll(keepingCapacity: true)
    scratch.append(TokenKind.han.rawValue)
    scratch.append(value: value)
    scratch.append(value: UInt32(set))
    let (id, isNew) = table.intern(scratch)
    if isNew {
      kinds.append(TokenKind.han.rawValue)
      hans.append(UInt32(id))
      hanSets.append(UInt32(set))
      hanForms.append(HanVariants.form(of: value))
    }
    return id
  }

  private mutating func add(_ kind: TokenKind, _ content: [UInt8]) -> Int {
    scratch = [kind.rawValue] + content
    return intern(kind)
  }

  private mutating func intern(_ kind: TokenKind) -> Int {
    let (id, isNew) = table.intern(scratch)
    guard isNew else { return id }
    kinds.append(kind.rawValue)
    scratch.withUnsafeBufferPointer { list(id, kind, $0[0], UnsafeBufferPointer(rebasing: $0.dropFirst())) }
    return id
  }

  /// Adds an entry to the list in which queries look for it, by its kind, its first byte and its first letter.
  private mutating func list(_ id: Int, _ kind: TokenKind, _ mark: UInt8, _ content: UnsafeBufferPointer<UInt8>) {
    let first = content.first ?? 0
    switch kind {
    case .word where mark & Lexicon.wide != 0, .cluster where mark & Lexicon.wide != 0:
      foreign[content.value(at: 0), default: []].append(UInt32(id))
    case .word where mark & Lexicon.wide == 0 && first >= 0x61 && first <= 0x7A:
      wordsByInitial[Int(first - 0x61)].append(UInt32(id))
    case .number where mark & Lexicon.wide == 0: numbers.append(UInt32(id))
    case .sharedField: sharedFields.append(UInt32(id))
    case .marker, .han: break
    default: others.append(UInt32(id))
    }
  }

  mutating func shrink() {
    table.shrink()
    kinds.shrink()
  }

  /// The number of bytes, including spare capacity, without the small sets of readings.
  var footprint: Int {
    table.footprint + kinds.footprint + (numbers.capacity + others.capacity + sharedFields.capacity) * 4
      + wordsByInitial.reduce(0) { $0 + $1.capacity * 4 } + foreign.reduce(0) { $0 + 40 + $1.value.capacity * 4 }
      + hans.footprint * 3
  }
}

extension Lexicon {
  /// The stored parts of a lexicon, without its readings; everything else is derived.
  var parts: [UnsafeRawBufferPointer] {
    [
      UnsafeRawBufferPointer(table.bytes.view), UnsafeRawBufferPointer(table.starts.view),
      UnsafeRawBufferPointer(table.slots.view), UnsafeRawBufferPointer(kinds.view), UnsafeRawBufferPointer(hans.view),
      UnsafeRawBufferPointer(hanSets.view), UnsafeRawBufferPointer(hanForms.view),
    ]
  }

  static let partCount = 7 + ReadingSets.partCount

  /// Creates a lexicon from ``parts`` and its stored readings; nil if they are damaged: every index in them is checked.
  init?(parts: ArraySlice<IndexMemory>) {
    let parts = Array(parts)
    guard parts.count == Lexicon.partCount,
      let bytes = FlatArray<UInt8>(parts[0]), let starts = FlatArray<UInt32>(parts[1]),
      let slots = FlatArray<UInt32>(parts[2]), let kinds = FlatArray<UInt8>(parts[3]),
      let hans = FlatArray<UInt32>(parts[4]), let hanSets = FlatArray<UInt32>(parts[5]),
      let hanForms = FlatArray<UInt32>(parts[6]), let spellings = FlatArray<UInt8>(parts[7]),
      let sets = FlatArray<UInt16>(parts[8]),
      let readings = ReadingSets(spellings: spellings.view, sets: sets.view),
      let table = InternTable(stored: bytes, starts: starts, slots: slots),
      kinds.count == table.count, hans.count == hanSets.count, hans.count == hanForms.count,
      kinds.count >= FieldKind.allCases.count,
      hans.view.allSatisfy({ $0 < kinds.count }), hanSets.view.allSatisfy({ $0 < readings.sets.count })
    else { return nil }
    self.table = table
    self.kinds = kinds
    self.hans = hans
    self.hanSets = hanSets
    self.hanForms = hanForms
    self.readings = readings
    for id in 0..<count where !load(id) { return nil }
    // Only entries of Han characters contain a set of readings.
    for (id, set) in zip(hans.view, hanSets.view) {
      guard kinds.view[Int(id)] == TokenKind.han.rawValue, readingSet(Int(id)) == Int(set) else { return nil }
    }
  }

  /// Checks a stored entry and lists it.
  private mutating func load(_ id: Int) -> Bool {
    let range = table.range(of: id)
    let bytes = table.bytes.view
    let mark = bytes[range.lowerBound]
    let length = range.count - 1
    guard let kind = TokenKind(rawValue: kinds.view[id]), mark & ~Lexicon.wide == kind.rawValue,
      (kind == .marker) == (id < FieldKind.allCases.count), mark & Lexicon.wide == 0 || length.isMultiple(of: 3)
    else { return false }
    switch kind {
    case .han:
      guard mark & Lexicon.wide == 0, length == 6, readingSet(id) < readings.sets.count else { return false }
    case .sharedField:
      // The first code is a marker, and the others refer to earlier entries.
      guard length >= 2, length.isMultiple(of: 2), mark & Lexicon.wide == 0 else { return false }
      let isValid = withCodes(ofSharedField: id) {
        TokenCode.areValid($0, below: id) && $0.first.map { $0 < FieldKind.allCases.count } == true
      }
      guard isValid else { return false }
    default: break
    }
    list(id, kind, mark, UnsafeBufferPointer(rebasing: bytes[range.dropFirst()]))
    return true
  }
}

extension [UInt8] {
  /// Appends a number below 2²⁴ in three bytes, low first.
  mutating func append(value: UInt32) {
    append(UInt8(truncatingIfNeeded: value))
    append(UInt8(truncatingIfNeeded: value >> 8))
    append(UInt8(truncatingIfNeeded: value >> 16))
  }
}

extension UnsafeBufferPointer<UInt8> {
  /// Returns the number that `append(value:)` wrote at this offset; 0 past the end.
  func value(at start: Int) -> UInt32 {
    guard start + 2 < count else { return 0 }
    return UInt32(self[start]) | UInt32(self[start + 1]) << 8 | UInt32(self[start + 2]) << 16
  }
}
