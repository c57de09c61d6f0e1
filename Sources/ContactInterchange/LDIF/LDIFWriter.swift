import Contacts
import VCard

/// A writer of contacts as LDIF (RFC 2849) with the attributes of directories and of Thunderbird's address book, and of
/// groups at the end.
///
/// A directory loads the entries below its root: each name has one part, no two entries have the same, and no line has the
/// version, which `slapadd` does not know. It requires a family name: that of a contact without one is its whole name, which `displayName` repeats, so that no reader of this
/// module takes it for a family name. A contact without any name cannot be written.
public struct LDIFWriter: Sendable {
  /// The entry of a contact, made before it is the contact's turn in the file.
  public struct Entry: Sendable {
    /// The possible names (DN) of the entry, the shortest first; none for a contact without a name.
    fileprivate let names: [String]
    /// The attribute in the last of them that the entry otherwise lacks.
    fileprivate let identity: String
    /// The lines of the entry after its name.
    fileprivate let text: String
    fileprivate let groups: [String]
    fileprivate let lost: Set<String>
    fileprivate let losesLabel: Bool

    /// Appends the entry to bytes for ``init(packed:)``.
    public func append(to bytes: inout [UInt8]) {
      let head = [text, identity, losesLabel ? "labels" : "", String(names.count), String(groups.count)]
      for text in head + names + groups + lost { PackedTexts.append(text, to: &bytes) }
    }

    fileprivate init(
      names: [String], identity: String, text: String, groups: [String], lost: Set<String>, losesLabel: Bool
    ) {
      (self.names, self.identity, self.text, self.groups) = (names, identity, text, groups)
      (self.lost, self.losesLabel) = (lost, losesLabel)
    }

    /// Creates the entry that ``append(to:)`` wrote; nil for bytes that cannot be one.
    public init?(packed bytes: UnsafeRawBufferPointer) {
      let texts = PackedTexts.texts(in: bytes)
      guard texts.count >= 5, let names = Int(texts[3]), let groups = Int(texts[4]), names >= 0, groups >= 0,
        texts.count - 5 >= names, texts.count - 5 - names >= groups
      else { return nil }
      let lists = texts[5...]
      self.init(
        names: Array(lists.prefix(names)), identity: texts[1], text: texts[0],
        groups: Array(lists.dropFirst(names).prefix(groups)), lost: Set(lists.dropFirst(names + groups)),
        losesLabel: !texts[2].isEmpty)
    }
  }

  /// A tally of what the written contacts lost.
  public private(set) var losses = LossTally()
  private var members: [String: [String]] = [:]
  /// The hashes of the names that entries have.
  private var taken: Set<Int> = []

  /// Creates a writer of a new file.
  public init() {}

  /// Writes a contact.
  /// - Parameter photo: the bytes of its photo; only a JPEG is written.
  /// - Returns: an empty line, and then the lines of the entry.
  public mutating func write(_ contact: Contact, photo: [UInt8]?) -> String { write(entry(of: contact, photo: photo)) }

  /// Writes a contact whose entry has been made already, perhaps on another thread.
  /// - Returns: an empty line, and then the lines of the entry.
  public mutating func write(_ entry: Entry) -> String {
    losses.add(entry.lost, labels: entry.losesLabel)
    guard let name = entry.names.first(where: { take($0) }) ?? entry.names.last else { return "" }
    for group in entry.groups { members[group, default: []].append(name) }
    var head = LDIFEntryWriter()
    head.add("dn", name)
    if name == entry.names.last, entry.names.count > 1 { head.add("uid", entry.identity) }
    return "\n" + head.text + entry.text
  }

  /// Returns false if an entry has the name already, in the way that directories compare names.
  private mutating func take(_ name: String) -> Bool {
    taken.insert(ContentKey.folded(name).hashValue).inserted
  }

  /// Returns the entry of a contact, for ``write(_:)``.
  /// - Parameter photo: the bytes of its photo; only a JPEG is written.
  public func entry(of contact: Contact, photo: [UInt8]?) -> Entry {
    var entry = LDIFEntryWriter()
    let name = contact.displayName
    var lost = LossTally.filled(contact)
    guard !name.trimmed.isEmpty else {
      return Entry(names: [], identity: "", text: "", groups: [], lost: lost, losesLabel: false)
    }
    lost.subtract(["formattedName", "groups"])
    for name in Self.classes { entry.add("objectclass", name) }
    entry.add("cn", name)
    if contact.family.isEmpty {
      entry.add("sn", name)
      entry.add("displayName", name)
    }
    // What the reader would take it for.
    let isOrganization =
      contact.composedName.isEmpty && !contact.organization.isEmpty && name == contact.organization
    if isOrganization != (contact.kind == .organization) {
      entry.add("businessCategory", isOrganization ? "person" : "organization")
    }
    var losesLabel = false
    for (field, attributes) in LDIFVocabulary.texts {
      guard let text = ContactFields.standard.text(named: field), let attribute = attributes.first
      else {
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
      names: Self.names(name, contact), identity: contact.uid, text: entry.text, groups: contact.groups, lost: lost,
      losesLabel: losesLabel)
  }

  /// `extensibleObject` allows attributes of other classes, such as the country in words.
  private static let classes = [
    "top", "person", "organizationalPerson", "inetOrgPerson", "mozillaAbPersonAlpha", "extensibleObject",
  ]

  /// Returns the entries of the groups of all written contacts, for the end of the file.
  public mutating func groups() -> String {
    members.sorted { $0.key < $1.key }.map { name, members in
      var entry = LDIFEntryWriter()
      var (own, kind, number) = (Self.part("cn", name), "", 1)
      // Directories ignore the case of names.
      while !take(own) {
        kind = number == 1 ? "group" : "group \(number)"
        own = Self.part("cn", name) + "+" + Self.part("businessCategory", kind)
        number += 1
      }
      entry.add("dn", own)
      for name in ["top", "groupOfNames"] { entry.add("objectclass", name) }
      entry.add("cn", name)
      entry.add("businessCategory", kind)
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
      // A reader takes the label from the attribute.
      if own == nil { losesLabel = true }
      let kind = value.label.split(separator: " ").last.map(String.init) ?? ""
      let similar = LDIFVocabulary.values.first { $0.field == field && $0.label == kind }
      entry.add((own ?? similar)?.attribute ?? usual, value.value)
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
      if address.label != label { losesLabel = true }
      for part in AddressPart.allCases where !address[part].isEmpty {
        let own = LDIFVocabulary.addresses.first { $0.label == label && $0.part == part }
        // `c` has codes only (RFC 4519, 2.2).
        let isName = part == .country && label == "work" && address.country.utf8.count != 2
        let attribute = isName ? "co" : own?.attributes.first
        if let attribute { entry.add(attribute, address[part]) } else { isWhole = false }
      }
    }
    return isWhole
  }

  /// Returns the possible names of an entry: that of the contact, with the first email address, and with the UID.
  private static func names(_ name: String, _ contact: Contact) -> [String] {
    let address = contact.emails.first?.value ?? ""
    let further = [address.isEmpty ? nil : part("mail", address), part("uid", contact.uid)].compactMap { $0 }
    return [part("cn", name)] + further.map { part("cn", name) + "+" + $0 }
  }

  /// Returns a part of a name, with the escapes of RFC 4514.
  private static func part(_ attribute: String, _ value: String) -> String { attribute + "=" + escaped(value) }

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
