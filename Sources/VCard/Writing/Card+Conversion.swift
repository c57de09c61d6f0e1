/// What one version says in a property of its own, and another in a parameter or in several properties.
extension Card {
  /// Returns the card with its properties arranged as in another version, in the syntax that they have: LABEL and the
  /// LABEL of ADR (RFC 6350, 6.3.1), SORT-STRING and SORT-AS (5.9), names in several languages and their readings
  /// (5.4; RFC 9554, 4.6), of which earlier versions have one. ``CardLine/converted(to:)`` does the rest, line by line.
  public func arranged(for target: CardVersion) -> Card {
    guard target != version else { return self }
    var card = self
    if target == .v40 {
      card.moveLabelsIntoAddresses()
      card.moveSortStringIntoName()
    } else if version == .v40 {
      card.lines = card.lines.flatMap { $0.isNamed("ADR") ? $0.withLabelAsProperty : [$0] }
      card.moveSortTextOutOfName()
      card.keepOne("N")
      card.keepOne("FN")
    }
    return card
  }

  /// Returns what a LABEL has in common with its address: the group, or else the types.
  public static func labelKey(of label: CardLine) -> String {
    label.hasGroup ? label.group.lowercased() : typesKey(of: label)
  }

  /// Returns the ``labelKey(of:)`` that a LABEL of an address may have.
  public static func labelKeys(ofAddress line: CardLine) -> [String] {
    [typesKey(of: line)] + (line.hasGroup ? [line.group.lowercased()] : [])
  }

  private static func typesKey(of line: CardLine) -> String {
    let types = line.types.filter { !["pref", "postal", "parcel", "dom", "intl"].contains($0) }
    return "\n" + types.sorted().joined(separator: "\n")
  }

  private mutating func moveLabelsIntoAddresses() {
    guard lines.contains(where: { $0.isNamed("LABEL") }) else { return }
    var addresses: [String: Int] = [:]
    for (index, line) in lines.enumerated() where line.isNamed("ADR") {
      for key in Self.labelKeys(ofAddress: line) where addresses[key] == nil { addresses[key] = index }
    }
    var moved: Set<Int> = []
    for (index, label) in lines.enumerated() where label.isNamed("LABEL") && !label.text.isEmpty {
      let delivery = CardParameter("LABEL", label.text)
      if let address = addresses[Self.labelKey(of: label)] {
        guard lines[address].values(of: "LABEL").isEmpty else { continue }
        lines[address] = lines[address].withParameter(delivery)
        moved.insert(index)
      } else {
        let types = label.parameters.filter { $0.name == "TYPE" }
        lines[index] = CardLine(
          "ADR", group: label.group, parameters: types, components: Array(repeating: "", count: 7), version: version
        ).withParameter(delivery)
      }
    }
    if !moved.isEmpty { lines = lines.enumerated().filter { !moved.contains($0.offset) }.map(\.element) }
  }

  /// The index of the property that a list is sorted by: the name, or else the organization.
  private var sortedName: Int? {
    lines.firstIndex { $0.isNamed("N") && !$0.isReading && $0.components.contains { !$0.isEmpty } }
      ?? lines.firstIndex { $0.isNamed("ORG") && !$0.text.isEmpty } ?? lines.firstIndex { $0.isNamed("FN") }
  }

  private mutating func moveSortStringIntoName() {
    guard let position = lines.firstIndex(where: { $0.isNamed("SORT-STRING") }), !lines[position].text.isEmpty,
      let name = sortedName, lines[name].values(of: "SORT-AS").isEmpty
    else { return }
    let texts = lines[position].text.split(separator: ",", maxSplits: 1).map { part in
      String(part.drop { $0 == " " })
    }
    lines[name] = lines[name].withParameter(CardParameter(name: "SORT-AS", values: texts))
    lines.remove(at: position)
  }

  private mutating func moveSortTextOutOfName() {
    guard let name = sortedName, first("SORT-STRING") == nil else { return }
    let texts = lines[name].values(of: "SORT-AS")
    guard !texts.isEmpty else { return }
    lines[name] = lines[name].withoutParameters(["SORT-AS"])
    lines.insert(CardLine("SORT-STRING", text: texts.joined(separator: ", "), version: version), at: name + 1)
  }

  /// Keeps one property with this name: the preferred one. Others get an X-, but the reading of the name becomes its
  /// phonetic name.
  private mutating func keepOne(_ name: String) {
    let indices = lines.indices.filter { lines[$0].isNamed(name) && !lines[$0].isReading }
    guard let main = indices.min(by: { (lines[$0].preference ?? 101, $0) < (lines[$1].preference ?? 101, $1) }) else {
      return
    }
    for index in indices where index != main { lines[index] = lines[index].named("X-" + name) }
    guard name == "N", let reading = lines.first(where: \.isReading) else { return }
    let position = lines[...main].count { !$0.isReading }
    lines.removeAll(where: \.isReading)
    let names = ["X-PHONETIC-LAST-NAME", "X-PHONETIC-FIRST-NAME", "X-PHONETIC-MIDDLE-NAME"]
    let phonetic = zip(names, reading.components).filter { !$1.isEmpty && first($0) == nil }
    lines.insert(contentsOf: phonetic.map { CardLine($0, text: $1, version: version) }, at: position)
  }
}

extension CardLine {
  /// Whether the property is a name in letters or signs of its pronunciation (RFC 9554, 4.6).
  public var isReading: Bool { isNamed("N") && hasParameters && !values(of: "PHONETIC").isEmpty }

  fileprivate var withLabelAsProperty: [CardLine] {
    let label = deliveryLabel
    guard !label.isEmpty else { return [self] }
    let types = parameters.filter { ["TYPE", "PREF"].contains($0.name) }
    let property = CardLine("LABEL", group: group, parameters: types, text: label, version: version)
    let address = withoutParameters(["LABEL"])
    return components.allSatisfy(\.isEmpty) ? [property] : [address, property]
  }
}
