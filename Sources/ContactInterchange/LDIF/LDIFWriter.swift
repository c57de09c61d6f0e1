import Contacts
import VCard

/// A writer of contacts as LDIF (RFC 2849) with the attributes of directories and of Thunderbird's address book, and of
/// groups at the end.
///
/// A contact without a family name has no `sn`. Directories require one; Thunderbird does not.
public struct LDIFWriter: Sendable {
  /// The entry of a contact, made before it is the contact's turn in the file.
  public struct Entry: Sendable {
    /// An empty line, and then the lines of the entry.
    public let text: String
    fileprivate let name: String
    fileprivate let groups: [String]
    fileprivate let lost: Set<String>
    fileprivate let losesLabel: Bool

    /// Appends the entry to bytes for ``init(packed:)``.
    public func append(to bytes: inout [UInt8]) {
      let head = [text, name, losesLabel ? "labels" : "", String(groups.count)]
      for text in head + groups + lost { PackedTexts.append(text, to: &bytes) }
    }

    fileprivate init(text: String, name: String, groups: [String], lost: Set<String>, losesLabel: Bool) {
      (self.text, self.name, self.groups, self.lost, self.losesLabel) = (text, name, groups, lost, losesLabel)
    }

    /// Creates the entry that ``append(to:)`` wrote; nil for bytes that cannot be one.
    public init?(packed bytes: UnsafeRawBufferPointer) {
      let texts = PackedTexts.texts(in: bytes)
      guard texts.count >= 4, let count = Int(texts[3]), (0...texts.count - 4).contains(count) else { return nil }
      self.init(
        text: texts[0], name: texts[1], groups: Array(texts[4..<4 + count]), lost: Set(texts[(4 + count)...]),
        losesLabel: !texts[2].isEmpty)
    }
  }

  /// A tally of what the written contacts lost.
  public private(set) var losses = LossTally()
  private let fields: ContactFields
  private let vocabulary: CardVocabulary
  private var members: [String: [String]] = [:]

  /// Creates a writer of a new file.
  public init(fields: ContactFields = .standard) {
    self.fields = fields
    vocabulary = CardVocabulary(fields)
  }

  /// The first line of the file, with its line end.
  public var header: String { "version: 1\n" }

  /// Writes a contact.
  /// - Parameter photo: the bytes of its photo; only a JPEG is written.
  /// - Returns: an empty line, and then the lines of the entry.
  public mutating func write(_ contact: Contact, photo: [UInt8]?) -> String { write(entry(of: contact, photo: photo)) }

  /// Writes a contact whose entry has been made already, perhaps on another thread.
  /// - Returns: an empty line, and then the lines of the entry.
  public mutating func write(_ entry: Entry) -> String {
    for group in entry.groups { members[group, default: []].append(entry.name) }
    losses.add(entry.lost, labels: entry.losesLabel)
    return entry.text
  }

  /// Returns the entry of a contact, for ``write(_:)``.
  /// - Parameter photo: the bytes of its photo; only a JPEG is written.
  public func entry(of contact: Contact, photo: [UInt8]?) -> Entry {
    var entry = LDIFEntryWriter()
    let name = Self.name(of: contact)
    let dn = Self.distinguishedName(name, contact.emails.first?.value)
    entry.add("dn", dn)
    for name in ["top", "person", "organizationalPerson", "inetOrgPerson", "mozillaAbPersonAlpha"] {
      entry.add("objectclass", name)
    }
    entry.add("cn", name)
    var lost = LossTally.filled(contact, fields, vocabulary).subtracting(["formattedName", "groups"])
    var losesLabel = false
    for (field, attributes) in LDIFVocabulary.texts {
      guard let text = fields.texts.first(where: { $0.name == field }), let attribute = attributes.first else {
        continue
      }
      if !contact[text].isEmpty { entry.add(Self.spelling[attribute] ?? attribute, contact[text]) }
      lost.remove(field)
    }
    add(contact.phones, "phones", "telephoneNumber", &entry, &lost, &losesLabel)
    add(contact.emails, "emails", "mail", &entry, &lost, &losesLabel)
    addLinks(contact.urls, &entry, &lost)
    addHandles(contact.handles, &entry, &lost)
    if addAddresses(contact.addresses, &entry, &losesLabel) { lost.remove("addresses") }
    if let birthday = contact.birthday {
      if let year = birthday.year { entry.add("birthyear", String(year)) }
      entry.add("birthmonth", String(birthday.month))
      entry.add("birthday", String(birthday.day))
      lost.remove("birthday")
    }
    if let photo, photo.starts(with: [0xFF, 0xD8, 0xFF]) {
      entry.add("jpegPhoto", bytes: photo)
      lost.remove("photo")
    }
    return Entry(
      text: "\n" + entry.text, name: dn, groups: contact.groups, lost: lost, losesLabel: losesLabel)
  }

  /// Returns the entries of the groups of all written contacts, for the end of the file.
  public func groups() -> String {
    members.sorted { $0.key < $1.key }.map { name, members in
      var entry = LDIFEntryWriter()
      entry.add("dn", Self.distinguishedName(name, nil))
      for name in ["top", "groupOfNames"] { entry.add("objectclass", name) }
      entry.add("cn", name)
      for member in members { entry.add("member", member) }
      return "\n" + entry.text
    }.joined()
  }

  private func add(
    _ values: [LabeledValue], _ field: String, _ usual: String, _ entry: inout LDIFEntryWriter,
    _ lost: inout Set<String>, _ losesLabel: inout Bool
  ) {
    for value in values {
      let own = LDIFVocabulary.values.first { $0.field == field && $0.label == value.label }
      if own == nil, !value.label.isEmpty { losesLabel = true }
      entry.add(own?.attribute ?? usual, value.value)
    }
    lost.remove(field)
  }

  private func addLinks(_ links: [LabeledValue], _ entry: inout LDIFEntryWriter, _ lost: inout Set<String>) {
    var written: Set<String> = []
    for link in links {
      let own = LDIFVocabulary.values.first { $0.field == "urls" && $0.label == link.label && !link.label.isEmpty }
      if let own, written.insert(own.attribute).inserted {
        entry.add(own.attribute, link.value)
      } else {
        entry.add("labeledURI", link.label.isEmpty ? link.value : link.value + " " + link.label)
      }
    }
    lost.remove("urls")
  }

  private func addHandles(_ handles: [LabeledValue], _ entry: inout LDIFEntryWriter, _ lost: inout Set<String>) {
    var isWhole = true
    for handle in handles {
      let own = LDIFVocabulary.values.first { $0.field == "handles" && $0.label == handle.label }
      if let own { entry.add(own.attribute, handle.value) } else { isWhole = false }
    }
    if isWhole { lost.remove("handles") }
  }

  /// Writes the first home address, and the first of all others as the work address.
  /// - Returns: false if there are more addresses, or parts without an attribute.
  private func addAddresses(
    _ addresses: [PostalAddress], _ entry: inout LDIFEntryWriter, _ losesLabel: inout Bool
  ) -> Bool {
    var free: Set<String> = ["work", "home"]
    var isWhole = true
    for address in addresses {
      let label = address.label == "home" ? "home" : "work"
      guard free.remove(label) != nil else {
        isWhole = false
        continue
      }
      if address.label != label, !address.label.isEmpty { losesLabel = true }
      for part in AddressPart.allCases where !address[part].isEmpty {
        let own = LDIFVocabulary.addresses.first { $0.label == label && $0.part == part }
        if let attribute = own?.attributes.first { entry.add(attribute, address[part]) } else { isWhole = false }
      }
    }
    return isWhole
  }

  private static func name(of contact: Contact) -> String {
    let name = contact.displayName
    return name.isEmpty ? contact.uid : name
  }

  /// Returns a DN as Thunderbird makes it, with the escapes of RFC 4514.
  private static func distinguishedName(_ name: String, _ address: String?) -> String {
    let parts = [("cn", name), ("mail", address ?? "")].filter { !$0.1.isEmpty }
    return parts.map { $0.0 + "=" + escaped($0.1) }.joined(separator: ",")
  }

  private static func escaped(_ text: String) -> String {
    var result = ""
    for (index, character) in text.unicodeScalars.enumerated() {
      let isEdge =
        (index == 0 && (character == " " || character == "#"))
        || (index == text.unicodeScalars.count - 1 && character == " ")
      if character == "\n" || character == "\r" {
        result += character == "\n" ? "\\0A" : "\\0D"
      } else {
        if isEdge || "\"+,;<>\\".unicodeScalars.contains(character) { result += "\\" }
        result.unicodeScalars.append(character)
      }
    }
    return result
  }

  private static let spelling = [
    "givenname": "givenName", "personaltitle": "personalTitle", "generationqualifier": "generationQualifier",
    "mozillanickname": "mozillaNickname",
  ]
}

private struct LDIFEntryWriter {
  private(set) var text = ""

  mutating func add(_ name: String, _ value: String) {
    guard !value.isEmpty else { return }
    if Self.isSafe(value) { fold("\(name): \(value)") } else { add(name, bytes: Array(value.utf8)) }
  }

  mutating func add(_ name: String, bytes: [UInt8]) { fold("\(name):: \(Base64.encode(bytes))") }

  /// Returns whether a value is a SAFE-STRING of RFC 2849 that is not empty and does not end with a space.
  private static func isSafe(_ value: String) -> Bool {
    let bytes = value.utf8
    guard let first = bytes.first, first != 0x20, first != 0x3A, first != 0x3C, bytes.last != 0x20 else { return false }
    return bytes.allSatisfy { $0 != 0 && $0 != 0x0A && $0 != 0x0D && $0 < 0x80 }
  }

  /// Appends a line, folded into lines of at most 76 bytes.
  private mutating func fold(_ line: String) {
    var rest = Substring(line)
    var room = 76
    while !rest.isEmpty {
      if room == 75 { text += " " }
      text += rest.prefix(room) + "\n"
      rest = rest.dropFirst(room)
      room = 75
    }
  }
}
