/// The lines of section headers and rows in the list.
///
/// The first line is always the header of the first visible row's section, so that a section is never without its name;
/// the headers of later sections are between the rows. Rows have flat indexes: they are counted through all sections,
/// without headers.
struct ListViewport: Equatable {
  /// A line of the list.
  enum Line: Equatable {
    /// The header of a section, by its index.
    case header(section: Int)
    /// A row by its flat index, with its section.
    case row(Int, section: Int)

    /// Flat index of its row; nil for a header.
    var row: Int? {
      if case .row(let row, _) = self { row } else { nil }
    }
  }

  /// The number of rows in each section, in the order of the list; no section is empty unless the whole list is.
  let counts: [Int]
  /// Flat index of each section's first row, followed by the total number of rows.
  private let starts: [Int]

  init(counts: [Int]) {
    self.counts = counts
    var starts = [0]
    starts.reserveCapacity(counts.count + 1)
    for count in counts { starts.append(starts[starts.count - 1] + count) }
    self.starts = starts
  }

  /// The total number of rows.
  var rowCount: Int { starts[starts.count - 1] }

  /// The section of a row, which must exist.
  func section(ofRow row: Int) -> Int {
    var low = 0
    var high = counts.count
    while low + 1 < high {
      let middle = (low + high) / 2
      if starts[middle] <= row { low = middle } else { high = middle }
    }
    return low
  }

  /// Flat index of a section's first row.
  func firstRow(ofSection section: Int) -> Int { starts[section] }

  /// The lines to draw when `top` is the first visible row: at most `height`, fewer at the end of the list.
  func lines(top: Int, height: Int) -> [Line] {
    guard height > 0, rowCount > 0 else { return [] }
    var row = min(max(0, top), rowCount - 1)
    var section = section(ofRow: row)
    var lines: [Line] = [.header(section: section)]
    lines.reserveCapacity(height)
    while lines.count < height, row < rowCount {
      if row >= starts[section + 1] {
        section += 1
        lines.append(.header(section: section))
        continue
      }
      lines.append(.row(row, section: section))
      row += 1
    }
    return lines
  }

  /// The first visible row that makes `row` visible, as close to `top` as possible.
  func top(showing row: Int, from top: Int, height: Int) -> Int {
    guard rowCount > 0 else { return 0 }
    let row = min(max(0, row), rowCount - 1)
    let last = lastTop(height: height)
    if row <= top { return min(row, last) }
    return max(min(top, last), earliestTop(withLast: row, height: height))
  }

  /// The line of a row, counted with headers, when `top` is the first visible row; nil for a row above it, and for one
  /// that does not exist.
  func line(ofRow row: Int, top: Int) -> Int? {
    guard top <= row, row < rowCount else { return nil }
    return row - top + 1 + section(ofRow: row) - section(ofRow: top)
  }

  /// The first visible row that puts a row on a line, or as near above it as headers allow.
  func top(showing row: Int, onLine line: Int) -> Int {
    var top = row
    while top > 0, let above = self.line(ofRow: row, top: top - 1), above <= line { top -= 1 }
    return top
  }

  /// The largest useful first row: the one that puts the last row on the last line.
  func lastTop(height: Int) -> Int {
    rowCount == 0 ? 0 : earliestTop(withLast: rowCount - 1, height: height)
  }

  /// The smallest first row for which `row` is still visible.
  private func earliestTop(withLast row: Int, height: Int) -> Int {
    var first = row
    var section = section(ofRow: row)
    var used = 2  // the header in the first line, and the row itself
    while first > 0 {
      let crossing = first == starts[section]
      let cost = crossing ? 2 : 1
      guard used + cost <= height else { break }
      used += cost
      first -= 1
      if crossing { section -= 1 }
    }
    return first
  }
}
