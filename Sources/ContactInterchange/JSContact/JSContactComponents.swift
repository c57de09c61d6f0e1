import Contacts
import VCard

/// The components of a name or an address, and the lists of texts in the parts of N or ADR that they stand in
/// (RFC 9554, 2). JSCOMPS has their order and what separates them (RFC 9555, 3.3.1).
struct JSContactComponents {
  /// The text of each part, and its pronunciation in a property of its own.
  private(set) var lists: [[String]]
  private(set) var phonetics: [[String]]
  /// The value of JSCOMPS; nil for components without an order.
  private(set) var order: String?

  // MARK: - Reading a property

  /// Returns the members of a name or an address: `components`, `isOrdered` and `defaultSeparator`.
  static func members(of line: CardLine, kinds: [String]) -> JSONMembers {
    let lists = line.componentLists
    var components: [[Int]: JSONValue] = [:]
    for (part, texts) in lists.enumerated() where part < kinds.count && !isRepeated(part, lists, kinds) {
      for index in ownIndices(part, lists, isName: kinds.count == 7) where !texts[index].isEmpty {
        components[[part, index]] = .object(["kind": .text(kinds[part]), "value": .text(texts[index])])
      }
    }
    guard !components.isEmpty else { return [:] }
    if let order = line.values(of: "JSCOMPS").first, let ordered = ordered(components, by: order) { return ordered }
    let places = components.keys.sorted { $0.lexicographicallyPrecedes($1) }
    return ["components": .list(places.compactMap { components[$0] })]
  }

  /// Returns the places of the texts that a part of a name does not have for the new parts only, in which they stand again.
  private static func ownIndices(_ part: Int, _ lists: [[String]], isName: Bool) -> [Int] {
    let indices = Array(lists[part].indices)
    guard isName, let new = [0: 5, 4: 6][part], new < lists.count else { return indices }
    var others = lists[new]
    let own = indices.reversed().filter { index in
      guard let known = others.firstIndex(of: lists[part][index]) else { return true }
      others.remove(at: known)
      return false
    }
    return own.isEmpty && part == 0 ? indices : own.reversed()
  }

  /// Whether a part of an address has only what the new parts after it have.
  private static func isRepeated(_ part: Int, _ lists: [[String]], _ kinds: [String]) -> Bool {
    kinds.count > 7 && (part == 1 || part == 2) && lists.dropFirst(7).contains { $0.contains { !$0.isEmpty } }
  }

  /// Returns the components in an order; nil if the order does not name each exactly once, as after an edit.
  private static func ordered(_ components: [[Int]: JSONValue], by order: String) -> JSONMembers? {
    let entries = CardLine("X", plain: order, version: .v40).componentLists
    var result: [JSONValue] = []
    var seen: Set<[Int]> = []
    for entry in entries.dropFirst() {
      if entry.count == 2, entry[0] == "s" {
        result.append(.object(["kind": .text("separator"), "value": .text(entry[1])]))
        continue
      }
      let place = entry.compactMap { Int($0) } + (entry.count == 1 ? [0] : [])
      guard let component = components[place], seen.insert(place).inserted else { return nil }
      result.append(component)
    }
    guard seen.count == components.count else { return nil }
    var members: JSONMembers = ["components": .list(result), "isOrdered": .bool(true)]
    if let first = entries.first, first.count == 2, first[0] == "s" { members["defaultSeparator"] = .text(first[1]) }
    return members
  }

  /// Puts the pronunciation in the parts of another property into the components.
  static func add(_ phonetics: [String: String], to members: inout JSONMembers) -> Bool {
    var left = phonetics
    let components = members["components"]?.elements?.map { component -> JSONValue in
      guard var own = component.members, let kind = own["kind"]?.text, let text = left.removeValue(forKey: kind) else {
        return component
      }
      own["phonetic"] = .text(text)
      return .object(own)
    }
    guard let components, left.isEmpty else { return false }
    members["components"] = .list(components)
    return true
  }

  // MARK: - Reading a Card

  /// Reads the components of a name or an address.
  init(_ node: JSONNode, kinds: [String]) throws(ContactJSONError) {
    lists = Array(repeating: [], count: kinds.count)
    phonetics = lists
    let isOrdered = try node.object()["isOrdered"] == .bool(true)
    let list = try node["components"]?.list { item throws(ContactJSONError) in
      _ = try item.object()
      return (
        kind: try item["kind"]?.text() ?? "", value: try item["value"]?.text() ?? "",
        phonetic: try item["phonetic"]?.text() ?? ""
      )
    }
    let all = list ?? []
    let isNew = isOrdered || all.contains { (kinds.firstIndex(of: $0.kind) ?? 0) > 6 }
    var entries: [[String]] = []
    for (kind, value, phonetic) in all {
      if kind == "separator" { entries.append(["s", value]) }
      let part = isNew ? kinds.lastIndex(of: kind) : kinds.firstIndex(of: kind)
      guard let part, !value.isEmpty else { continue }
      if kinds.count == 7 {
        if part == 5 { lists[0].append(value) }
        if part == 6 { lists[4].append(value) }
      }
      entries.append([String(part)] + (lists[part].isEmpty ? [] : [String(lists[part].count)]))
      lists[part].append(value)
      phonetics[part].append(phonetic)
    }
    phonetics = phonetics.map { $0.allSatisfy(\.isEmpty) ? [] : $0 }
    if kinds.count > 7 {
      if isNew { repeatNewParts(all.filter { (kinds.lastIndex(of: $0.kind) ?? 0) > 6 }) } else { lists.removeLast(11) }
    }
    guard isOrdered, !entries.isEmpty else { return }
    let separator = try node["defaultSeparator"]?.text()
    entries.insert(separator.map { ["s", $0] } ?? [""], at: 0)
    order = CardLine("X", lists: entries, version: .v40).rawValue
  }

  /// Writes the street and the extended address, which programs that know only the first parts show.
  private mutating func repeatNewParts(_ components: [(kind: String, value: String, phonetic: String)]) {
    let isExtended = { (kind: String) in JSContactTable.extended.contains(kind) }
    let extended = components.filter { isExtended($0.kind) }.map(\.value).joined(separator: ", ")
    let street = components.filter { !isExtended($0.kind) }.map(\.value).joined(separator: " ")
    lists[1] = extended.isEmpty ? [] : [extended]
    lists[2] = street.isEmpty ? [] : [street]
  }

  /// Returns the name that a list shows for the parts of N.
  static func shownName(_ lists: [[String]]) -> String {
    func text(_ part: Int) -> String {
      (part < lists.count ? lists[part] : []).joined(separator: part == 4 ? ", " : " ")
    }
    var contact = Contact()
    (contact.family, contact.given, contact.middle) = (text(0), text(1), text(2))
    (contact.prefix, contact.suffix) = (text(3), text(4))
    return contact.composedName
  }

  var isEmpty: Bool { lists.allSatisfy(\.isEmpty) }
  var hasPhonetics: Bool { phonetics.contains { $0.contains { !$0.isEmpty } } }
}

extension CardLine {
  /// Creates a property of parts that are lists, in the syntax of the version.
  init(
    _ name: String, group: String = "", parameters: [CardParameter] = [], lists: [[String]], version: CardVersion
  ) {
    let parts = lists.map { list in
      list.map { CardLine("X", text: $0, version: version).rawValue }.joined(separator: ",")
    }
    self.init(name, group: group, parameters: parameters, plain: parts.joined(separator: ";"), version: version)
  }
}
