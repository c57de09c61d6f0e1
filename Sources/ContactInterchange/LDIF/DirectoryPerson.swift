import Contacts
import VCard

/// The attributes of one entry, collected into a contact.
struct DirectoryPerson {
  private let meanings: [String: LDIFVocabulary.Meaning]
  private let requiresFamily: Bool
  private(set) var picture: [UInt8]?
  private(set) var unreadable = 0
  private var assembler: ContactAssembler
  private var date: [CSVColumn.DatePart: Int] = [:]
  private var names: [String: String] = [:]
  private var postal: [PostalAddress] = []
  private var streets: Set<String> = []

  /// - Parameters:
  ///   - requiresFamily: true for a directory, where every person must have a family name, which may just be the full
  ///     name again.
  ///   - isDayFirst: whether `3/4/1990` is 3 April; otherwise it is 4 March.
  init(meanings: [String: LDIFVocabulary.Meaning], requiresFamily: Bool, isDayFirst: Bool = false) {
    self.meanings = meanings
    assembler = ContactAssembler(isDayFirst: isDayFirst)
    self.requiresFamily = requiresFamily
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
      if case .address(.street, let label) = slot { streets.insert(label) }
      if ["cn", "sn", "givenname"].contains(name) {
        if let known = names[name], known != value { return .noField }
        names[name] = value
        return .stored
      }
      return assembler.add(value, to: slot)
    case .birthday(let part):
      guard let number = Int(value.trimmedBlanks) else { return .notADate }
      date[part] = number
      return .stored
    case .link:
      guard case .slot(.value(let field, _))? = meanings["mozillahomeurl"] else { return .noField }
      let parts = value.trimmedBlanks.split(separator: " ", maxSplits: 1).map(String.init)
      guard let link = parts.first else { return .stored }
      return assembler.add(link, to: .value(field, label: parts.count > 1 ? parts[1] : ""))
    case .postalAddress(let label):
      let lines = value.split(separator: "$").map { String($0).trimmedBlanks }.filter { !$0.isEmpty }
      if !lines.isEmpty { postal.append(PostalAddress(label: label, street: lines.joined(separator: "\n"))) }
      return .stored
    }
  }

  /// Returns the contact. A directory requires an `sn`; if it only repeats the full name (`cn`), and there is no given
  /// name, it is not taken as the family name.
  mutating func finish() -> Contact {
    let isWhole = requiresFamily && names["givenname"] == nil && names["sn"] == names["cn"]
    for name in ["cn", "sn", "givenname"] where !(isWhole && name == "sn") {
      guard let value = names[name], case .slot(let slot)? = meanings[name] else { continue }
      _ = assembler.add(value, to: slot)
    }
    // An address in parts says more than the same address as text.
    for address in postal where !streets.contains(address.label) { assembler.add(address) }
    if let month = date[.month], let day = date[.day],
      let birthday = PartialDate(year: date[.year].flatMap { $0 > 0 ? $0 : nil }, month: month, day: day)
    {
      _ = assembler.add(birthday: birthday)
    }
    return assembler.finish()
  }
}
