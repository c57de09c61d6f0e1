import AddressBookTUI
import ArgumentParser

/// The output formats of a listing.
enum ListFormat: String, ExpressibleByArgument, CaseIterable {
  case table
  case tsv
  case json
  /// One object per line.
  case jsonl

  /// Reads a format, or `text`, the old name of `table`.
  init?(argument: String) { self.init(rawValue: argument == "text" ? "table" : argument) }
}

/// A column of a table.
struct Column {
  let title: String
  /// The greatest width; the last column may be wider if there is room.
  let limit: Int

  /// A column with a title from `Command.strings`; none for an empty key.
  init(_ key: String, _ limit: Int) { self.init(title: key.isEmpty ? "" : strings("Column/" + key), limit: limit) }

  init(title: String, limit: Int) {
    self.title = title
    self.limit = limit
  }
}

/// How a list is written in each format. Every list of the program is one.
struct Listing<Item> {
  let columns: [Column]
  /// Whether the last column keeps the ends of its cells on a terminal, because it has paths.
  var endsWithPath = false
  /// The rows of an item in a table. An empty line separates items that have several.
  let rows: (Item) -> [[String]]
  /// The rows in tab-separated text; nil if they are those of a table.
  var tabbed: ((Item) -> [[String]])?
  /// A row of tab-separated text with its end.
  var tabbedLine: ([String]) -> String = { TabSeparated.row($0) + "\n" }
  /// The lines of an item instead of a table, if cells would be too long; nil for a table.
  var lines: ((Item) -> [String])?
  let json: (Item) -> JSON

  /// Writes the items to standard output.
  /// - Parameters:
  ///   - empty: thrown if there are none.
  ///   - check: reports problems of what was read, after the output and before that.
  ///   - forEach: calls a function with each item, until it returns false; twice for a table.
  func print(
    _ format: ListFormat, empty: @autoclosure () throws -> CommandFailure, check: () throws -> Void = {},
    forEach: @escaping ((Item) -> Bool) throws -> Void
  ) throws {
    let output = StandardOutput()
    var isEmpty = true
    func write(_ body: (Item) -> Void) throws {
      try forEach { item in
        body(item)
        isEmpty = false
        return !output.hasFailed
      }
    }
    switch format {
    case .table:
      if let lines {
        try write { for line in lines($0) { output.line(PlainText.cell(line)) } }
        break
      }
      var table = TextTable(
        titles: columns.map(\.title), limits: columns.map(\.limit), endsWithPath: endsWithPath)
      var isGrouped = false
      try write { item in
        let rows = rows(item)
        if rows.count > 1 { isGrouped = true }
        rows.forEach { table.measure($0) }
      }
      if !isEmpty { output.line(table.header) }
      var isFirst = true
      try write { item in
        if isGrouped, !isFirst { output.line("") }
        isFirst = false
        for row in rows(item) { output.line(table.line(row)) }
      }
    case .tsv: try write { for row in (tabbed ?? rows)($0) { output.write(tabbedLine(row)) } }
    case .json:
      var array = JSONArrayLines()
      output.write("[")
      try write { output.write(array.separator + json($0).line) }
      output.write(array.end)
    case .jsonl: try write { output.line(json($0).line) }
    }
    try output.flush()
    try check()
    if isEmpty { throw try empty() }
  }

  /// Writes items that are in memory.
  func print(
    _ format: ListFormat, _ items: some Sequence<Item>, empty: @autoclosure () throws -> String,
    check: () throws -> Void = {}
  ) throws {
    try print(format, empty: CommandFailure(.nothingFound, try empty()), check: check) { body in
      for item in items where !body(item) { break }
    }
  }
}

/// Rows in columns aligned by display width, each as wide as its widest cell up to a limit. On a terminal they fit its
/// width: longer cells are truncated with `…`. In a file or a pipe all cells are whole.
struct TextTable {
  private let titles: [String]
  private let limits: [Int]
  private let endsWithPath: Bool
  private var widths: [Int]
  private var rows = 0
  private let columns = StandardOutput.isTerminal ? StandardOutput.terminalColumns : nil

  /// - Parameters:
  ///   - titles: the column titles.
  ///   - limits: maximum widths in terminal columns; the last column may be wider if there is room.
  ///   - endsWithPath: whether the last column has paths, whose ends are kept.
  init(titles: [String], limits: [Int], endsWithPath: Bool = false) {
    if StandardOutput.isTerminal { PersonalSettings.applyAmbiguousWidth() }
    self.titles = titles
    self.limits = limits.dropLast() + [Int.max]
    self.endsWithPath = endsWithPath
    widths = titles.map(Self.width)
  }

  /// True if no rows were measured.
  var isEmpty: Bool { rows == 0 }

  /// Makes the columns wide enough for a row.
  mutating func measure(_ cells: [String]) {
    rows += 1
    for (index, cell) in cells.enumerated() where widths[index] < limits[index] {
      widths[index] = max(widths[index], min(limits[index], Self.width(Self.safe(cell))))
    }
  }

  var header: String { joined(titles) }

  /// A row.
  func line(_ cells: [String]) -> String { joined(cells.map(Self.safe)) }

  private func joined(_ cells: [String]) -> String {
    let fitting = columns.map { PlainColumns.narrowed(widths, to: $0) }
    var line = ""
    for (index, cell) in cells.enumerated() {
      let isLast = index == cells.count - 1
      if let fitting {
        line += PlainColumns.fitted(cell, to: fitting[index], keepsEnd: isLast && endsWithPath)
      } else {
        line += Self.padded(cell, to: isLast ? 0 : widths[index])
      }
      if !isLast { line += "  " }
    }
    while line.last == " " { line.removeLast() }
    return line
  }

  private static func safe(_ text: String) -> String {
    StandardOutput.isTerminal ? PlainColumns.clean(text) : PlainText.cell(text)
  }

  /// The display width of a text in columns.
  static func width(_ text: String) -> Int { PlainColumns.width(of: text) }

  static func padded(_ text: String, to columns: Int) -> String {
    text + String(repeating: " ", count: max(0, columns - width(text)))
  }
}
