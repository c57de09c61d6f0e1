/// A search for the best way in which the tokens of a field match a term: the value of the match, and the letters that
/// each token matches.
///
/// Values are in hundredths of a point: 2500 for a match at the start of the field, 3000 for a match of the whole
/// field, up to 300 for the matched share of the field, less up to 800 for loose transitions, weighted by their
/// letters, and 10 for each skipped token.
final class PathFinder {
  /// One token of the best match, and the letters of the term that it matches.
  struct Step: Equatable {
    var token: Int
    var letters: Range<Int>
  }

  static let startBonus = 2500
  static let wholeBonus = 3000
  static let shareBonus = 300
  static let highestCost = 1000
  /// The cost of each of the first nine tokens before a match, and of each token inside it that matches no letter.
  static let skippedTokenCost = 10

  /// Classes of the field's tokens. The high bit marks a symbol, which counts neither for the share nor for the start
  /// of the field.
  private var classes: UnsafeMutablePointer<UInt16>
  private var tokenCount = 0
  private var capacity = 64
  private var hasMatchingToken = false

  /// Values by position, current and next: of any match, and of those that have matched each token so far as a whole.
  private let values: UnsafeMutablePointer<Int32>
  private var cameFrom: [UInt8] = []
  private var wholeCameFrom: [UInt8] = []

  init() {
    classes = .allocate(capacity: capacity)
    values = .allocate(capacity: 256)
    values.initialize(repeating: 0, count: 256)
  }

  deinit {
    classes.deallocate()
    values.deallocate()
  }

  @inline(__always)
  func clear() {
    tokenCount = 0
    hasMatchingToken = false
  }

  @inline(__always)
  func append(_ tokenClass: UInt16, isSymbol: Bool) {
    if tokenCount == capacity { grow() }
    classes[tokenCount] = isSymbol ? tokenClass | 0x8000 : tokenClass
    tokenCount += 1
    if tokenClass != 0 { hasMatchingToken = true }
  }

  private func grow() {
    let larger = UnsafeMutablePointer<UInt16>.allocate(capacity: capacity * 2)
    larger.initialize(from: classes, count: capacity)
    classes.deallocate()
    classes = larger
    capacity *= 2
  }

  /// Returns the value of the best match; nil if the field does not match. `steps` is filled if it is given.
  func best(_ automaton: TermAutomaton, steps: UnsafeMutablePointer<[Step]>? = nil) -> Int? {
    guard hasMatchingToken else { return nil }
    let end = automaton.stride - 1
    if steps != nil {
      cameFrom = [UInt8](repeating: 0, count: tokenCount * 64)
      wholeCameFrom = cameFrom
    }
    var words = 0
    for index in 0..<tokenCount where classes[index] < 0x8000 { words += 1 }
    let share = Int32(PathFinder.shareBonus / max(words, 1))
    var now = values
    var next = values + 128
    var active: UInt64 = 0
    var whole: UInt64 = 0
    var best: (value: Int32, token: Int, isWhole: Bool)?
    var hasSeenWord = false
    for index in 0..<tokenCount {
      let tokenClass = Int(classes[index] & 0x7FFF)
      let isSymbol = classes[index] >= 0x8000
      defer { hasSeenWord = hasSeenWord || !isSymbol }
      if tokenClass == 0 {
        active = 0
        whole = 0
        continue
      }
      let bonus = isSymbol ? 0 : share
      let start = hasSeenWord ? Int32(-PathFinder.skippedTokenCost * min(index, 9)) : Int32(PathFinder.startBonus)
      var nextActive: UInt64 = 0
      var nextWhole: UInt64 = 0
      var rest = active | 1
      while rest != 0 {
        let position = rest.trailingZeroBitCount
        rest &= rest - 1
        let matchesWholeTokens = position == 0 ? index == 0 : whole & 1 << UInt64(position) != 0
        let row = tokenClass * automaton.stride + position
        for slot in Int(automaton.transitionStarts[row])..<Int(automaton.transitionStarts[row + 1]) {
          let transition = automaton.transitions[slot]
          let taken = transition.end - position
          let gain =
            taken == 0 ? -Int32(PathFinder.skippedTokenCost) : bonus - Int32(transition.cost * 100 * taken / end)
          let value = (position == 0 ? start : now[position]) + gain
          let bit: UInt64 = 1 << UInt64(transition.end)
          if nextActive & bit == 0 || value > next[transition.end] {
            nextActive |= bit
            next[transition.end] = value
            if steps != nil { cameFrom[index * 64 + transition.end] = UInt8(position) }
          }
          guard matchesWholeTokens, transition.isWhole else { continue }
          let wholeValue = (position == 0 ? start : now[64 + position]) + gain
          if nextWhole & bit == 0 || wholeValue > next[64 + transition.end] {
            nextWhole |= bit
            next[64 + transition.end] = wholeValue
            if steps != nil { wholeCameFrom[index * 64 + transition.end] = UInt8(position) }
          }
        }
      }
      if nextActive & automaton.accepting != 0, next[end] > best?.value ?? .min { best = (next[end], index, false) }
      if nextWhole & automaton.accepting != 0, index == tokenCount - 1 {
        let value = next[64 + end] + Int32(PathFinder.wholeBonus)
        if value > best?.value ?? .min { best = (value, index, true) }
      }
      swap(&now, &next)
      active = nextActive & ~1
      whole = nextWhole & ~1
    }
    guard let best else { return nil }
    steps?.pointee = steps == nil ? [] : walkBack(from: best.token, end: end, isWhole: best.isWhole)
    return Int(best.value)
  }

  private func walkBack(from token: Int, end: Int, isWhole: Bool) -> [Step] {
    var steps: [Step] = []
    var token = token
    var end = end
    repeat {
      let position = Int((isWhole ? wholeCameFrom : cameFrom)[token * 64 + end])
      if position < end { steps.append(Step(token: token, letters: position..<end)) }
      end = position
      token -= 1
    } while end > 0 && token >= 0
    return steps.reversed()
  }
}
