/// Finds the best way in which the units of one field match a term: the rank of the field, and which units took what.
///
/// Values are in hundredths of a point: 2500 for beginning at the start of the field, 3000 for taking the whole field,
/// up to 300 for the share of the field that is taken, less up to 900 for loose pieces, weighted by their letters.
struct PathFinder {
  /// One unit on the best way, and the letters of the term that it took.
  struct Step: Equatable {
    var unit: Int
    var letters: Range<Int>
  }

  static let startBonus = 2500
  static let wholeBonus = 3000
  static let shareBonus = 300
  static let highestCost = 1000

  /// Classes of the field's units.
  var units: [UInt16] = []
  /// Whether the unit at the same place is a symbol, which does not count as part of the field.
  var symbols: [Bool] = []

  private var values = [Int](repeating: 0, count: 64)
  private var wholeValues = [Int](repeating: 0, count: 64)
  private var nextValues = [Int](repeating: 0, count: 64)
  private var nextWholeValues = [Int](repeating: 0, count: 64)
  private var cameFrom: [UInt8] = []
  private var wholeCameFrom: [UInt8] = []

  /// Forgets the field.
  mutating func clear() {
    units.removeAll(keepingCapacity: true)
    symbols.removeAll(keepingCapacity: true)
  }

  /// The value of the best way; nil if the field does not match. `steps` is filled when it is given.
  mutating func best(_ term: CompiledTerm, steps: UnsafeMutablePointer<[Step]>? = nil) -> Int? {
    guard units.contains(where: { $0 != 0 }) else { return nil }
    let end = term.pattern.letters.count
    if steps != nil {
      cameFrom = [UInt8](repeating: 0, count: units.count * 64)
      wholeCameFrom = cameFrom
    }
    let words = symbols.reduce(0) { $0 + ($1 ? 0 : 1) }
    let share = PathFinder.shareBonus / max(words, 1)
    var active: UInt64 = 0
    var whole: UInt64 = 0
    var best: (value: Int, unit: Int, isWhole: Bool)?
    var seenWord = false
    for (index, unit) in units.enumerated() {
      if unit == CompiledTerm.nothing {
        active = 0
        whole = 0
        seenWord = seenWord || !symbols[index]
        continue
      }
      let bonus = symbols[index] ? 0 : share
      let start = seenWord ? -10 * min(index, 9) : PathFinder.startBonus
      var nextActive: UInt64 = 0
      var nextWhole: UInt64 = 0
      var rest = active | 1
      while rest != 0 {
        let place = rest.trailingZeroBitCount
        rest &= rest - 1
        let isWholeSoFar = place == 0 ? index == 0 : whole & 1 << UInt64(place) != 0
        for piece in term.pieces(of: Int(unit), from: place) {
          let taken = piece.end - place
          let gain = (taken == 0 ? -10 : bonus) - piece.cost * 100 * taken / end
          let value = (place == 0 ? start : values[place]) + gain
          let bit: UInt64 = 1 << UInt64(piece.end)
          if nextActive & bit == 0 || value > nextValues[piece.end] {
            nextActive |= bit
            nextValues[piece.end] = value
            if steps != nil { cameFrom[index * 64 + piece.end] = UInt8(place) }
          }
          guard isWholeSoFar, piece.isWhole else { continue }
          let wholeValue = (place == 0 ? start : wholeValues[place]) + gain
          if nextWhole & bit == 0 || wholeValue > nextWholeValues[piece.end] {
            nextWhole |= bit
            nextWholeValues[piece.end] = wholeValue
            if steps != nil { wholeCameFrom[index * 64 + piece.end] = UInt8(place) }
          }
        }
      }
      if nextActive & term.accepting != 0, nextValues[end] > best?.value ?? .min {
        best = (nextValues[end], index, false)
      }
      if nextWhole & term.accepting != 0, index == units.count - 1,
        nextWholeValues[end] + PathFinder.wholeBonus > best?.value ?? .min
      {
        best = (nextWholeValues[end] + PathFinder.wholeBonus, index, true)
      }
      swap(&values, &nextValues)
      swap(&wholeValues, &nextWholeValues)
      active = nextActive & ~1
      whole = nextWhole & ~1
      seenWord = seenWord || !symbols[index]
    }
    guard let best else { return nil }
    steps?.pointee = steps == nil ? [] : walkBack(from: best.unit, end: end, isWhole: best.isWhole)
    return best.value
  }

  private func walkBack(from unit: Int, end: Int, isWhole: Bool) -> [Step] {
    var steps: [Step] = []
    var unit = unit
    var end = end
    repeat {
      let place = Int((isWhole ? wholeCameFrom : cameFrom)[unit * 64 + end])
      if place < end { steps.append(Step(unit: unit, letters: place..<end)) }
      end = place
      unit -= 1
    } while end > 0 && unit >= 0
    return steps.reversed()
  }
}
