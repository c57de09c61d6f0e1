/// Parses the subset of TOML 1.0 that settings need. Lines with anything else are recorded in ``brokenLines`` and
/// skipped.
///
/// The subset is: comments; `[table]`; `name = value`; names that are bare, quoted or dotted; strings in `"` or `'` on
/// one line, `true`, `false`, decimal integers, and lists of these, which may span several lines.
struct ConfigurationParser {
  /// The value of a setting.
  enum Value: Equatable {
    case string(String)
    case boolean(Bool)
    case number(Int)
    case list([Value])
  }

  /// A setting. Its path is the names of its table and of the setting, separated by dots, so that `form.save` below
  /// `[keys]`, `"form.save"` and `save` below `[keys.form]` all have the path `keys.form.save`.
  struct Setting: Equatable {
    var path: String
    var value: Value
    /// From 1.
    var line: Int
    /// The number of its lines: a list may have several.
    var lineCount = 1
  }

  /// The header of a table.
  struct Table: Equatable {
    var path: String
    /// From 1.
    var line: Int
  }

  /// In the order of their lines. A name that is set twice occurs twice.
  private(set) var settings: [Setting] = []
  /// In the order of their lines.
  private(set) var tables: [Table] = []
  /// Invalid lines, from 1. Settings below an invalid header are ignored.
  private(set) var brokenLines: [Int] = []

  /// A file with this many invalid lines is not a configuration file; parsing stops.
  static let brokenLineLimit = 50

  /// The current table; nil below an invalid header.
  private var table: String? = ""

  init(_ text: String) {
    let lines = Self.lines(of: text)
    var index = 0
    while index < lines.count, brokenLines.count < Self.brokenLineLimit {
      index = read(lines, from: index)
    }
  }

  /// Returns the lines without line endings and without a byte order mark.
  private static func lines(of text: String) -> [[Unicode.Scalar]] {
    var scalars = Array(text.unicodeScalars)
    if scalars.first == "\u{FEFF}" { scalars.removeFirst() }
    return scalars.split(separator: "\n", omittingEmptySubsequences: false)
      .map { $0.last == "\r" ? Array($0.dropLast()) : Array($0) }
  }

  // MARK: Lines

  /// Parses the statement on a line, and returns the index of the line after it.
  private mutating func read(_ lines: [[Unicode.Scalar]], from index: Int) -> Int {
    var line = ConfigurationLine(lines[index])
    line.skipBlanks()
    if line.isAtEnd { return index + 1 }
    if line.next == "[" {
      table = line.header()
      if let table { tables.append(Table(path: table, line: index + 1)) } else { brokenLines.append(index + 1) }
      return index + 1
    }
    guard let name = line.name(), line.consume("=") else {
      if table != nil { brokenLines.append(index + 1) }
      return index + 1
    }
    line.skipBlanks()
    if line.consume("[") { return readList(name, rest: line, lines, from: index) }
    if let value = line.value(), line.isAtEnd {
      append(name, value, index)
    } else if table != nil {
      brokenLines.append(index + 1)
    }
    return index + 1
  }

  private mutating func append(_ name: String, _ value: Value, _ index: Int, lineCount: Int = 1) {
    guard let table else { return }
    let path = table.isEmpty ? name : table + "." + name
    settings.append(Setting(path: path, value: value, line: index + 1, lineCount: lineCount))
  }

  /// Parses a list, which may span several lines, and returns the index of the line after it.
  private mutating func readList(
    _ name: String, rest: ConfigurationLine, _ lines: [[Unicode.Scalar]], from start: Int
  ) -> Int {
    var items: [Value] = []
    var line = rest
    var index = start
    var mayBeItem = true
    while true {
      line.skipBlanks()
      if line.isAtEnd {
        index += 1
        guard index < lines.count, !ConfigurationLine(lines[index]).beginsStatement else { break }
        line = ConfigurationLine(lines[index])
      } else if line.consume("]") {
        if line.isAtEnd {
          append(name, .list(items), start, lineCount: index - start + 1)
        } else {
          recordMalformed(index)
        }
        return index + 1
      } else if !mayBeItem, line.consume(",") {
        mayBeItem = true
      } else if mayBeItem, let item = line.value() {
        items.append(item)
        mayBeItem = false
      } else {
        recordMalformed(index)
        return Self.end(ofListIn: lines, after: index) ?? index + 1
      }
    }
    // The list has no end: report only its first line.
    recordMalformed(start)
    return start + 1 < index ? index : start + 1
  }

  /// Returns the index of the line after an invalid list, which is taken to end on the first line with a `]`, from the
  /// invalid line on; nil if there is none before the next setting or table.
  private static func end(ofListIn lines: [[Unicode.Scalar]], after broken: Int) -> Int? {
    for index in lines.indices.dropFirst(broken) {
      if index > broken, ConfigurationLine(lines[index]).beginsStatement { return nil }
      if lines[index].contains("]") { return index + 1 }
    }
    return nil
  }

  private mutating func recordMalformed(_ index: Int) {
    if table != nil { brokenLines.append(index + 1) }
  }
}

/// A line of a configuration file, parsed from left to right.
struct ConfigurationLine {
  private var rest: ArraySlice<Unicode.Scalar>

  init(_ scalars: [Unicode.Scalar]) { rest = scalars[...] }

  /// The next scalar; nil at the end.
  var next: Unicode.Scalar? { rest.first }

  /// What follows.
  var remainder: String {
    var text = String.UnicodeScalarView()
    text.append(contentsOf: rest)
    return String(text)
  }

  /// True if nothing but blanks and a comment follows.
  var isAtEnd: Bool {
    let first = rest.first { $0 != " " && $0 != "\t" }
    return first == nil || first == "#"
  }

  /// True for a header and for a name with a value, which cannot be inside a list.
  var beginsStatement: Bool {
    var line = self
    line.skipBlanks()
    if line.next == "[" { return true }
    return line.name() != nil && line.consume("=")
  }

  mutating func skipBlanks() { rest = rest.drop { $0 == " " || $0 == "\t" } }

  /// Consumes this scalar and blanks before it. Returns false, and consumes nothing, if anything else follows.
  mutating func consume(_ scalar: Unicode.Scalar) -> Bool {
    let kept = rest
    skipBlanks()
    guard rest.first == scalar else {
      rest = kept
      return false
    }
    rest.removeFirst()
    return true
  }

  /// Parses a line that consists of `[name]`, and returns the name; nil for anything else.
  mutating func header() -> String? {
    guard consume("["), let name = name(), consume("]"), isAtEnd else { return nil }
    return name
  }

  /// Parses a name of one or more parts, separated by dots; nil if there is no name here.
  mutating func name() -> String? {
    var parts: [String] = []
    repeat {
      skipBlanks()
      guard let part = namePart() else { return nil }
      parts.append(part)
    } while consume(".")
    return parts.joined(separator: ".")
  }

  private mutating func namePart() -> String? {
    if next == "\"" || next == "'" {
      guard let text = string(), !text.isEmpty else { return nil }
      return text
    }
    let part = rest.prefix { Self.isBare($0) }
    rest = rest.dropFirst(part.count)
    return part.isEmpty ? nil : Self.text(part)
  }

  private static func isBare(_ scalar: Unicode.Scalar) -> Bool {
    scalar.isASCII && (scalar.properties.isAlphabetic || ("0"..."9").contains(scalar) || scalar == "_" || scalar == "-")
  }

  private static func text(_ scalars: ArraySlice<Unicode.Scalar>) -> String {
    var view = String.UnicodeScalarView()
    view.append(contentsOf: scalars)
    return String(view)
  }

  /// Parses a string, a boolean or a number; nil if there is none here.
  mutating func value() -> ConfigurationParser.Value? {
    skipBlanks()
    if next == "\"" || next == "'" { return string().map(ConfigurationParser.Value.string) }
    let word = rest.prefix { Self.isBare($0) || $0 == "+" }
    rest = rest.dropFirst(word.count)
    switch Self.text(word) {
    case "true": return .boolean(true)
    case "false": return .boolean(false)
    case let digits: return Int(digits.filter { $0 != "_" }).map(ConfigurationParser.Value.number)
    }
  }

  /// Parses a string in quotes of either kind; nil if it does not end on this line, or has an invalid escape or a
  /// control character other than a tab.
  private mutating func string() -> String? {
    guard let quote = rest.popFirst() else { return nil }
    var view = String.UnicodeScalarView()
    while let scalar = rest.popFirst() {
      if scalar == quote { return String(view) }
      if scalar == "\\", quote == "\"" {
        guard let escaped = escape() else { return nil }
        view.append(escaped)
      } else {
        guard scalar == "\t" || scalar.value >= 0x20 && scalar.value != 0x7F else { return nil }
        view.append(scalar)
      }
    }
    return nil
  }

  /// Parses the rest of an escape, after the backslash, and returns its character; nil if the escape is invalid.
  private mutating func escape() -> Unicode.Scalar? {
    switch rest.popFirst() {
    case "b": "\u{8}"
    case "t": "\t"
    case "n": "\n"
    case "f": "\u{C}"
    case "r": "\r"
    case "\"": "\""
    case "\\": "\\"
    case "u": code(digits: 4)
    case "U": code(digits: 8)
    default: nil
    }
  }

  private mutating func code(digits count: Int) -> Unicode.Scalar? {
    let digits = rest.prefix(count)
    guard digits.count == count, digits.allSatisfy({ $0.properties.isASCIIHexDigit }) else { return nil }
    rest = rest.dropFirst(count)
    return UInt32(Self.text(digits), radix: 16).flatMap(Unicode.Scalar.init)
  }
}
