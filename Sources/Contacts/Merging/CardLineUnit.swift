/// What stays together of the lines that a contact keeps from its card: one line, or all lines of one group (`item1.`).
struct CardLineUnit {
  /// With their group names.
  let lines: [String]
  /// The name of the group in small letters; nil for a line without one.
  let group: String?
  let key: ValueKey

  private init(_ lines: [String]) {
    self.lines = lines
    let parsed = lines.map(CardLineNames.init)
    group = parsed.first?.group
    let stem = group.map { String($0.reversed().drop { $0.isASCII && $0.isNumber }.reversed()) + "." } ?? ""
    let keys = parsed.map(\.key).sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    key = ValueKey(folded: stem, exact: keys.joined(separator: "\n"))
  }

  /// The units of lines, each where its first line stands.
  static func units(of lines: [String]) -> [CardLineUnit] {
    var byGroup: [String: [String]] = [:]
    for line in lines {
      if let group = CardLineNames(line).group { byGroup[group, default: []].append(line) }
    }
    return lines.compactMap { line in
      guard let group = CardLineNames(line).group else { return CardLineUnit([line]) }
      return byGroup.removeValue(forKey: group).map(CardLineUnit.init)
    }
  }

  /// The lines of units. A group whose name another unit has already gets a free one.
  static func lines(of units: [CardLineUnit]) -> [String] {
    var taken: Set<String> = []
    let all = Set(units.compactMap(\.group))
    return units.flatMap { unit -> [String] in
      guard let group = unit.group, !taken.insert(group).inserted else { return unit.lines }
      let stem = group.reversed().drop { $0.isASCII && $0.isNumber }.reversed()
      var number = 1
      while all.contains(stem + String(number)) || taken.contains(stem + String(number)) { number += 1 }
      let free = String(stem) + String(number)
      taken.insert(free)
      return unit.lines.map { free + $0.dropFirst($0.prefix { $0 != "." }.count) }
    }
  }

  /// Lines about the card, not the contact: its version, its program and its time.
  static func isAboutCard(_ line: String) -> Bool {
    let names = CardLineNames(line)
    return names.group == nil && ["version", "prodid", "rev"].contains(names.property)
  }

  func isExact(_ other: CardLineUnit) -> Bool {
    lines.count == other.lines.count && zip(lines, other.lines).allSatisfy(SameText.isExact)
  }
}

/// The names in a line of a card, `group.NAME;PARAM=value:value`, and what it says without regard to their case.
private struct CardLineNames {
  let group: String?
  let property: String
  /// Without the group; names of property and parameters in small letters.
  let key: String

  init(_ line: String) {
    let scalars = Array(line.unicodeScalars)
    var isQuoted = false
    var pieces: [[Unicode.Scalar]] = [[]]
    var place = 0
    while place < scalars.count, isQuoted || scalars[place] != ":" {
      let scalar = scalars[place]
      if scalar == "\"" { isQuoted.toggle() }
      if scalar == ";", !isQuoted { pieces.append([]) } else { pieces[pieces.count - 1].append(scalar) }
      place += 1
    }
    let value = Self.text(scalars[place...])
    let name = Self.text(pieces[0]).lowercased()
    let dot = name.firstIndex(of: ".")
    group = dot.map { String(name[..<$0]) }
    property = dot.map { String(name[name.index(after: $0)...]) } ?? name
    let parameters = pieces.dropFirst().map { piece -> String in
      let equals = piece.firstIndex(of: "=") ?? piece.endIndex
      return ";" + Self.text(piece[..<equals]).lowercased() + Self.text(piece[equals...])
    }
    key = property + parameters.joined() + value
  }

  private static func text(_ scalars: some Sequence<Unicode.Scalar>) -> String {
    String(String.UnicodeScalarView(scalars))
  }
}
