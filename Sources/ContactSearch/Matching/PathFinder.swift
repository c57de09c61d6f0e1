/// A search for the best way in which the units of a field match a term: the value of the match, and the letters that
/// each unit matches.
///
/// Values are in hundredths of a point: 2500 for a match at the start of the field, 3000 for a match of the whole
/// field, up to 300 for the matched share of the field, less up to 800 for loose pieces, weighted by their letters, and
/// 10 for each skipped unit.
final class PathFinder {
  /// One unit of the best match, and the letters of the term that it matches.
  struct Step: Equatable {
    var unit: Int
    var letters: Range<Int>
  }

  static let startBonus = 2500
  static let wholeBonus = 3000
  static let shareBonus = 300
  static let highestCost = 1000
  /// The cost of each of the first nine units before a match, and of each unit inside it that matches no letter.
  static let skippedUnitCost = 10

  /// Classes of the field's units. The high bit marks a symbol, which counts neither for the share nor for the start of
  /// the field.
  private var units: UnsafeMutablePointer<UInt16>
  private var unitCount = 0
  private var capacity = 64
  private var hasUnit = false

  /// Values by position, current and next: of any match, and of those that have matched each unit so far as a whole.
  private let values: UnsafeMutablePointer<Int32>
  private var cameFrom: [UInt8] = []
  private var wholeCameFrom: [UInt8] = []

  init() {
    units = .allocate(capacity: capacity)
    values = .allocate(capacity: 256)
    values.initialize(repeating: 0, count: 256)
  }

  deinit {
    units.deallocate()
    values.deallocate()
  }

  @inline(__always)
  func clear() {
    unitCount = 0
    hasUnit = false
  }

  @inline(__always)
  func append(_ unitClass: UInt16, isSymbol: Bool) {
    if unitCount == capacity { grow() }
    units[unitCount] = isSymbol ? unitClass | 0x8000 : unitClass
    unitCount += 1
    if unitClass != 0 { hasUnit = true }
  }

  private func grow() {
    let larger = UnsafeMutablePointer<UInt16>.allocate(capacity: capacity * 2)
    larger.initialize(from: units, count: capacity)
    units.deallocate()
    units = larger
    capacity *= 2
  }

  /// Returns the value of the best match; nil if the field does not match. `steps` is filled if it is given.
  func best(_ scan: UnitScan, steps: UnsafeMutablePointer<[Step]>? = nil) -> Int? {
    guard hasUnit else { return nil }
    let end = scan.stride - 1
    if steps != nil {
      cameFrom = [UInt8](repeating: 0, count: unitCount * 64)
      wholeCameFrom = cameFrom
    }
    var words = 0
    for index in 0..<unitCount where units[index] < 0x8000 { words += 1 }
    let share = Int32(PathFinder.shareBonus / max(words, 1))
    var now = values
    var next = values + 128
    var active: UInt64 = 0
    var whole: UInt64 = 0
    var best: (value: Int32, unit: Int, isWhole: Bool)?
    var hasSeenWord = false
    for index in 0..<unitCount {
      let unit = Int(units[index] & 0x7FFF)
      let isSymbol = units[index] >= 0x8000
      defer { hasSeenWord = hasSeenWord || !isSymbol }
      if unit == 0 {
        active = 0
        whole = 0
        continue
      }
      let bonus = isSymbol ? 0 : share
      let start = hasSeenWord ? Int32(-PathFinder.skippedUnitCost * min(index, 9)) : Int32(PathFinder.startBonus)
      var nextActive: UInt64 = 0
      var nextWhole: UInt64 = 0
      var rest = active | 1
      while rest != 0 {
        let position = rest.trailingZeroBitCount
        rest &= rest - 1
        let matchesWholeUnits = position == 0 ? index == 0 : whole & 1 << UInt64(position) != 0
        let row = unit * scan.stride + position
        for slot in Int(scan.pieceStarts[row])..<Int(scan.pieceStarts[row + 1]) {
          let piece = scan.pieces[slot]
          let taken = piece.end - position
          let gain = taken == 0 ? -Int32(PathFinder.skippedUnitCost) : bonus - Int32(piece.cost * 100 * taken / end)
          let value = (position == 0 ? start : now[position]) + gain
          let bit: UInt64 = 1 << UInt64(piece.end)
          if nextActive & bit == 0 || value > next[piece.end] {
            nextActive |= bit
            next[piece.end] = value
            if steps != nil { cameFrom[index * 64 + piece.end] = UInt8(position) }
          }
          guard matchesWholeUnits, piece.isWhole else { continue }
          let wholeValue = (position == 0 ? start : now[64 + position]) + gain
          if nextWhole & bit == 0 || wholeValue > next[64 + piece.end] {
            nextWhole |= bit
            next[64 + piece.end] = wholeValue
            if steps != nil { wholeCameFrom[index * 64 + piece.end] = UInt8(position) }
          }
        }
      }
      if nextActive & scan.accepting != 0, next[end] > best?.value ?? .min { best = (next[end], index, false) }
      if nextWhole & scan.accepting != 0, index == unitCount - 1 {
        let value = next[64 + end] + Int32(PathFinder.wholeBonus)
        if value > best?.value ?? .min { best = (value, index, true) }
      }
      swap(&now, &next)
      active = nextActive & ~1
      whole = nextWhole & ~1
    }
    guard let best else { return nil }
    steps?.pointee = steps == nil ? [] : walkBack(from: best.unit, end: end, isWhole: best.isWhole)
    return Int(best.value)
  }

  private func walkBack(from unit: Int, end: Int, isWhole: Bool) -> [Step] {
    var steps: [Step] = []
    var unit = unit
    var end = end
    repeat {
      let position = Int((isWhole ? wholeCameFrom : cameFrom)[unit * 64 + end])
      if position < end { steps.append(Step(unit: unit, letters: position..<end)) }
      end = position
      unit -= 1
    } while end > 0 && unit >= 0
    return steps.reversed()
  }
}
