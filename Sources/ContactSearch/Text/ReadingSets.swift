/// The distinct sets of readings of Han characters: a few hundred syllables, and lists of them, the primary one first.
struct ReadingSets {
  /// The spelling of each syllable, toneless; ü is `v`.
  private(set) var syllables: [[UInt8]] = []
  /// Numbers of syllables, the primary reading first.
  private(set) var sets: [[Int]] = []
  /// Lookup tables for syllables and sets; created on first use.
  private var numbers: Numbers?

  private struct Numbers {
    var ofSyllable: [UInt64: Int] = [:]
    var ofSet: [[Int]: Int] = [:]
  }

  /// Returns the number of a syllable, whose letters are packed from the lowest byte.
  mutating func syllable(_ letters: UInt64) -> Int {
    number()
    if let known = numbers?.ofSyllable[letters] { return known }
    syllables.append((0..<8).map { UInt8(truncatingIfNeeded: letters >> ($0 * 8)) }.filter { $0 != 0 })
    numbers?.ofSyllable[letters] = syllables.count - 1
    return syllables.count - 1
  }

  /// Returns the number of a character's set of readings, with the reading that it has in its context first.
  mutating func set(of value: UInt32, primary: Int?) -> Int {
    var list: [Int] = []
    if let primary { list.append(primary) }
    HanReadings.forEach(value) { letters in
      let number = syllable(letters)
      if !list.contains(number) { list.append(number) }
    }
    number()
    if let known = numbers?.ofSet[list] { return known }
    sets.append(list)
    numbers?.ofSet[list] = sets.count - 1
    return sets.count - 1
  }

  private mutating func number() {
    guard numbers == nil else { return }
    var made = Numbers()
    for (number, letters) in syllables.enumerated() {
      made.ofSyllable[letters.reversed().reduce(0) { $0 << 8 | UInt64($1) }] = number
    }
    for (number, set) in sets.enumerated() { made.ofSet[set] = number }
    numbers = made
  }
}

extension ReadingSets {
  static let partCount = 2

  /// Returns the stored form: spellings, each followed by a zero; numbers of syllables plus one, with a zero after each
  /// set.
  func stored() -> (spellings: [UInt8], sets: [UInt16]) {
    (syllables.flatMap { $0 + [0] }, sets.flatMap { $0.map { UInt16($0 + 1) } + [0] })
  }

  /// Creates the sets from ``stored()``; nil if they are damaged.
  init?(spellings: UnsafeBufferPointer<UInt8>, sets stored: UnsafeBufferPointer<UInt16>) {
    guard spellings.last ?? 0 == 0, stored.last ?? 0 == 0 else { return nil }
    var letters: [UInt8] = []
    for letter in spellings {
      if letter == 0 {
        guard !letters.isEmpty, letters.count <= 8 else { return nil }
        syllables.append(letters)
        letters.removeAll()
      } else {
        guard (0x61...0x7A).contains(letter) else { return nil }
        letters.append(letter)
      }
    }
    var set: [Int] = []
    for number in stored {
      if number == 0 {
        sets.append(set)
        set.removeAll()
      } else {
        guard number <= syllables.count else { return nil }
        set.append(Int(number) - 1)
      }
    }
  }
}
