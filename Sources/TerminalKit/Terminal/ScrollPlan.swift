/// Lines that the terminal should move itself, if moving them and fixing the rest takes fewer bytes than sending the
/// changes. This is so for a list that scrolled or got a new row, next to a column that stayed where it was.
///
/// ncurses only moves lines that stay completely the same, so a single unchanged column prevents it.
struct ScrollPlan: Hashable {
  /// The first and last line of the part that moves.
  let lines: ClosedRange<Int>
  /// The number of lines by which the part moves up; negative for down.
  let count: Int

  /// The minimum gain, in bytes like the costs below: that many are needed to set the region, scroll and reset it.
  private static let minimumGain = 40
  /// The cost of moving the cursor to changed cells.
  private static let cursorMoveCost = 7
  /// The cost of changing the style.
  private static let styleChangeCost = 5
  /// The minimum number of changed lines: with fewer, moving lines is never worth it.
  private static let minimumRows = 4
  /// The columns that identify a line: after a mark at its beginning, and before anything next to the list.
  private static let signature = 2..<20

  /// Creates the plan for getting from one screen to the next of the same size; nil if moving lines saves too little.
  init?(from old: Canvas, to new: Canvas) {
    let rows = new.size.rows
    // Most key presses end here.
    let changed = new.changedLines(since: old)
    guard changed.count >= Self.minimumRows else { return nil }
    var costs = [Int](repeating: 0, count: rows)
    for row in changed { costs[row] = Self.cost(old.cells(ofLine: row), new.cells(ofLine: row)) }
    guard let count = Self.likelyOffset(old, new, costs) else { return nil }
    let left = Self.linesForNcurses(old, new, costs, count)
    // The best run of lines that take over the content at this offset.
    var best = (gain: 0, lines: 0..<0)
    var run = (gain: 0, start: 0)
    for row in 0..<rows {
      guard row + count >= 0, row + count < rows, !left.contains(row) else {
        run = (0, row + 1)
        continue
      }
      run.gain += costs[row] - Self.cost(old.cells(ofLine: row + count), new.cells(ofLine: row))
      if run.gain <= 0 { run = (0, row + 1) }
      if run.gain > best.gain { best = (run.gain, run.start..<row + 1) }
    }
    guard !best.lines.isEmpty else { return nil }
    // The new lines start blank.
    let blanks =
      count > 0
      ? best.lines.upperBound..<best.lines.upperBound + count
      : best.lines.lowerBound + count..<best.lines.lowerBound
    let blank = [Cell](repeating: .blank, count: new.size.columns)[...]
    for row in blanks { best.gain += costs[row] - Self.cost(blank, new.cells(ofLine: row)) }
    // The costs are estimates, and anything next to the moved part must be redrawn: ignore a small gain.
    guard best.gain > max(Self.minimumGain, costs.reduce(0, +) / 2) else { return nil }
    lines = min(best.lines.lowerBound, blanks.lowerBound)...max(best.lines.upperBound, blanks.upperBound) - 1
    self.count = count
  }

  /// Returns runs of three or more lines that are the same as the earlier lines at this offset: ncurses finds and moves
  /// them itself, with hashes of their content that must stay correct.
  private static func linesForNcurses(_ old: Canvas, _ new: Canvas, _ costs: [Int], _ count: Int) -> Set<Int> {
    var lines: Set<Int> = []
    var run: [Int] = []
    for row in 0...new.size.rows {
      if row < new.size.rows, costs[row] > 0, (0..<old.size.rows).contains(row + count),
        old.cells(ofLine: row + count) == new.cells(ofLine: row)
      {
        run.append(row)
      } else {
        if run.count >= 3 { lines.formUnion(run) }
        run = []
      }
    }
    return lines
  }

  /// Returns the offset at which the largest number of changed lines reappear; nil if too few do.
  private static func likelyOffset(_ old: Canvas, _ new: Canvas, _ costs: [Int]) -> Int? {
    var oldRows: [ArraySlice<Cell>: Int] = [:]
    func part(_ canvas: Canvas, _ row: Int) -> ArraySlice<Cell> {
      let cells = canvas.cells(ofLine: row)
      return cells.dropFirst(signature.lowerBound).prefix(signature.count)
    }
    for row in 0..<old.size.rows where costs[row] > 0 {
      let cells = part(old, row)
      if cells.contains(where: { $0.text != " " }) { oldRows[cells] = row }
    }
    var votes: [Int: Int] = [:]
    for row in 0..<new.size.rows where costs[row] > 0 {
      if let oldRow = oldRows[part(new, row)], oldRow != row { votes[oldRow - row, default: 0] += 1 }
    }
    // Among offsets with equally many votes, take the smallest: the same screens must always give the same plan.
    guard let best = votes.min(by: { ($1.value, abs($0.key), $0.key) < ($0.value, abs($1.key), $1.key) }),
      best.value >= minimumRows - 1
    else { return nil }
    return best.key
  }

  /// Returns the approximate number of bytes to get from one line to another.
  private static func cost(_ old: ArraySlice<Cell>, _ new: ArraySlice<Cell>) -> Int {
    var cost = 0
    var distance = cursorMoveCost
    var style = Style.plain
    for (one, other) in zip(old, new) {
      if one == other {
        distance += 1
      } else {
        // A short gap between two changes is rewritten.
        cost += 1 + min(distance, cursorMoveCost)
        if other.style != style { cost += styleChangeCost }
        style = other.style
        distance = 0
      }
    }
    return cost
  }
}

extension Canvas {
  /// Moves the lines as the terminal does when it executes the plan.
  mutating func scroll(_ plan: ScrollPlan) {
    let old = self
    for row in plan.lines {
      let source = row + plan.count
      if plan.lines.contains(source) {
        setLine(row, old.cells(ofLine: source))
      } else {
        setLine(row, repeatElement(Cell.blank, count: size.columns))
      }
    }
  }
}
