import Contacts

/// Recognizes the column names in exports from Google, Outlook, Apple, Thunderbird and Chinese programs, in any case and
/// as one word (`GivenName`).
///
/// Punctuation does not matter, except for the dash after a number: `Phone 1 - Label`.
struct CSVVocabulary {
  private let texts: [String: FieldSlot]
  /// Whether `Title` is the form of address, as in Outlook, where there is also a `Job Title`.
  private var titleIsPrefix = false

  init() {
    var texts: [String: FieldSlot] = [:]
    for (name, synonyms) in Self.textNames + Self.foreignTexts {
      guard let field = ContactFields.standard.text(named: name) else { continue }
      for synonym in synonyms { texts[Self.key(synonym)] = .text(field) }
    }
    // Every text field is also known by its key in JSON.
    for field in ContactFields.standard.texts where texts[Self.key(field.jsonKey)] == nil {
      texts[Self.key(field.jsonKey)] = .text(field)
    }
    for name in Self.wholeNames + Self.foreignNames { texts[Self.key(name)] = .name }
    for name in Self.foreignBirthdays { texts[Self.key(name)] = .birthday }
    for name in Self.foreignGroups { texts[Self.key(name)] = .groups }
    for (label, part, names) in Self.foreignAddresses {
      for name in names { texts[Self.key(name)] = .address(part, label: label) }
    }
    for (list, label, names) in Self.foreignValues {
      guard let field = ContactFields.standard.values(named: list) else { continue }
      for name in names { texts[Self.key(name)] = .value(field, label: label) }
    }
    for (slot, names) in Self.others { for name in names { texts[Self.key(name)] = slot } }
    for (label, name, list) in Self.labeled {
      guard let field = ContactFields.standard.values(named: list) else { continue }
      texts[Self.key(name)] = .value(field, label: label)
    }
    for field in ContactFields.standard.values {
      for label in field.shownLabels where texts[Self.key(label)] == nil {
        texts[Self.key(label)] = .value(field, label: label)
      }
    }
    self.texts = texts
  }

  /// Returns the meaning of each name of a header. The meaning of some depends on others.
  mutating func columns(named names: [String]) -> [CSVColumn?] {
    titleIsPrefix = names.contains { Self.key($0.separatedWords) == "job title" }
    return names.map { column(named: $0) }
  }

  private func column(named name: String) -> CSVColumn? {
    if let column = knownColumn(named: name) { return column }
    let separated = name.separatedWords
    return separated == name ? nil : knownColumn(named: separated)
  }

  private func knownColumn(named name: String) -> CSVColumn? {
    let key = Self.key(name)
    if key == "title", titleIsPrefix, let prefix = texts["name prefix"] { return .slot(prefix) }
    if let slot = texts[key] ?? further(key) { return .slot(slot) }
    if let part = Self.birthdayParts[key] { return .birthday(part) }
    // Google's `E-mail 2 - Type` is a label; Outlook's `E-mail 2 Type` is a protocol.
    if let column = numbered(name) { return column }
    return Self.emailTypes.contains(key) ? .emailType : phrase(key)
  }

  /// Returns the list that a column with a number has another value for: `電子メール 2 アドレス`.
  private func further(_ key: String) -> FieldSlot? {
    let words = key.split(separator: " ")
    let others = words.filter { Int($0) == nil }
    guard others.count < words.count, let slot = texts[others.joined(separator: " ")], case .value = slot else {
      return nil
    }
    return slot
  }

  /// Returns the words of a name in lower case, separated by single spaces: `E-mail 1 - Value` is `email 1 value`.
  static func key(_ name: String) -> String {
    var words = name.lowercased().removingApostrophes.split { !$0.isLetter && !$0.isNumber }.map(String.init)
    while let index = words.indices.dropLast().first(where: { words[$0] == "e" && words[$0 + 1] == "mail" }) {
      words.replaceSubrange(index...index + 1, with: ["email"])
    }
    return words.joined(separator: " ")
  }

  // MARK: - Google: `Phone 1 - Label`

  private func numbered(_ name: String) -> CSVColumn? {
    let words = Self.key(name).split(separator: " ").map(String.init)
    guard let position = words.firstIndex(where: { Int($0) != nil }), position > 0, let number = Int(words[position]),
      name.contains(" - ") || name.contains(" — ")
    else { return nil }
    let (list, part) = (words[..<position].joined(separator: " "), words[(position + 1)...].joined(separator: " "))
    if list == "address" { return Self.addressParts[part].map { .item(.addresses, number: number, $0) } }
    if list == "organization" {
      guard let name = Self.organizationParts[part],
        let field = ContactFields.standard.text(named: name)
      else { return nil }
      return .item(.organization, number: number, .text(field))
    }
    guard let field = field(called: list) else { return nil }
    switch part {
    case "label": return .item(.values(field), number: number, .label)
    case "type":
      // The type of an account says where it is used (home, work); its label is the service, if there is one.
      return .item(.values(field), number: number, field.sameness == .handle ? .location : .label)
    case "service": return .item(.values(field), number: number, .label)
    case "value", "": return .item(.values(field), number: number, .value)
    default: return nil
    }
  }

  private func field(called name: String) -> ContactField.Values? {
    ContactFields.standard.values.first { field in
      [field.singular, field.name].map(Self.key).contains(name) || Self.listNames[field.name]?.contains(name) == true
    }
  }

  // MARK: - Outlook and others: `Business Phone 2`, `Home Street`

  private func phrase(_ key: String) -> CSVColumn? {
    var words = key.split(separator: " ").map(String.init).filter { Int($0) == nil }
    guard !words.isEmpty else { return nil }
    for (ending, kind) in Self.kinds {
      let parts = ending.split(separator: " ").map(String.init)
      let isLast = words.count >= parts.count && Array(words.suffix(parts.count)) == parts
      let isFirst = words.count >= parts.count && Array(words.prefix(parts.count)) == parts
      guard isLast || isFirst else { continue }
      if isLast {
        words.removeLast(parts.count)
      } else {
        words.removeFirst(parts.count)
        // `Mail Stop` is not an email address.
        guard words.allSatisfy(Self.labelWords.contains) else { return nil }
      }
      return slot(kind, Self.label(words.filter { !["address", "number", "value"].contains($0) })).map(CSVColumn.slot)
    }
    return nil
  }

  private func slot(_ kind: Kind, _ label: String?) -> FieldSlot? {
    guard let label else { return nil }
    switch kind {
    case .address(let part): return .address(part, label: label)
    case .value(let name, let own):
      let full = own.isEmpty ? label : label.isEmpty ? own : label + " " + own
      return ContactFields.standard.values(named: name).map { .value($0, label: full) }
    }
  }

  /// Returns the label for the words that remain of a column name without its kind; nil for more than three words.
  private static func label(_ words: [String]) -> String? {
    guard words.count <= 3 else { return nil }
    let text = words.joined(separator: " ")
    return labels[text] ?? text
  }
}

extension String {
  /// The text with a blank before each capital letter inside a word: `Given Name` for `GivenName`. The first word has at
  /// least two letters, unlike in `iPhone`.
  fileprivate var separatedWords: String {
    var result = ""
    var length = 0
    for character in self {
      if character.isUppercase, length > 1, result.last?.isLowercase == true {
        result += " "
        length = 0
      }
      length = character.isLetter ? length + 1 : 0
      result.append(character)
    }
    return result
  }

  /// The text without apostrophes: `Assistant's` is one word.
  fileprivate var removingApostrophes: String { filter { $0 != "'" && $0 != "’" } }
}
