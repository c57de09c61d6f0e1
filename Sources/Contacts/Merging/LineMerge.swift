/// A merge of texts of several lines, like that of diff3: the changes of both sides are kept if they are equal, or if
/// at least one unchanged line is between them.
enum LineMerge {
  /// Returns the merged text; nil if changes overlap or touch, or if the result would not be stable.
  static func merge(base: String, mine: String, theirs: String) -> String? {
    let states = [base, mine, theirs].map(SameText.content)
    guard let merged = join(states[0], states[1], states[2]) else { return nil }
    // If lines repeat, a change can be described in several ways. If merging again with the result would give another
    // text, the user decides.
    let isStable = join(states[0], states[1], merged) == merged && join(states[0], states[2], merged) == merged
    return isStable ? merged : nil
  }

  /// Lines of the base that a side replaced with lines of its own; one of the two may be empty.
  private struct Change: Equatable {
    let base: Range<Int>
    let lines: [Substring]
  }

  private static func join(_ base: String, _ mine: String, _ theirs: String) -> String? {
    let lines = split(base)
    var (my, their) = (changes(lines, split(mine))[...], changes(lines, split(theirs))[...])
    var merged: [Substring] = []
    var position = 0
    func apply(_ change: Change) {
      merged += lines[position..<change.base.lowerBound] + change.lines
      position = change.base.upperBound
    }
    while let mine = my.first, let theirs = their.first {
      if mine == theirs {
        apply(mine)
        my.removeFirst()
        their.removeFirst()
      } else if mine.base.upperBound < theirs.base.lowerBound {
        apply(my.removeFirst())
      } else if theirs.base.upperBound < mine.base.lowerBound {
        apply(their.removeFirst())
      } else {
        return nil
      }
    }
    for change in my + their { apply(change) }
    return (merged + lines[position...]).joined(separator: "\n")
  }

  private static func split(_ text: String) -> [Substring] {
    text.isEmpty ? [] : text.split(separator: "\n", omittingEmptySubsequences: false)
  }

  private static func changes(_ base: [Substring], _ side: [Substring]) -> [Change] {
    let start = zip(base, side).prefix { $0 == $1 }.count
    let end = zip(base[start...].reversed(), side[start...].reversed()).prefix { $0 == $1 }.count
    let (old, new) = (base[start..<base.count - end], side[start..<side.count - end])
    // The time for a longest common subsequence grows with the product of the lengths, so longer stretches count as
    // entirely changed.
    guard old.count + new.count <= 2_000 else {
      return [Change(base: start..<base.count - end, lines: Array(new))]
    }
    var removed: Set<Int> = []
    var inserted: Set<Int> = []
    for change in Array(new).difference(from: Array(old)) {
      switch change {
      case .remove(let offset, _, _): removed.insert(start + offset)
      case .insert(let offset, _, _): inserted.insert(start + offset)
      }
    }
    var changes: [Change] = []
    var (position, other) = (start, start)
    while position < old.endIndex || other < new.endIndex {
      let (from, otherFrom) = (position, other)
      while removed.contains(position) { position += 1 }
      while inserted.contains(other) { other += 1 }
      if position > from || other > otherFrom {
        changes.append(Change(base: from..<position, lines: Array(new[otherFrom..<other])))
      } else {
        position += 1
        other += 1
      }
    }
    return changes
  }
}

/// Lines that a contact keeps from its card and that belong together: one line, or all lines of one group (`item1.`).
public struct CardLineUnit: Sendable {
  /// The lines, with their group names.
  public let lines: [String]
  /// The name of the property in lower case; nil for the lines of a group.
  let property: String?
  /// The name of the group in lower case; nil for a line without one.
  let group: String?
  /// The key that two units share if they are the same. The case of names, the number of a group and the order of its
  /// lines do not count.
  public let key: ValueKey

  private init(_ lines: [String]) {
    self.lines = lines
    let parsed = lines.map(CardLineNames.init)
    group = parsed.first?.group
    property = group == nil ? parsed.first?.property : nil
    let stem = group.map { String($0.reversed().drop { $0.isASCII && $0.isNumber }.reversed()) + "." } ?? ""
    let keys = parsed.map(\.key).sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    key = ValueKey(folded: stem, exact: keys.joined(separator: "\n"))
  }

  /// Returns the units of lines, each at the position of its first line.
  public static func units(of lines: [String]) -> [CardLineUnit] {
    var byGroup: [String: [String]] = [:]
    for line in lines {
      if let group = CardLineNames(line).group { byGroup[group, default: []].append(line) }
    }
    return lines.compactMap { line in
      guard let group = CardLineNames(line).group else { return CardLineUnit([line]) }
      return byGroup.removeValue(forKey: group).map(CardLineUnit.init)
    }
  }

  /// Returns the lines of units. A group whose name another unit already has gets an unused name.
  public static func lines(of units: [CardLineUnit]) -> [String] {
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

  /// Returns the units of one card, followed by those of another card that it lacks. If the first card has a property
  /// that a contact has only once, the other card's first line for that property is left out.
  static func joined(_ units: [CardLineUnit], _ others: [CardLineUnit]) -> [CardLineUnit] {
    let singles = ContactFields.standard.singleProperties
    var seen = Set(units.map(\.key))
    var properties = Set(units.compactMap(\.property)).intersection(singles)
    return units
      + others.filter { unit in
        if let property = unit.property, properties.remove(property) != nil { return false }
        return seen.insert(unit.key).inserted
      }
  }

  /// Returns the units without surplus lines of properties that a contact has only once. Of each such property, as many
  /// lines stay as there are in the merged card that has the most.
  static func withoutSurplus(
    _ units: [CardLineUnit], of cards: [[CardLineUnit]]
  ) -> [CardLineUnit] {
    let singles = ContactFields.standard.singleProperties
    func counts(_ units: [CardLineUnit]) -> [String: Int] {
      units.reduce(into: [:]) { counts, unit in
        if let property = unit.property, singles.contains(property) { counts[property, default: 0] += 1 }
      }
    }
    var room = cards.map(counts).reduce(into: [:]) { most, counts in most.merge(counts, uniquingKeysWith: max) }
    return units.filter { unit in
      guard let property = unit.property, let left = room[property] else { return true }
      room[property] = left - 1
      return left > 0
    }
  }

  /// Returns whether a line is about the card rather than the contact: its version, the program that wrote it, the
  /// time.
  public static func isAboutCard(_ line: String) -> Bool {
    let names = CardLineNames(line)
    return names.group == nil && ["version", "prodid", "rev"].contains(names.property)
  }

  /// Returns whether a line is of a property that a field or the UID is written to, of a label, or of the version.
  static func isOfField(_ line: String) -> Bool {
    let property = CardLineNames(line).property
    return ContactFields.standard.cardProperties.contains(property) || property == "x-ablabel" || property == "version"
  }

  func isExact(_ other: CardLineUnit) -> Bool {
    lines.count == other.lines.count && zip(lines, other.lines).allSatisfy(SameText.isExact)
  }
}

/// The names in a line of a card, `group.NAME;PARAM=value:value`, regardless of case, and its content.
private struct CardLineNames {
  let group: String?
  let property: String
  /// The line without its group, with the names of the property and parameters in lower case.
  let key: String

  init(_ line: String) {
    let scalars = Array(line.unicodeScalars)
    var isQuoted = false
    var pieces: [[Unicode.Scalar]] = [[]]
    var offset = 0
    while offset < scalars.count, isQuoted || scalars[offset] != ":" {
      let scalar = scalars[offset]
      if scalar == "\"" { isQuoted.toggle() }
      if scalar == ";", !isQuoted { pieces.append([]) } else { pieces[pieces.count - 1].append(scalar) }
      offset += 1
    }
    let value = Self.text(scalars[offset...])
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
