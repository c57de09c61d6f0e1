import Contacts
import VCard

/// A reader of a JSContact Card as a vCard of version 4.0 (RFC 9555, 2), which the book reads and keeps like any other.
public struct JSContactReader {
  private let card: JSONNode
  private var lines: [CardLine] = []
  private var problems: [Diagnostic] = []
  /// The groups that properties of the Card have.
  private let groups: Set<String>
  private var nextGroup = 1
  /// The groups with an X-ABLabel.
  private var labeled: Set<String> = []
  /// The properties that a Card has in other languages too, with their ids.
  private var translated: Set<[String]> = []
  /// The parameters of a property in another language.
  private var translation: [CardParameter] = []

  /// Returns the vCard of a Card; nil for any other object.
  /// - Parameter line: the line of the input where it begins.
  /// - Throws: what is wrong with the Card. None of it is then read, because an import would remove what it lacks.
  public static func card(of bytes: [UInt8], line: Int = 0) throws(ContactJSONError) -> Card? {
    guard bytes.firstRange(of: "\"@type\"".utf8) != nil, case let value = try JSONValue(json: bytes),
      value.members?["@type"] == .text("Card")
    else { return nil }
    var reader = JSContactReader(JSONNode(path: "", value: value))
    try reader.read()
    var card = Card(version: .v40, lines: reader.lines)
    card.lineNumber = line
    card.diagnostics = reader.problems.map { Diagnostic(line: line, problem: $0.problem) }
    return card
  }

  /// Returns the lines of a vCard of version 4.0 after they were written as a Card and read again.
  static func reread(_ lines: [CardLine]) -> [CardLine] {
    var reader = JSContactReader(JSONNode(path: "", value: .object(JSContactComposer.card(of: lines))))
    guard (try? reader.read()) != nil else { return [] }
    return reader.lines
  }

  private init(_ card: JSONNode) {
    self.card = card
    let maps = (card.value.members ?? [:]).compactMap(\.value.members)
    let ofEntries = maps.flatMap { map in map.compactMap { $0.value.members?["vCardParams"] } }
    let ofOthers = card["vCardProps"]?.value.elements?.compactMap { ($0.elements ?? []).dropFirst().first } ?? []
    groups = Set((ofEntries + ofOthers).compactMap { $0.members?["group"]?.text?.lowercased() })
  }

  private mutating func read() throws(ContactJSONError) {
    for (key, node) in try card.entries() { try read(key, node) }
    for (language, patch) in try card["localizations"]?.entries() ?? [] { try readTranslation(patch, language) }
    for (index, line) in lines.enumerated() where line.values(of: "ALTID").isEmpty {
      let id = ["FN", "N"].contains(line.key) ? "1" : line.values(of: "PROP-ID").first ?? ""
      if translated.contains([line.key, id]) { lines[index] = line.withParameter(CardParameter("ALTID", id)) }
    }
    // Last, so that they come after the values of the same property.
    for property in card["vCardProps"]?.value.elements ?? [] {
      if let line = JCardProperty.line(of: property) {
        lines.append(line)
      } else {
        problems.append(Diagnostic(line: 0, problem: .malformedLine(String(property.json.prefix(60)))))
      }
    }
    lines += JSContactPatches.lines(from: try card.object(), missingIn: JSContactComposer.card(of: lines))
  }

  private mutating func read(_ key: String, _ node: JSONNode) throws(ContactJSONError) {
    switch key {
    case "name": try readName(node)
    case "keywords": add("CATEGORIES", [], list: try node.set())
    case "members": for uid in try node.set() { add("MEMBER", [], uid) }
    case "relatedTo": for (text, item) in try node.entries() { try readRelation(text, item) }
    case "speakToAs":
      if let gender = try node["grammaticalGender"]?.text() { add("GRAMGENDER", try further(node), gender) }
      if let map = node["pronouns"] { try read("pronouns", map) }
    case "vCardProps": _ = try node.list { item throws(ContactJSONError) in item }
    case _ where JSContactTable.byMap[key] != nil:
      for (id, item) in try node.entries() { try readEntry(key, id, item) }
    default:
      guard let single = JSContactTable.singles.first(where: { $0.path == [key] }) else { return }
      let text = try node.text()
      if let value = single.isTime ? Self.time(text) : text { add(single.property, [], value) }
    }
  }

  /// Returns a time in the form of a property; nil for one with fractions of seconds.
  private static func time(_ text: String) -> String? { text.utf8.count == 20 ? CardTime.basic(text) : nil }

  // MARK: - The name

  private mutating func readName(_ name: JSONNode) throws(ContactJSONError) {
    let components = try JSContactComponents(name, kinds: JSContactTable.nameParts)
    var parameters = try further(name)
    if let full = try name["full"]?.text(), !full.isEmpty {
      add("FN", components.isEmpty ? parameters : translation, full)
    } else if !components.isEmpty {
      add("FN", [CardParameter("DERIVED", "TRUE")] + translation, JSContactComponents.shownName(components.lists))
    }
    guard !components.isEmpty else { return }
    if let order = components.order { parameters.append(CardParameter("JSCOMPS", order)) }
    if let sort = name["sortAs"] {
      let texts = [try sort["surname"]?.text() ?? "", try sort["given"]?.text()].compactMap(\.self)
      if texts != [""] { parameters.append(CardParameter(name: "SORT-AS", values: texts)) }
    }
    let hasReading = components.hasPhonetics && translation.isEmpty
    if hasReading { parameters.append(CardParameter("ALTID", "1")) }
    lines.append(CardLine("N", parameters: parameters, lists: components.lists, version: .v40))
    guard hasReading else { return }
    let system = try name["phoneticSystem"]?.text() ?? "script"
    var own = [CardParameter("ALTID", "1"), CardParameter("PHONETIC", system)]
    if let script = try name["phoneticScript"]?.text() { own.append(CardParameter("SCRIPT", script)) }
    lines.append(CardLine("N", parameters: own, lists: components.phonetics, version: .v40))
  }

  // MARK: - Entries

  private mutating func readEntry(_ map: String, _ id: String, _ entry: JSONNode) throws(ContactJSONError) {
    guard let row = JSContactTable.row(of: try entry.object(), in: map) else { return }
    if id.isEmpty { throw .invalidValue(path: map, value: id) }
    var parameters = [CardParameter("PROP-ID", id)]
    let others = try self.parameters(of: entry, row)
    let start = lines.count
    switch row.property {
    case "ADR":
      let components = try JSContactComponents(entry, kinds: JSContactTable.addressParts)
      if let order = components.order { parameters.append(CardParameter("JSCOMPS", order)) }
      if components.isEmpty, try entry["full"]?.text() ?? "" == "" { return }
      lines.append(CardLine("ADR", parameters: parameters + others, lists: components.lists, version: .v40))
    case "ORG":
      let all = [entry] + (try entry["units"]?.list { unit throws(ContactJSONError) in unit } ?? [])
      var (names, sorts): ([String], [String]) = ([], [])
      for unit in all {
        _ = try unit.object()
        names.append(try unit["name"]?.text() ?? "")
        sorts.append(try unit["sortAs"]?.text() ?? "")
      }
      while sorts.last?.isEmpty == true { sorts.removeLast() }
      if !sorts.isEmpty { parameters.append(CardParameter(name: "SORT-AS", values: sorts)) }
      guard names.contains(where: { !$0.isEmpty }) else { return }
      lines.append(CardLine("ORG", parameters: parameters + others, components: names, version: .v40))
    case "BDAY", "DEATHDATE", "ANNIVERSARY":
      guard let date = try entry["date"]?.object(), let day = JSContactDate.text(of: date) else { return }
      lines.append(CardLine(row.property, parameters: parameters + others, plain: day, version: .v40))
      try readPlace(entry, row)
    case "NICKNAME":
      guard !isFurtherName(id) else { return }
      var names = [try entry["name"]?.text() ?? ""].filter { !$0.isEmpty }
      while let next = names.isEmpty ? nil : "\(id)-\(names.count + 1)", isFurtherName(next) {
        names.append(try card["nicknames"]?[next]?["name"]?.text() ?? "")
      }
      add("NICKNAME", parameters + others, list: names)
    case _ where map == "onlineServices":
      let (uri, user) = (try entry["uri"]?.text(), try entry["user"]?.text())
      if uri == nil, row.vCardName == nil { parameters.insert(CardParameter("VALUE", "text"), at: 0) }
      let implied: Set<String> = [uri == nil ? "USERNAME" : "", row.service == nil ? "" : "SERVICE-TYPE"]
      add(row.property, parameters + others.filter { !implied.contains($0.name) }, uri ?? user ?? "")
    default:
      let value = try entry[row.key]?.text() ?? ""
      if map == "phones", value.isURI { parameters.insert(CardParameter("VALUE", "uri"), at: 0) }
      add(row.property, parameters + others.filter { $0.name != row.property }, value)
    }
    group(from: start, label: try entry["label"]?.text() ?? "", entry)
  }

  /// Whether a nickname is a further one of the same property.
  private func isFurtherName(_ id: String) -> Bool {
    guard let dash = id.lastIndex(of: "-"), let number = Int(id[id.index(after: dash)...]), number > 1,
      let names = card["nicknames"]?.value.members, names[String(id[..<dash])] != nil, let entry = names[id]?.members
    else { return false }
    return entry["name"]?.text?.isEmpty == false && entry.keys.allSatisfy { ["name", "@type"].contains($0) }
  }

  private mutating func readPlace(_ entry: JSONNode, _ row: JSContactTable.Entry) throws(ContactJSONError) {
    let name = row.kind == "birth" ? "BIRTHPLACE" : "DEATHPLACE"
    guard row.kind != "wedding", !lines.contains(where: { $0.isNamed(name) }) else { return }
    if let full = try entry["place"]?["full"]?.text() {
      add(name, [], full)
    } else if let place = try entry["place"]?["coordinates"]?.text() {
      add(name, [CardParameter("VALUE", "uri")], place)
    }
  }

  private mutating func readRelation(_ text: String, _ entry: JSONNode) throws(ContactJSONError) {
    _ = try entry.object()
    let types = try entry["relation"]?.set() ?? []
    var parameters = text.isURI ? [] : [CardParameter("VALUE", "text")]
    if !types.isEmpty { parameters.append(CardParameter(name: "TYPE", values: types)) }
    let start = lines.count
    add("RELATED", parameters + (try further(entry)), text)
    group(from: start, label: "", entry)
  }

  // MARK: - Parameters

  /// Returns the parameters for the members of an entry other than its value.
  private func parameters(
    of entry: JSONNode, _ row: JSContactTable.Entry
  ) throws(ContactJSONError) -> [CardParameter] {
    let contexts = try entry["contexts"]?.set() ?? []
    var types = JSContactTable.contexts(of: row.map).filter { contexts.contains($0.member) }.map(\.type)
    if row.map == "phones", let features = try entry["features"]?.set() {
      types += JSContactTable.features.filter { features.contains($0.member) }.map(\.type)
    }
    var result: [CardParameter] = []
    for known in JSContactTable.parameters(of: row.map) {
      guard let node = known.path.reduce(entry, { $0?[$1] }) else { continue }
      let text = known.form == .integer ? String(try node.integer()) : try node.text()
      let value: String? =
        switch known.form {
        case .integer: text.hasPrefix("-") || text == "0" ? nil : text
        case .time: Self.time(text)
        case .level where row.kind == "expertise": JSContactTable.levels.first { $0.member == text }?.word
        default: text
        }
      if let value { result.append(CardParameter(known.name, value)) }
    }
    var others = try further(entry)
    if let index = others.firstIndex(where: { $0.name == "TYPE" }) { types += others.remove(at: index).values }
    return (types.isEmpty ? [] : [CardParameter(name: "TYPE", values: types)]) + result + others
  }

  /// Returns the parameters that an object keeps for vCards, and those of a translation.
  private func further(_ entry: JSONNode) throws(ContactJSONError) -> [CardParameter] {
    let own = try entry["vCardParams"]?.object() ?? [:]
    return own.compactMap { name, value in
      guard JCardProperty.isName(name), name.lowercased() != "group" else { return nil }
      return JCardProperty.texts(value.elements ?? [value]).map { CardParameter(name: name.uppercased(), values: $0) }
    } + translation
  }

  // MARK: - Other languages

  /// Reads the values in another language that a vCard has as properties with the same ALTID (RFC 9555, 2.3.1).
  private mutating func readTranslation(_ patch: JSONNode, _ language: String) throws(ContactJSONError) {
    var other = try card.object()
    var touched: [[String]] = []
    for (pointer, value) in try patch.object() {
      let path = JSContactPatches.path(pointer)
      let isEntry = path.count > 1 && JSContactTable.localized.contains(path[0])
      guard isEntry || path.first == "name" else { continue }
      other[path] = value == .null ? nil : value
      let start = isEntry ? Array(path.prefix(2)) : ["name"]
      if !touched.contains(start) { touched.append(start) }
    }
    for path in touched {
      guard let own = try card.object()[path]?.members, var entry = other[path]?.members else { continue }
      let (id, start) = (path.count > 1 ? path[1] : "1", lines.count)
      translation = [CardParameter("ALTID", id), CardParameter("LANGUAGE", language)]
      defer { translation = [] }
      if path == ["name"] {
        for key in ["full", "components"] where entry[key] == own[key] { entry[key] = nil }
        try readName(JSONNode(path: patch.path, value: .object(entry)))
        // The name made of the components is not one that the Card has.
        if entry["full"] == nil, lines.count > start { lines.remove(at: start) }
      } else {
        try readEntry(path[0], id, JSONNode(path: patch.path, value: .object(entry)))
      }
      for line in lines[start...] { translated.insert([line.key, id]) }
    }
  }

  // MARK: - Lines

  /// Appends a property of a text or a URI, unless it is empty.
  private mutating func add(_ name: String, _ parameters: [CardParameter], _ value: String) {
    guard !value.trimmed.isEmpty else { return }
    let isURI = JSContactTable.byProperty[name]?.isURI == true || parameters.contains(CardParameter("VALUE", "uri"))
    lines.append(
      value.prefix(5).lowercased() == "data:"
        ? CardLine(name, parameters: parameters, plain: value, version: .v40)
        : isURI
          ? CardLine(name, parameters: parameters, uri: value, version: .v40)
          : CardLine(name, parameters: parameters, text: value, version: .v40))
  }

  private mutating func add(_ name: String, _ parameters: [CardParameter], list: [String]) {
    if !list.isEmpty { lines.append(CardLine(name, parameters: parameters, list: list, version: .v40)) }
  }

  /// Puts the property of an entry into its group, with its label.
  private mutating func group(from start: Int, label: String, _ entry: JSONNode) {
    guard start < lines.count else { return }
    var name = (entry["vCardParams"]?["group"]?.value.text ?? "").filter(JCardProperty.isOfGroup)
    if !label.isEmpty, name.isEmpty {
      repeat {
        name = "item\(nextGroup)"
        nextGroup += 1
      } while groups.contains(name)
    }
    if !name.isEmpty { lines[start] = lines[start].inGroup(name) }
    guard !label.isEmpty, labeled.insert(name).inserted else { return }
    lines.append(CardLine("X-ABLabel", group: name, text: label, version: .v40))
  }
}

extension JSONNode {
  /// The member of an object; nil if there is none.
  subscript(key: String) -> JSONNode? {
    value.members?[key].map { JSONNode(path: path.isEmpty ? key : path + "." + key, value: $0) }
  }

  /// Returns the keys of an object whose values are true.
  fileprivate func set() throws(ContactJSONError) -> [String] {
    try object().filter { $0.value == .bool(true) }.map(\.key)
  }

  /// Returns the members of an object.
  fileprivate func entries() throws(ContactJSONError) -> [(String, JSONNode)] {
    try object().keys.compactMap { key in self[key].map { (key, $0) } }
  }
}

/// A writer of contacts as JSContact Cards (RFC 9553).
public struct JSContactWriter: Sendable {
  private let cards = ContactCardWriter(version: .v40)

  /// Creates a writer.
  public init() {}

  /// Returns the Card of a contact on one line, without a line end.
  public func text(of contact: Contact, photo: CardBinary?) -> String {
    JSONValue.object(JSContactComposer.card(of: cards.card(for: contact, photo: photo).lines)).json
  }
}
