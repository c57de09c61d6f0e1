/// The most that a match of one term in a name of several words can be worth, by the class of the name's first unit.
/// Ranking uses it to skip names without comparing them: most are no better than the best so far.
final class NameBounds {
  private let scan: UnitScan
  /// For each class, without the share that depends on the number of words: the most that a unit at the start of a name
  /// is worth if it matches the whole term, or if it matches only the beginning; ``unknown`` until it is needed.
  private let whole: UnsafeMutablePointer<Int32>
  private let beginning: UnsafeMutablePointer<Int32>
  /// The same for the best class, if the match begins at a later unit.
  private let laterWhole: Int32
  private let laterBeginning: Int32

  private static let unknown = Int32.min
  /// Less than any value.
  private static let nothing: Int32 = -1_000_000

  init(_ scan: UnitScan) {
    self.scan = scan
    let count = scan.reach.count / scan.stride
    whole = .allocate(capacity: count)
    beginning = .allocate(capacity: count)
    whole.initialize(repeating: NameBounds.unknown, count: count)
    beginning.initialize(repeating: NameBounds.unknown, count: count)
    var (laterWhole, laterBeginning) = (NameBounds.nothing, NameBounds.nothing)
    for unit in 0..<count {
      let (whole, beginning) = NameBounds.gains(unit, scan, isStart: false)
      laterWhole = max(laterWhole, whole)
      laterBeginning = max(laterBeginning, beginning)
    }
    self.laterWhole = laterWhole - Int32(PathFinder.skippedUnitCost)
    self.laterBeginning = laterBeginning - Int32(PathFinder.skippedUnitCost)
  }

  deinit {
    whole.deallocate()
    beginning.deallocate()
  }

  /// Returns the most that a match beginning with a unit of this class is worth: if it ends there, and if it goes on.
  private static func gains(_ unit: Int, _ scan: UnitScan, isStart: Bool) -> (whole: Int32, beginning: Int32) {
    var (whole, beginning) = (NameBounds.nothing, NameBounds.nothing)
    let (row, end) = (unit * scan.stride, scan.stride - 1)
    for slot in Int(scan.pieceStarts[row])..<Int(scan.pieceStarts[row + 1]) {
      let piece = scan.pieces[slot]
      let cost = Int32(piece.cost * 100 * piece.end / end)
      if piece.end == end {
        whole = max(whole, -cost)
      } else {
        // Only a match from the start can be one of the whole field.
        let bonus = isStart && piece.isWhole ? PathFinder.wholeBonus : 0
        beginning = max(beginning, Int32(PathFinder.shareBonus + bonus) - cost)
      }
    }
    return (whole, beginning)
  }

  /// Returns an upper bound of the value of a match in a name.
  @inline(__always)
  func value(of name: NameStart) -> Int {
    let first = Int(scan.classes[name.first])
    if whole[first] == NameBounds.unknown {
      (whole[first], beginning[first]) = NameBounds.gains(first, scan, isStart: true)
    }
    let share = Int32(truncatingIfNeeded: PathFinder.shareBonus / name.words)
    let start = max(whole[first] &+ share, beginning[first]) &+ Int32(PathFinder.startBonus)
    let later = max(laterWhole &+ share, laterBeginning)
    return FieldKind.name.weight &+ Int(max(start, later))
  }
}

/// The first unit of a name of several words, and how many words there are.
struct NameStart {
  /// The number of the first unit in the lexicon.
  let first: Int
  let words: Int

  /// Reads the start of a row's name; nil if there is no name, or if it is a single word or begins with a symbol.
  @inline(__always)
  init?(_ row: Int, _ contacts: PackedContactsView, _ kinds: UnsafeBufferPointer<UInt8>) {
    let units = contacts.units(row)
    if units.isEmpty { return nil }
    var index = 0
    // Markers and shared fields, which end the name, are the kinds after symbols.
    first = Token.read(units, &index)
    if kinds[first] >= UnitKind.symbol.rawValue { return nil }
    var words = 1
    while index < units.count {
      let kind = kinds[Token.read(units, &index)]
      if kind > UnitKind.symbol.rawValue { break }
      if kind < UnitKind.symbol.rawValue { words &+= 1 }
    }
    if words == 1 { return nil }
    self.words = words
  }
}
