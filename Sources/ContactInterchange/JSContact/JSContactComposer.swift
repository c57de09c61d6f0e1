import Contacts
import VCard

/// A composer of the JSContact Card of a vCard of version 4.0, property by property (RFC 9555, 2).
struct JSContactComposer {
  private var card: JSONMembers = ["@type": .text("Card"), "version": .text("1.0")]
  /// The properties that go into `vCardProps`.
  private var others: [CardLine] = []
  private let lines: [CardLine]
  /// The labels of groups by X-ABLabel; the keys are the groups in lower case.
  private var labels: [String: String] = [:]
  /// The number of other properties in each group.
  private var sizes: [String: Int] = [:]
  /// The ids that properties have as PROP-ID.
  private let ids: Set<String>
  /// The first property of each ALTID, and whether one in another language refers to it.
  private var alternatives: [String: (line: Int, isUsed: Bool)] = [:]
  /// The path of the value of each line.
  private var paths: [Int: [String]] = [:]
  /// The last number in an id, by the map.
  private var numbers: [[String]: Int] = [:]

  /// Returns the Card of the lines of a vCard of version 4.0.
  static func card(of lines: [CardLine]) -> JSONMembers {
    var composer = JSContactComposer(lines)
    return composer.compose()
  }

  private init(_ lines: [CardLine]) {
    self.lines = lines
    ids = Set(lines.flatMap { $0.values(of: "PROP-ID") })
    for line in lines where line.hasGroup && !line.isNamed("X-ABLABEL") {
      sizes[line.group.lowercased(), default: 0] += 1
    }
    let valued = lines.filter {
      $0.hasGroup && (JSContactTable.byProperty[$0.key] != nil || $0.isNamed("X-ABRELATEDNAMES"))
    }
    let groups = Set(valued.map { $0.group.lowercased() })
    for line in lines where line.hasGroup && line.isNamed("X-ABLABEL") {
      let group = line.group.lowercased()
      guard groups.contains(group), labels[group] == nil else { continue }
      labels[group] = line.text.hasPrefix("_$!<") ? CardLabels.label(ofAppleLabel: line.text) : line.text
    }
  }

  private mutating func compose() -> JSONMembers {
    var translations: [(index: Int, language: String)] = []
    var seen: Set<[String]> = []
    for (index, line) in lines.enumerated() {
      guard let key = Self.alternative(line) else { continue }
      if let main = alternatives[key]?.line {
        guard let language = line.values(of: "LANGUAGE").first, lines[main].values(of: "LANGUAGE") != [language],
          seen.insert([key, language]).inserted
        else { continue }
        translations.append((index, language))
        alternatives[key]?.isUsed = true
      } else {
        alternatives[key] = (index, false)
      }
    }
    let translated = Set(translations.map(\.index))
    addName(without: translated)
    var patches: [CardLine] = []
    for (index, line) in lines.enumerated() where !translated.contains(index) && paths[index] == nil {
      switch line.key {
      case "X-ABLABEL" where line.hasGroup && labels[line.group.lowercased()] != nil: break
      case "JSPROP": patches.append(line)
      case "CATEGORIES":
        for name in line.list where !name.trimmed.isEmpty { card[["keywords", name.trimmed]] = .bool(true) }
      case "MEMBER": card[["members", line.text]] = .bool(true)
      case "BIRTHPLACE", "DEATHPLACE": break
      default: if !add(line, index) { others.append(line) }
      }
    }
    for name in ["BIRTHPLACE", "DEATHPLACE"] {
      for (number, line) in lines.filter({ $0.isNamed(name) }).enumerated() {
        if number > 0 || !addPlace(line) { others.append(line) }
      }
    }
    let used = Set(paths.keys.map { lines[$0].group.lowercased() })
    others += lines.filter {
      $0.isNamed("X-ABLABEL") && labels[$0.group.lowercased()] != nil && !used.contains($0.group.lowercased())
    }
    for (index, language) in translations { translate(index, language) }
    for patch in patches where !JSContactPatches.apply(patch, to: &card) { others.append(patch) }
    let properties = others.compactMap { try? JSONValue(json: Array(JCardWriter.property($0).utf8)) }
    if !properties.isEmpty { card["vCardProps"] = .list(properties) }
    return card
  }

  /// Returns what the properties of one value in several languages have in common; nil for a property that a Card does
  /// not have in several.
  private static func alternative(_ line: CardLine) -> String? {
    let isLocalized = JSContactTable.byProperty[line.key].map { JSContactTable.localized.contains($0.map) } ?? false
    guard line.hasParameters, isLocalized || line.isNamed("FN") || line.isNamed("N"), !line.isReading else {
      return nil
    }
    return line.values(of: "ALTID").first.map { line.key + " " + $0 }
  }

  // MARK: - The name

  private mutating func addName(without translated: Set<Int>) {
    func main(_ name: String) -> Int? {
      lines.indices.filter { lines[$0].isNamed(name) && !lines[$0].isReading && !translated.contains($0) }
        .min { (lines[$0].preference ?? 101, $0) < (lines[$1].preference ?? 101, $1) }
    }
    let (full, parts) = (main("FN"), main("N"))
    var name: JSONMembers = [:]
    if let parts { name = members(ofName: parts) }
    if let full {
      paths[full] = ["name", "full"]
      let shown = parts.map { JSContactComponents.shownName(lines[$0].componentLists) }
      let isDerived = !lines[full].values(of: "DERIVED").isEmpty && shown == lines[full].text
      if !isDerived || name["components"] == nil, !lines[full].text.isEmpty { name["full"] = .text(lines[full].text) }
      if parts == nil || name.isEmpty { addParameters(of: full, map: "name", to: &name) }
    }
    addReadings(to: &name, parts)
    if !name.isEmpty { card["name"] = .object(name) }
  }

  private mutating func members(ofName index: Int) -> JSONMembers {
    let line = lines[index]
    var name = JSContactComponents.members(of: line, kinds: JSContactTable.nameParts)
    if line.components.count > JSContactTable.nameParts.count { return [:] }
    paths[index] = ["name", "components"]
    for (kind, text) in zip(["surname", "given"], line.values(of: "SORT-AS")) where !text.isEmpty {
      name[["sortAs", kind]] = .text(text)
    }
    addParameters(of: index, map: "name", to: &name)
    return name
  }

  /// Adds the pronunciation: from the N with PHONETIC (RFC 9554, 4.6), or from the properties that programs use for it.
  private mutating func addReadings(to name: inout JSONMembers, _ parts: Int?) {
    guard let parts else { return }
    for (index, line) in lines.enumerated() where name["phoneticSystem"] == nil {
      let texts =
        line.isReading
        ? line.values(of: "ALTID") == lines[parts].values(of: "ALTID") ? line.components : []
        : Self.readings.firstIndex(of: line.key).map { Array(repeating: "", count: $0) + [line.text] } ?? []
      let byKind = zip(JSContactTable.nameParts, texts).filter { !$1.isEmpty }.map { ($0, $1) }
      guard !byKind.isEmpty, JSContactComponents.add(Dictionary(uniqueKeysWithValues: byKind), to: &name) else {
        continue
      }
      paths[index] = ["name", "components"]
      let system = line.values(of: "PHONETIC").first ?? "script"
      if system != "script" { name["phoneticSystem"] = .text(system) }
      // A Card has to say what the pronunciation is written in: Latin letters, kana, or anything.
      let isKana = byKind[0].1.unicodeScalars.contains { (0x3041...0x30FF).contains($0.value) }
      let guess = line.isReading ? nil : isKana ? "Hrkt" : byKind[0].1.utf8.contains { $0 < 0x80 } ? "Latn" : "Zyyy"
      if let script = line.values(of: "SCRIPT").first ?? guess { name["phoneticScript"] = .text(script) }
    }
  }

  private static let readings = ["X-PHONETIC-LAST-NAME", "X-PHONETIC-FIRST-NAME", "X-PHONETIC-MIDDLE-NAME"]

  // MARK: - Other values

  /// Adds what a property says; returns false if a Card has no member for it.
  private mutating func add(_ line: CardLine, _ index: Int) -> Bool {
    if let single = JSContactTable.singles.first(where: { line.isNamed($0.property) }) {
      guard card[single.path] == nil, !line.text.isEmpty else { return false }
      card[single.path] = .text(single.isTime ? CardTime.extended(line.text.trimmed) : line.text)
      if single.path.count > 1 {
        var parent = card[single.path[0]]?.members ?? [:]
        addParameters(of: index, map: single.path[0], to: &parent)
        card[single.path[0]] = .object(parent)
      }
      return true
    }
    if line.isNamed("RELATED") || line.isNamed("X-ABRELATEDNAMES") { return addRelated(line, index) }
    guard let row = JSContactTable.byProperty[line.key] else { return false }
    let names = row.property == "NICKNAME" ? line.list.map(\.trimmed).filter { !$0.isEmpty } : []
    guard var entry = names.count > 1 ? [row.key: .text(names[0])] : value(of: line, row) else { return false }
    if let kind = row.kind { entry["kind"] = .text(kind) }
    if let name = row.vCardName { entry["vCardName"] = .text(name) }
    addParameters(of: index, map: row.map, to: &entry)
    let path = JSContactTable.path(of: row.map)
    let id = id(of: line, in: path)
    paths[index] = path + [id]
    card[path + [id]] = .object(entry)
    for (number, name) in names.enumerated().dropFirst() {
      card[path + ["\(id)-\(number + 1)"]] = .object([row.key: .text(name)])
    }
    return true
  }

  /// Returns the members for the value of a property; nil if a Card cannot have it.
  private func value(of line: CardLine, _ row: JSContactTable.Entry) -> JSONMembers? {
    let text = line.text.trimmed
    let type = line.values(of: "VALUE").first?.lowercased()
    switch row.property {
    case "ADR":
      guard line.components.count <= JSContactTable.addressParts.count else { return nil }
      let members = JSContactComponents.members(of: line, kinds: JSContactTable.addressParts)
      return members.isEmpty && line.deliveryLabel.isEmpty ? nil : members
    case "ORG":
      let (parts, sorts) = (line.components, line.values(of: "SORT-AS"))
      guard parts.contains(where: { !$0.isEmpty }) else { return nil }
      var members: JSONMembers = [:]
      if !parts[0].isEmpty { members["name"] = .text(parts[0]) }
      if let sort = sorts.first, !sort.isEmpty { members["sortAs"] = .text(sort) }
      let units = parts.enumerated().dropFirst().map { index, part -> JSONValue in
        let sort = index < sorts.count && !sorts[index].isEmpty ? sorts[index] : nil
        return .object(sort.map { ["name": .text(part), "sortAs": .text($0)] } ?? ["name": .text(part)])
      }
      if !units.isEmpty { members["units"] = .list(units) }
      return members
    case "BDAY", "DEATHDATE", "ANNIVERSARY":
      return JSContactDate.members(of: line).map { ["date": .object($0)] }
    case "TZ": return text.first.map(\.isLetter) == true ? [row.key: .text(text)] : nil
    case _ where row.map == "onlineServices":
      guard !text.isEmpty else { return nil }
      let isURI = text.isURI && type != "text"
      var members: JSONMembers = isURI ? ["uri": .text(text)] : ["user": .text(text)]
      if let service = row.service ?? line.values(of: "X-SERVICE-TYPE").first { members["service"] = .text(service) }
      return members
    default:
      guard !text.isEmpty, !row.isURI || type != "text" else { return nil }
      return [row.key: .text(row.isURI ? text : line.text)]
    }
  }

  /// Adds a relation. A Card has one entry for each other card or name.
  private mutating func addRelated(_ line: CardLine, _ index: Int) -> Bool {
    let text = line.text.trimmed
    guard !text.isEmpty, card[["relatedTo", text]] == nil else { return false }
    var entry: JSONMembers = [:]
    var types = line.types.filter { $0 != "pref" }
    if line.isNamed("X-ABRELATEDNAMES") {
      let label = labels[line.group.lowercased()].map(CardLabels.label(ofAppleLabel:)) ?? ""
      let isToken = label.utf8.allSatisfy { (0x61...0x7A).contains($0) || $0 == UInt8(ascii: "-") }
      guard isToken, !text.isURI, !line.hasParameters else { return false }
      types = label.isEmpty ? [] : [label]
    } else {
      guard !text.isURI || !line.values(of: "VALUE").contains(where: { $0.lowercased() == "text" }) else {
        return false
      }
      addParameters(of: index, map: "relatedTo", to: &entry)
    }
    for type in types { entry[["relation", type]] = .bool(true) }
    card[["relatedTo", text]] = .object(entry)
    paths[index] = ["relatedTo", text]
    return true
  }

  /// Adds the place of birth or death to the day (RFC 6474); returns false if a Card cannot have it.
  private mutating func addPlace(_ line: CardLine) -> Bool {
    let kind = JSONValue.text(line.isNamed("BIRTHPLACE") ? "birth" : "death")
    let days = card["anniversaries"]?.members ?? [:]
    let isText = line.values(of: "VALUE").first?.lowercased() != "uri"
    guard let id = days.first(where: { $0.value.members?["kind"] == kind })?.key,
      isText || line.text.hasPrefix("geo:"), line.parameters.allSatisfy({ $0.name == "VALUE" })
    else { return false }
    card[["anniversaries", id, "place"]] = .object([isText ? "full" : "coordinates": .text(line.text)])
    return true
  }

  /// Adds what a property says in another language than the one with the same ALTID (RFC 9555, 2.3.1).
  private mutating func translate(_ index: Int, _ language: String) {
    guard let key = Self.alternative(lines[index]), let main = alternatives[key]?.line, let path = paths[main] else {
      return others.append(lines[index])
    }
    let line = lines[index].withoutParameters(["ALTID", "LANGUAGE", "PROP-ID"])
    var other = JSContactComposer([line])
    let translated = other.compose()
    let theirs = other.paths[0].flatMap { translated[$0] }
    guard let theirs else { return others.append(lines[index]) }
    var patches = card[["localizations", language]]?.members ?? [:]
    if path.first == "name" {
      patches[path.joined(separator: "/")] = theirs
    } else {
      let (old, new) = (card[path]?.members ?? [:], theirs.members ?? [:])
      for key in Set(old.keys + new.keys).sorted() where old[key] != new[key] && key != "vCardParams" {
        patches[(path + [key]).joined(separator: "/")] = new[key] ?? .null
      }
    }
    card[["localizations", language]] = .object(patches)
  }

  // MARK: - Parameters

  /// Adds the parameters, the label and the group of a property.
  private func addParameters(of index: Int, map: String, to entry: inout JSONMembers) {
    let line = lines[index]
    var left: JSONMembers = [:]
    if line.hasGroup {
      let group = line.group.lowercased()
      if let label = labels[group], JSContactTable.byMap[map] != nil { entry["label"] = .text(label) }
      if labels[group] == nil || sizes[group] != 1 { left["group"] = .text(line.group) }
    }
    let (types, known) = (line.types, JSContactTable.parameters(of: map))
    for type in types where map != "relatedTo" || type == "pref" {
      if let context = JSContactTable.contexts(of: map).first(where: { $0.type == type }) {
        entry[["contexts", context.member]] = .bool(true)
      } else if map == "phones", let feature = JSContactTable.features.first(where: { $0.type == type }) {
        entry[["features", feature.member]] = .bool(true)
      } else if type == "pref", known.contains(where: { $0.name == "PREF" }) {
        entry["pref"] = .number("1")
      } else {
        left["type"] = .list((left["type"]?.elements ?? []) + [.text(type)])
      }
    }
    for parameter in line.hasParameters ? line.parameters : [] where !isImplied(parameter, of: line, map, entry) {
      if let row = known.first(where: { $0.name == parameter.name }), entry[row.path] == nil,
        let value = Self.member(parameter.values.joined(separator: ","), row.form, line)
      {
        entry[row.path] = value
      } else {
        left[parameter.name.lowercased()] = .list(parameter.values.map { .text($0) })
      }
    }
    for (name, value) in left { if let texts = value.elements, texts.count == 1 { left[name] = texts[0] } }
    if !left.isEmpty { entry["vCardParams"] = .object(left) }
  }

  /// Whether a parameter says nothing beyond what the Card has already.
  private func isImplied(_ parameter: CardParameter, of line: CardLine, _ map: String, _ entry: JSONMembers) -> Bool {
    let type = parameter.values.first?.lowercased() ?? ""
    switch (parameter.name, map) {
    case ("PROP-ID", _), ("TYPE", _), ("JSCOMPS", _), ("DERIVED", _), ("PREF", "name"): return true
    case ("X-SERVICE-TYPE", "onlineServices"), ("X-APPLE-OMIT-YEAR", "anniversaries"): return true
    case ("SORT-AS", _): return ["N", "ORG"].contains(line.key)
    case ("ALTID", _):
      let isRead = lines.contains { $0.isReading && $0.values(of: "ALTID") == parameter.values }
      return line.isNamed("N") && isRead || Self.alternative(line).flatMap { alternatives[$0]?.isUsed } == true
    case ("VALUE", "anniversaries"), ("VALUE", "relatedTo"): return true
    case ("VALUE", "onlineServices"): return type == (entry["uri"] == nil ? "text" : "uri")
    case ("VALUE", "phones"): return type == (line.text.isURI ? "uri" : "text")
    case ("VALUE", _):
      let isURI = JSContactTable.byProperty[line.key]?.isURI == true
      return type == (isURI ? "uri" : "text") || type == JCardTypes.standard(of: line.key)
    default: return false
    }
  }

  /// Returns the value of a parameter as a member; nil if a member cannot have it.
  private static func member(_ text: String, _ form: JSContactTable.MemberForm, _ line: CardLine) -> JSONValue? {
    switch form {
    case .integer:
      guard let number = Int(text), number > 0 else { return nil }
      return .number(String(number))
    case .time: return .text(CardTime.extended(text))
    case .level where line.isNamed("EXPERTISE"):
      return JSContactTable.levels.first { $0.word == text.lowercased() }.map { .text($0.member) }
    default: return .text(text)
    }
  }

  /// Returns the id of a property: its PROP-ID, or else one that no other property has.
  private mutating func id(of line: CardLine, in path: [String]) -> String {
    if let id = line.values(of: "PROP-ID").first, !id.isEmpty, card[path + [id]] == nil { return id }
    let prefix = path.last?.prefix(1) ?? ""
    var number = numbers[path, default: 0] + 1
    while ids.contains("\(prefix)\(number)") || card[path + ["\(prefix)\(number)"]] != nil { number += 1 }
    numbers[path] = number
    return "\(prefix)\(number)"
  }
}
