import Contacts
import VCard

/// A rewriter of kept lines for another value or another version. Group, name and parameters are kept if the new line,
/// read again, has the right value; otherwise the line is written from scratch in its group.
struct LineRewriter {
  /// The new X-ABLabels of groups whose value got another label, keyed by group in lower case; nil if the group needs
  /// none.
  private(set) var labels: [String: CardLine?] = [:]
  private let kept: ParsedCard
  private let maker: CardFieldMaker
  private let version: CardVersion
  private var usedGroups: Set<String>
  private var nextGroup = 1

  init(_ kept: ParsedCard, _ maker: CardFieldMaker, version: CardVersion) {
    self.kept = kept
    self.maker = maker
    self.version = version
    usedGroups = Set(kept.lines.filter(\.hasGroup).map { $0.group.lowercased() })
  }

  /// Returns the line in the version that is written; unchanged if that is the version in which it came.
  mutating func preserved(_ index: Int) -> [CardLine] {
    let line = kept.lines[index]
    guard line.version != version, let field = kept.fields[index] else { return [line] }
    if isOfOtherVersion(line, field) { return rewritten(index, field) }
    let converted = line.converted(to: version)
    let isSame = kept.field(of: converted, label: kept.label(of: line)) == field
    return isSame ? [converted] : rewritten(index, field)
  }

  mutating func rewritten(_ index: Int, _ field: CardField) -> [CardLine] {
    let made = maker.lines(of: field)
    guard let main = made.first, let old = kept.fields[index] else { return made }
    let line = kept.lines[index].converted(to: version)
    let group = line.group.lowercased()
    let isRegenerated = Self.regenerated.contains(line.key) && kept.version != version
    if !isRegenerated {
      let label = kept.label(of: line)
      if old.label == field.label {
        for names in Self.parametersOfValue(field) {
          let candidate = line.withValue(of: main, replacing: names)
          if kept.field(of: candidate, label: label) == field.stored { return [candidate] }
        }
      } else if let relabeled = relabeled(line, field, made) {
        return relabeled
      }
    }
    if line.hasGroup { labels[group] = .some(nil) }
    guard made.count > 1 || line.hasGroup else { return made }
    let name = line.hasGroup ? line.group : newGroup()
    return made.map { $0.inGroup(name) }
  }

  /// Returns the line with another label: other types and another X-ABLabel; the value and the other parameters are
  /// unchanged. Nil if that line, read again, would not have the right value.
  private mutating func relabeled(_ line: CardLine, _ field: CardField, _ made: [CardLine]) -> [CardLine]? {
    guard let label = field.label else { return nil }
    let own = (CardLabels.types(ofLabel: label) ?? []).map { version == .v40 ? $0.lowercased() : $0 }
    let types = own + line.types.filter(CardLabels.qualities.contains).map { version == .v40 ? $0 : $0.uppercased() }
    let candidate = line.withTypes(types)
    guard kept.field(of: candidate, label: made.count > 1 ? label : nil) == field else { return nil }
    let group = line.group.lowercased()
    guard made.count > 1 else {
      if line.hasGroup { labels[group] = .some(nil) }
      return [candidate]
    }
    if line.hasGroup, kept.label(of: line) != nil {
      labels[group] = made[1]
      return [candidate]
    }
    let name = line.hasGroup ? line.group : newGroup()
    return [candidate, made[1]].map { $0.inGroup(name) }
  }

  /// Returns the line of the photo.
  /// - Parameter isKept: true if it is the photo that came with the line. The crop parameters do not apply to another
  ///   photo.
  func photo(_ index: Int, _ photo: CardBinary, isKept: Bool) -> CardLine {
    let line = kept.lines[index]
    if isKept, line.version == version { return PhotoLine.filled(line, photo.bytes) }
    return line.withBinary(photo, version: version, removing: isKept ? [] : ["X-ABCROP-RECTANGLE"])
  }

  /// Puts new lines that belong together into a group.
  mutating func grouped(_ lines: [CardLine]) -> [CardLine] {
    guard lines.count > 1, lines.allSatisfy({ !$0.hasGroup }) else { return lines }
    let name = newGroup()
    return lines.map { $0.inGroup(name) }
  }

  private mutating func newGroup() -> String {
    while usedGroups.contains("item\(nextGroup)") { nextGroup += 1 }
    usedGroups.insert("item\(nextGroup)")
    return "item\(nextGroup)"
  }

  /// Returns sets of parameters that may have to be replaced with the value, the smallest set first.
  private static func parametersOfValue(_ field: CardField) -> [Set<String>] {
    // The number may have been a URI.
    if case .value(let list, _) = field, list.card.form == .phone { return [["VALUE"]] }
    return [["X-APPLE-OMIT-YEAR"], ["X-APPLE-OMIT-YEAR", "VALUE"]]
  }

  /// Properties that have another name in other versions.
  private static let regenerated: Set<String> = ["KIND", "X-ABSHOWAS", "ANNIVERSARY", "RELATED"]

  /// Returns whether the line would have the same meaning in the other version, but not in that version's form.
  private func isOfOtherVersion(_ line: CardLine, _ field: CardField) -> Bool {
    if Self.regenerated.contains(line.key) { return true }
    switch field {
    case .birthday(.some): return !CardDates.hasTime(line)
    case .value(let list, _) where list.card.form == .date: return !CardDates.hasTime(line)
    case .value(let list, _) where list.card.form == .phone:
      return version != .v40 && line.text.trimmedBlanks.prefix(4).lowercased() == "tel:"
    default: return false
    }
  }
}
