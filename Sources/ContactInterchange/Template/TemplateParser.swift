/// A value in a template, with the number of its line.
struct TemplateNode {
  enum Content {
    case text(String)
    case entries([(key: String, node: TemplateNode)])
    case items([TemplateNode])
  }

  let line: Int
  let content: Content

  /// The text; nil if there are entries or items.
  var text: String? { if case .text(let text) = content { text } else { nil } }
  /// The entries; nil if there are texts or items. An empty value has none.
  var entries: [(key: String, node: TemplateNode)]? {
    switch content {
    case .entries(let entries): entries
    case .text(""): []
    default: nil
    }
  }
  /// The items; a value that is not a list is its only item, and an empty one has none.
  var items: [TemplateNode] {
    switch content {
    case .items(let items): items
    case .text(""): []
    default: [self]
    }
  }
}

/// Reads the part of YAML 1.2 (https://yaml.org/spec/1.2.2/) that a template uses: entries and lists by indentation,
/// plain and quoted texts on one line, and texts of several lines after `|`. A plain text ends at the end of its line: a
/// comment has a line of its own, or stands where there is no value.
struct TemplateParser {
  private struct Line {
    let number: Int
    let indent: Int
    var text: Substring
  }

  /// All lines of the document, without their ends.
  private let raw: [Substring]
  private let firstNumber: Int
  /// The lines with text.
  private var lines: [Line] = []
  private var position = 0
  /// How deeply the lines that are being read are nested.
  private var depth = 0
  /// A template needs four levels. Each costs stack, and a file may come from anyone.
  private static let deepest = 8
  /// The lines that cannot be read.
  private(set) var problems: [(line: Int, text: String)] = []

  /// - Parameter first: the number of the first line.
  init(_ raw: [Substring], first: Int) {
    self.raw = raw
    firstNumber = first
    for (index, text) in raw.enumerated() {
      let content = text.drop { $0 == " " }
      guard let sign = content.first, sign != "#", !content.allSatisfy(\.isWhitespace) else { continue }
      lines.append(Line(number: first + index, indent: text.count - content.count, text: content))
    }
  }

  /// Reads the document.
  mutating func document() -> TemplateNode {
    let node = block(from: 0) ?? TemplateNode(line: firstNumber, content: .entries([]))
    while position < lines.count { refuse() }
    return node
  }

  /// Reads the lines that follow, if they are indented at least this far; nil if not.
  private mutating func block(from indent: Int) -> TemplateNode? {
    guard position < lines.count, lines[position].indent >= indent else { return nil }
    let first = lines[position]
    depth += 1
    defer { depth -= 1 }
    if depth > Self.deepest {
      while position < lines.count, lines[position].indent >= indent { refuse() }
      return TemplateNode(line: first.number, content: .entries([]))
    }
    var items: [TemplateNode] = []
    var entries: [(key: String, node: TemplateNode)] = []
    while position < lines.count, lines[position].indent >= first.indent {
      let line = lines[position]
      if line.indent > first.indent {
        refuse()
      } else if Self.isItem(line.text), entries.isEmpty {
        items.append(item(line))
      } else if items.isEmpty, let (key, rest) = Self.key(of: line.text) {
        position += 1
        entries.append((key, value(rest, of: line, listMayBegin: line.indent)))
      } else {
        refuse()
      }
    }
    return TemplateNode(line: first.number, content: items.isEmpty ? .entries(entries) : .items(items))
  }

  /// Leaves a line out.
  private mutating func refuse() {
    problems.append((lines[position].number, String(lines[position].text)))
    position += 1
  }

  private static func isItem(_ text: Substring) -> Bool { text == "-" || text.hasPrefix("- ") }

  private mutating func item(_ line: Line) -> TemplateNode {
    let rest = line.text.dropFirst().drop { $0 == " " }
    // The entries of an item begin on its line: `- street: …`.
    if Self.key(of: rest) != nil {
      let indent = line.indent + line.text.count - rest.count
      lines[position] = Line(number: line.number, indent: indent, text: rest)
      if let entries = block(from: indent) { return entries }
    }
    position += 1
    return value(rest, of: line, listMayBegin: line.indent + 1)
  }

  /// Splits `key: rest`; nil for a line without a key.
  private static func key(of text: Substring) -> (key: String, rest: Substring)? {
    if let sign = text.first, sign == "\"" || sign == "'" {
      guard let (key, rest) = quoted(text), rest.first == ":" else { return nil }
      return (key, rest.dropFirst())
    }
    var position = text.startIndex
    while let colon = text[position...].firstIndex(of: ":") {
      let rest = text[text.index(after: colon)...]
      if rest.first ?? " " == " " { return colon == text.startIndex ? nil : (String(text[..<colon]).trimmed, rest) }
      position = rest.startIndex
    }
    return nil
  }

  /// Reads the value after a key or the sign of an item.
  /// - Parameter indent: a list below it is indented at least this far, and anything else further.
  private mutating func value(_ rest: Substring, of line: Line, listMayBegin indent: Int) -> TemplateNode {
    let text = String(rest).trimmed
    func node(_ text: String) -> TemplateNode { TemplateNode(line: line.number, content: .text(text)) }
    switch text.first {
    case nil, "#":
      let isList = position < lines.count && Self.isItem(lines[position].text)
      let below = block(from: isList ? indent : line.indent + 1)
      return below.map { TemplateNode(line: line.number, content: $0.content) } ?? node("")
    case "|" where ["|", "|-", "|+"].contains(text): return node(lines(below: line, keeping: text.dropFirst()))
    case "\"", "'":
      if let (value, rest) = Self.quoted(text[...]), rest.isEmpty || rest.drop(while: { $0 == " " }).first == "#" {
        return node(value)
      }
    case "|", ">", "[", "{", "&", "*", "!", "%", "@", "`": break
    default: return node(text)
    }
    problems.append((line.number, String(line.text)))
    return node("")
  }

  /// Reads a text of several lines.
  /// - Parameter chomping: `-` drops all line ends at its end, `+` keeps them, and otherwise one stays.
  private mutating func lines(below line: Line, keeping chomping: Substring) -> String {
    var found: [Substring] = []
    var index = line.number - firstNumber + 1
    while index < raw.count {
      let content = raw[index].drop { $0 == " " }
      guard content.isEmpty || raw[index].count - content.count > line.indent else { break }
      found.append(raw[index])
      index += 1
    }
    while position < lines.count, lines[position].number < firstNumber + index { position += 1 }
    let indent = found.first { $0.contains { $0 != " " } }.map { $0.prefix { $0 == " " }.count } ?? 0
    var text = found.map { $0.dropFirst(min(indent, $0.prefix { $0 == " " }.count)) }.joined(separator: "\n")
    if chomping == "+" { return found.isEmpty ? "" : text + "\n" }
    while text.last == "\n" { text.removeLast() }
    return chomping.isEmpty && !text.isEmpty ? text + "\n" : text
  }

  /// Reads a text in single or double quotes.
  /// - Returns: the text, and what follows it; nil if it does not end on its line, or has an unknown escape.
  private static func quoted(_ text: Substring) -> (String, rest: Substring)? {
    guard let quote = text.first else { return nil }
    var result = ""
    var rest = text.dropFirst()
    while let character = rest.popFirst() {
      if character == quote {
        guard quote == "'", rest.first == "'" else { return (result, rest) }
        result.append(rest.removeFirst())
      } else if character == "\\", quote == "\"" {
        guard let escape = rest.popFirst(), let plain = escapes[escape] else { return nil }
        guard escape == "x" || escape == "u" else {
          result += plain
          continue
        }
        let digits = rest.prefix(escape == "x" ? 2 : 4)
        guard let scalar = UInt32(digits, radix: 16).flatMap(Unicode.Scalar.init) else { return nil }
        result.unicodeScalars.append(scalar)
        rest = rest.dropFirst(digits.count)
      } else {
        result.append(character)
      }
    }
    return nil
  }

  private static let escapes: [Character: String] = [
    "\\": "\\", "\"": "\"", "/": "/", "n": "\n", "t": "\t", "r": "\r", "0": "\0", "x": "", "u": "", " ": " ",
  ]
}
