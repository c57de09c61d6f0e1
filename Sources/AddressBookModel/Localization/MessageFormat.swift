/// Fills `%@`, `%d`, `%1$@`, `%2$d` and `%%`. Unlike `printf` it cannot read past its arguments.
enum MessageFormat {
  /// The pattern with its placeholders replaced; a placeholder without an argument stays as it is.
  static func fill(_ pattern: String, with arguments: [String]) -> String {
    guard pattern.utf8.contains(UInt8(ascii: "%")) else { return pattern }
    var result = ""
    var next = 0
    for piece in pieces(of: pattern) {
      switch piece {
      case .text(let text): result += text
      case .placeholder(let source, let position):
        let index = position.map { $0 - 1 } ?? next
        if position == nil { next += 1 }
        result += arguments.indices.contains(index) ? arguments[index] : source
      }
    }
    return result
  }

  /// The placeholders of a pattern, positions resolved, in order of position: what two languages must agree in.
  static func placeholders(of pattern: String) -> [String] {
    var next = 0
    var found: [String] = []
    for case .placeholder(let source, let position) in pieces(of: pattern) {
      if position == nil { next += 1 }
      found.append("\(position ?? next)\(source.last.map(String.init) ?? "")")
    }
    return found.sorted()
  }

  private enum Piece {
    case text(String)
    case placeholder(source: String, position: Int?)
  }

  private static func pieces(of pattern: String) -> [Piece] {
    var pieces: [Piece] = []
    var rest = Substring(pattern)
    while let percent = rest.firstIndex(of: "%") {
      if percent > rest.startIndex { pieces.append(.text(String(rest[..<percent]))) }
      rest = rest[percent...]
      let digits = rest.dropFirst().prefix { $0.isASCII && $0.isNumber }
      let after = rest.dropFirst(1 + digits.count)
      if !digits.isEmpty, after.first == "$", let kind = after.dropFirst().first, kind == "@" || kind == "d" {
        let source = String(rest.prefix(3 + digits.count))
        pieces.append(.placeholder(source: source, position: Int(digits)))
        rest = rest.dropFirst(source.count)
      } else if let kind = rest.dropFirst().first, kind == "@" || kind == "d" {
        pieces.append(.placeholder(source: String(rest.prefix(2)), position: nil))
        rest = rest.dropFirst(2)
      } else {
        pieces.append(.text("%"))
        rest = rest.dropFirst(rest.dropFirst().first == "%" ? 2 : 1)
      }
    }
    if !rest.isEmpty { pieces.append(.text(String(rest))) }
    return pieces
  }
}
