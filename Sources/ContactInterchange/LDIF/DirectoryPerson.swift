import Contacts
import VCard

/// The attributes of one entry, collected into a contact.
struct DirectoryPerson {
  private let meanings: [String: LDIFVocabulary.Meaning]
  private let requiresFamily: Bool
  private let repeatsName: Bool
  private(set) var picture: [UInt8]?
  private(set) var unreadable = 0
  private var assembler: ContactAssembler
  private var birthday = BirthdayParts()
  private var birthdayNames: [String] = []
  private var names: [String: String] = [:]
  private var postal: [(name: String, label: String, text: String)] = []

  /// - Parameters:
  ///   - requiresFamily: true for a directory, where every person must have a family name, which may just be the full
  ///     name again.
  ///   - repeatsName: whether a family name that is the full name is none, even beside a given name.
  ///   - isDayFirst: whether `3/4/1990` is 3 April; otherwise it is 4 March.
  init(
    meanings: [String: LDIFVocabulary.Meaning], requiresFamily: Bool, repeatsName: Bool = false,
    isDayFirst: Bool = false
  ) {
    self.meanings = meanings
    assembler = ContactAssembler(isDayFirst: isDayFirst)
    self.requiresFamily = requiresFamily
    self.repeatsName = repeatsName
  }

  mutating func add(_ bytes: [UInt8], _ name: String, _ decoder: ForeignText) -> ContactAssembler.Outcome {
    guard let meaning = meanings[name] else { return bytes.isEmpty ? .stored : .noField }
    if case .photo = meaning {
      guard picture == nil else { return .noField }
      picture = bytes
      return .stored
    }
    let decoded = decoder.text(of: bytes)
    unreadable += decoded.replaced
    let value = decoded.text
    switch meaning {
    case .nothing, .photo: return .stored
    case .slot(let slot):
      if ["cn", "sn", "givenname"].contains(name) {
        if let known = names[name], known != value { return .noField }
        names[name] = value
        return .stored
      }
      return assembler.add(value, to: slot)
    case .birthday(let part):
      birthdayNames.append(name)
      return birthday.add(value, as: part)
    case .link:
      guard case .slot(.value(let field, _))? = meanings["mozillahomeurl"] else { return .noField }
      let parts = value.trimmedBlanks.split(separator: " ", maxSplits: 1).map(String.init)
      guard let link = parts.first else { return .stored }
      return assembler.add(link, to: .value(field, label: parts.count > 1 ? parts[1] : ""))
    case .postalAddress(let label):
      let lines = value.split(separator: "$").map { String($0).trimmedBlanks }.filter { !$0.isEmpty }
      if !lines.isEmpty { postal.append((name, label, lines.joined(separator: "\n"))) }
      return .stored
    }
  }

  /// Returns the contact, and what only shows at the end to be left out: attributes, and problems with dates. A directory
  /// requires an `sn`; if it only repeats the full name (`cn`), and there is no given name, it is not taken as the family
  /// name.
  mutating func finish() -> (contact: Contact, unused: [String], problems: [RecordProblem]) {
    var unused: [String] = []
    var problems: [RecordProblem] = []
    let isWhole = names["sn"] == names["cn"] && (repeatsName || requiresFamily && names["givenname"] == nil)
    var others: [String] = []
    for name in ["cn", "sn", "givenname"] {
      guard let value = names[name], case .slot(let slot)? = meanings[name] else { continue }
      if isWhole && name == "sn" || assembler.add(value, to: slot) != .stored { others.append(name) }
    }
    for (name, label, text) in postal where assembler.add(formatted: text, label: label) != .stored {
      unused.append(name)
    }
    switch assembler.add(birthday: birthday) {
    case .stored, .ambiguousDate: break
    case .noField: unused += birthdayNames
    case .notADate: problems.append(.notADate(name: birthdayNames.joined(separator: ", "), text: birthday.text))
    }
    let contact = assembler.finish()
    // `cn` beside another `displayName`: nothing is lost if the parts of the name, or another attribute, say the same.
    let shown = [contact.displayName, contact.composedName].map { $0.lowercased() }
    unused += others.filter { name in names[name].map { !shown.contains($0.trimmedBlanks.lowercased()) } ?? false }
    return (contact, unused, problems)
  }
}
