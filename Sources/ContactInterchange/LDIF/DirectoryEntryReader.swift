import Contacts
import Foundation
import VCard

/// A reader of entries of a directory as contacts, by the same attributes as LDIF.
public struct DirectoryEntryReader: Sendable {
  private let meanings: [String: LDIFVocabulary.Meaning]
  /// Attributes with the identity of an entry, besides `entryUUID` (RFC 4530): those of 389 Directory Server and of
  /// Active Directory.
  private static let identities = (text: "nsuniqueid", bytes: "objectguid")

  /// Creates a reader for contacts with these fields.
  public init() { meanings = LDIFVocabulary.meanings }

  /// The names of the attributes that a contact has a field for, apart from photos, and of the attributes that tell
  /// ``record(named:_:)`` what an entry is and what its identity is; in lower case and sorted.
  public var attributes: [String] {
    let known = meanings.compactMap { name, meaning -> String? in
      switch meaning {
      case .photo, .nothing: nil
      default: name
      }
    }
    return (known + ["objectclass", Self.identities.text, Self.identities.bytes]).sorted()
  }

  /// The names of the attributes that are photos, in lower case and sorted.
  public var photoAttributes: [String] {
    meanings.compactMap { name, meaning in
      if case .photo = meaning { name } else { nil }
    }.sorted()
  }

  /// Returns the contact of an entry; nil for a group or anything else that is not a contact.
  ///
  /// Attributes without options (`cn`) precede those with (`cn;lang-sv`). A second value of a field that holds only one
  /// is left out, but notes and the lines of a street are joined. The UID is the identity that the directory gives to
  /// the entry, or else its LDAP URL without the host.
  /// - Parameters:
  ///   - name: the entry's DN.
  ///   - attributes: the values of each attribute, in any charset.
  public func record(named name: String, _ attributes: [(name: String, values: [[UInt8]])]) -> ImportedRecord? {
    var bare: [(name: String, values: [[UInt8]])] = []
    var optional: [(name: String, values: [[UInt8]])] = []
    for (description, values) in attributes {
      let parts = description.split(separator: ";", maxSplits: 1)
      guard let first = parts.first else { continue }
      let attribute = (name: first.lowercased(), values: values)
      if parts.count == 1 { bare.append(attribute) } else { optional.append(attribute) }
    }
    let all = bare + optional
    let text = ForeignText()
    let classes = all.filter { $0.name == "objectclass" }.flatMap(\.values).map { text.text(of: $0).text.lowercased() }
    guard !LDIFVocabulary.isGroup(classes), LDIFVocabulary.isContact(classes, attributes: Set(all.map(\.name))) else {
      return nil
    }
    var person = DirectoryPerson(meanings: meanings, requiresFamily: true)
    for (name, values) in all {
      // NUL is the one character that no text of a contact may have.
      let isPhoto = if case .photo? = meanings[name] { true } else { false }
      for value in values { _ = person.add(isPhoto ? value : value.filter { $0 != 0 }, name, text) }
    }
    var record = ImportedRecord(line: 0)
    record.reference = name
    record.picture = person.picture
    record.contact = person.finish().contact
    if record.contact.uid.isEmpty { record.contact.uid = Self.uid(of: name, all) }
    return record
  }

  private static func uid(of name: String, _ attributes: [(name: String, values: [[UInt8]])]) -> String {
    func value(_ attribute: String) -> [UInt8]? { attributes.first { $0.name == attribute }?.values.first }
    if let bytes = value(identities.bytes), bytes.count == 16 { return uuid(ofWindows: bytes) }
    if let bytes = value(identities.text), !bytes.isEmpty, bytes.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) {
      return String(decoding: bytes, as: UTF8.self)
    }
    // A DN in an LDAP URL (RFC 4516, 2.1).
    return "ldap:///" + PercentEncoding.encode(name.utf8, keeping: "-._~=,+@:")
  }

  /// Returns the text of a GUID in the byte order of Windows: the first three numbers have their lowest byte first.
  private static func uuid(ofWindows bytes: [UInt8]) -> String {
    let ordered = [3, 2, 1, 0, 5, 4, 7, 6].map { bytes[$0] } + bytes[8...]
    return ordered.withUnsafeBytes { UUID(uuid: $0.loadUnaligned(as: uuid_t.self)) }.uuidString.lowercased()
  }
}

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
      let parts = value.trimmed.split(separator: " ", maxSplits: 1).map(String.init)
      guard let link = parts.first else { return .stored }
      return assembler.add(link, to: .value(field, label: parts.count > 1 ? parts[1] : ""))
    case .postalAddress(let label):
      let lines = value.split(separator: "$").map { String($0).trimmed }.filter { !$0.isEmpty }
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
    unused += others.filter { name in names[name].map { !shown.contains($0.trimmed.lowercased()) } ?? false }
    return (contact, unused, problems)
  }
}
