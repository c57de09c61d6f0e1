import Contacts
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
    return "ldap:///" + percentEncoded(name)
  }

  /// Returns the text of a GUID in the byte order of Windows: the first three numbers have their lowest byte first.
  private static func uuid(ofWindows bytes: [UInt8]) -> String {
    let order = [3, 2, 1, 0, 5, 4, 7, 6, 8, 9, 10, 11, 12, 13, 14, 15]
    var text = ""
    for (index, byteIndex) in order.enumerated() {
      if [4, 6, 8, 10].contains(index) { text += "-" }
      let digits = String(bytes[byteIndex], radix: 16)
      text += digits.count == 1 ? "0" + digits : digits
    }
    return text
  }

  /// Returns a DN for an LDAP URL (RFC 4516, 2.1): all but ASCII letters, digits and `-._~=,+@:` is percent-encoded.
  private static func percentEncoded(_ text: String) -> String {
    var encoded = ""
    for byte in text.utf8 {
      let character = Unicode.Scalar(byte)
      switch character {
      case "a"..."z", "A"..."Z", "0"..."9", "-", ".", "_", "~", "=", ",", "+", "@", ":": encoded += String(character)
      default: encoded += "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
      }
    }
    return encoded
  }
}
