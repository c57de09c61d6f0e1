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
