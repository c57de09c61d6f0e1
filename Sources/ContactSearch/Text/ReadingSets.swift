/// The different sets of readings of Han characters: a few hundred syllables, and lists of them, the usual one first.
struct ReadingSets {
  /// Spellings of each syllable, toneless; ü is `v`.
  private(set) var syllables: [[UInt8]] = []
  /// Numbers of syllables, the primary reading first.
  private(set) var sets: [[Int]] = []
  private var syllableNumbers: [UInt64: Int] = [:]
  private var setNumbers: [[Int]: Int] = [:]

  /// The number of a syllable, its letters packed from the lowest byte.
  mutating func syllable(_ letters: UInt64) -> Int {
    if let known = syllableNumbers[letters] { return known }
    syllables.append((0..<8).map { UInt8(truncatingIfNeeded: letters >> ($0 * 8)) }.filter { $0 != 0 })
    syllableNumbers[letters] = syllables.count - 1
    return syllables.count - 1
  }

  /// The number of a character's set of readings, with the reading that it has in its place put first.
  mutating func set(of value: UInt32, primary: Int?) -> Int {
    var numbers: [Int] = []
    if let primary { numbers.append(primary) }
    HanReadings.forEach(value) { letters in
      let number = syllable(letters)
      if !numbers.contains(number) { numbers.append(number) }
    }
    if let known = setNumbers[numbers] { return known }
    sets.append(numbers)
    setNumbers[numbers] = sets.count - 1
    return sets.count - 1
  }
}
