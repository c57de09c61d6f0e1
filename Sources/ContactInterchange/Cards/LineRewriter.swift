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
        for candidate in edited(line, index, from: old, to: field, main)
        where kept.field(of: candidate, label: label) == field.stored {
          return [candidate]
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

  /// Returns what the line with the new value may be. The parts of a structured value that are not edited stay as they
  /// are, and so do the parameters that do not repeat what was edited.
  /// - Parameter main: a new line for the value.
  private func edited(
    _ line: CardLine, _ index: Int, from old: CardField, to field: CardField, _ main: CardLine
  ) -> [CardLine] {
    let line = line.withoutParameters(outdatedParameters(of: line, index, old, field))
    switch (old, field) {
    case (.parts(let parts, let before), .parts(_, let texts)):
      let changes = texts.indices.filter { before[$0] != texts[$0] }
      var new = Dictionary(uniqueKeysWithValues: changes.map { ($0, texts[$0]) })
      // The last part of ORG stands for all further units.
      let last = texts.count - 1
      if parts.property != "N", new[last] != nil {
        for index in texts.count..<max(texts.count, line.components.count) { new[index] = "" }
      }
      return [line.withComponents(new, least: parts.property == "N" ? texts.count : 1)]
    case (.address(let before), .address(let address)):
      let parts = AddressPart.inCardOrder
      let changes = parts.indices.filter { before[parts[$0]] != address[parts[$0]] }
      var new = Dictionary(uniqueKeysWithValues: changes.map { ($0, address[parts[$0]]) })
      // RFC 9554, 2.1, has the parts of the street again, after the others.
      let isStreet = before.street != address.street || before.extended != address.extended
      if isStreet {
        for index in parts.count..<max(parts.count, line.components.count) { new[index] = "" }
      }
      return [line.withComponents(new, least: isStreet ? parts.count : line.components.count)]
    case (_, .value(let list, let value)) where list.card.form == .handle:
      return [CardHandles.edited(line, value.value)]
    default: return Self.parametersOfValue(field).map { line.withValue(of: main, replacing: $0) }
    }
  }

  /// Returns the names of the parameters that repeat what is edited in the value, or say where an address is
  /// (RFC 6350, 5.10, 5.11 and 6.3.1; RFC 8605, 3.1).
  private func outdatedParameters(of line: CardLine, _ index: Int, _ old: CardField, _ new: CardField) -> Set<String> {
    guard line.hasParameters else { return [] }
    var names: Set<String> = []
    var texts: [String] = []
    switch (old, new) {
    case (.address(let before), .address(let address)):
      names = ["LABEL", "GEO", "TZ", "CC"]
      texts = AddressPart.allCases.filter { before[$0] != address[$0] }.map { before[$0] }
    case (.parts(_, let before), .parts(_, let after)):
      texts = zip(before, after).filter { $0 != $1 }.map(\.0)
    case (.shownName(let text), .shownName): texts = [text]
    case (.value(_, let value), .value): texts = [value.value]
    case (.text(_, let text), .text): texts = [text]
    default: break
    }
    switch (new, kept.reading) {
    case (_, .parameter(index)?): break
    case (.parts, _), (.shownName, _): names = ["SORT-AS"]
    default: break
    }
    for parameter in line.parameters where !Self.ownParameters.contains(parameter.name) {
      let parts = parameter.values.flatMap { [$0] + $0.split(separator: ",").map(String.init) }
      let repeats = parts.contains { part in texts.contains { Self.isDerived(part, from: $0) } }
      if repeats, parameter.name != "SORT-AS" { names.insert(parameter.name) }
    }
    return names
  }

  /// Parameters that never repeat a value.
  private static let ownParameters: Set<String> = [
    "TYPE", "PREF", "VALUE", "LANGUAGE", "ENCODING", "CHARSET", "ALTID", "PID", "PROP-ID", "X-SERVICE-TYPE",
    "SERVICE-TYPE", "X-USER", "USERNAME",
  ]

  /// Returns whether a text contains another, or has the digits of a phone number: WhatsApp's `waid`.
  private static func isDerived(_ text: String, from value: String) -> Bool {
    if value.count > 2, text.lowercased().contains(value.lowercased()) { return true }
    let (one, other) = (text.filter(\.isNumber), value.filter(\.isNumber))
    return one.count > 5 && other.count > 5 && (one.hasSuffix(other) || other.hasSuffix(one))
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
      return version != .v40 && line.text.trimmed.prefix(4).lowercased() == "tel:"
    default: return false
    }
  }
}
