import VCard

/// The lines that a contact keeps, with their meaning, and which of them have been written.
struct KeptLines {
  let lines: [CardLine]
  /// The version of the original card.
  let originalVersion: CardVersion
  private let fields: [CardField?]
  private var isUsed: [Bool]
  /// Unused lines by meaning, the next one last.
  private var byField: [CardField: [Int]] = [:]
  private var byBareField: [CardField: [Int]] = [:]
  private var byIdentity: [CardField.Identity: [Int]] = [:]
  /// Lines without a meaning of their own by group, in order; removed when they are written.
  private var companionsByGroup: [String: [Int]] = [:]
  private var groupsWithValues: Set<String> = []

  /// Parses kept lines.
  /// - Parameter target: the version to write; nil for their own. A line that means something else in that version
  ///   (2.1 has no lists of names) is treated by its meaning there, so that it is replaced.
  init(_ texts: [String], target: CardVersion?, vocabulary: CardVocabulary) {
    var texts = texts[...]
    var version = CardVersion.v30
    if let first = texts.first, first.hasPrefix("VERSION:") {
      version = CardVersion(rawValue: String(first.dropFirst(8))) ?? .v30
      texts = texts.dropFirst()
    }
    let lines = texts.compactMap { CardLine($0, version: version)?.converted(to: target ?? version) }
    var labels: [String: String] = [:]
    for line in lines where line.hasGroup && line.key == "X-ABLABEL" {
      labels[line.group.lowercased()] = CardLabels.label(ofAppleLabel: line.text)
    }
    self.lines = lines
    originalVersion = version
    fields = lines.map { vocabulary.understand($0, label: labels[$0.group.lowercased()])?.field }
    isUsed = Array(repeating: false, count: lines.count)
    for index in lines.indices.reversed() {
      if let field = fields[index] {
        byField[field, default: []].append(index)
        byBareField[field.withoutLabel, default: []].append(index)
        byIdentity[field.identity, default: []].append(index)
      }
    }
    for (index, line) in lines.enumerated() where line.hasGroup {
      let group = line.group.lowercased()
      if fields[index] == nil {
        companionsByGroup[group, default: []].append(index)
      } else {
        groupsWithValues.insert(group)
      }
    }
  }

  /// The groups of the lines, in lower case.
  var groups: Set<String> { groupsWithValues.union(companionsByGroup.keys) }

  /// The lines of a field in order.
  func indices(of identity: CardField.Identity) -> [Int] { byIdentity[identity]?.reversed() ?? [] }

  func field(at index: Int) -> CardField? { fields[index] }

  func isUsed(_ index: Int) -> Bool { isUsed[index] }

  mutating func use(_ index: Int) { isUsed[index] = true }

  /// Removes and returns an unused line with exactly this meaning.
  mutating func take(_ field: CardField) -> Int? {
    take(field, from: \.byField)
  }

  /// Removes and returns an unused line with this value under another label.
  mutating func takeRelabeled(_ field: CardField) -> Int? {
    take(field.withoutLabel, from: \.byBareField)
  }

  private mutating func take(_ field: CardField, from table: WritableKeyPath<KeptLines, [CardField: [Int]]>) -> Int? {
    guard !lines.isEmpty else { return nil }
    while let index = self[keyPath: table][field]?.popLast() {
      if !isUsed[index] {
        isUsed[index] = true
        return index
      }
    }
    return nil
  }

  /// Removes and returns the unwritten lines of the group that have no meaning of their own.
  mutating func companions(of index: Int, withLabel: Bool) -> [CardLine] {
    guard lines[index].hasGroup else { return [] }
    var result: [CardLine] = []
    for other in companionsByGroup.removeValue(forKey: lines[index].group.lowercased()) ?? [] {
      isUsed[other] = true
      if withLabel || lines[other].key != "X-ABLABEL" { result.append(lines[other]) }
    }
    return result
  }

  /// The unwritten lines without a meaning. Apple's additions to a value are dropped with the value.
  func rest() -> [CardLine] {
    lines.indices.filter { index in
      guard !isUsed[index], fields[index] == nil else { return false }
      let line = lines[index]
      guard line.hasGroup, line.key.hasPrefix("X-AB") else { return true }
      return !groupsWithValues.contains(line.group.lowercased())
    }.map { lines[$0] }
  }
}
