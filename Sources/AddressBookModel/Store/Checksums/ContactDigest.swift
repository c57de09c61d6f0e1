import Contacts

/// The computation of a contact's checksum: 64 bits over all its values except the bytes of its photo.
///
/// It is stored, so the definition is frozen. Empty fields are left out, and the values are in a fixed order, each
/// after a fixed name, mostly that of its column or table: a field that is added later does not change the checksum of a
/// contact without it. ``StoredContact`` adds the contact's version.
package struct ContactDigest {
  private static let texts = ContactFields.standard.texts.sorted { $0.column < $1.column }
    .map { (field: $0, name: encoded($0.column)) }
  private static let values = ContactFields.standard.values.sorted { $0.table < $1.table }
    .map { (field: $0, name: encoded($0.table)) }
  private static let parts = AddressPart.allCases.sorted { $0.column < $1.column }
    .map { (part: $0, name: encoded($0.column)) }

  /// The other names, as they are appended. They stay as they are, even if a table now has another name.
  private enum Name {
    static let uid = encoded("uid")
    static let birthday = encoded("birthday")
    static let address = encoded("address")
    static let cardLine = encoded("card_line")
    static let group = encoded("group")
    static let photo = encoded("avatar")
    static let created = encoded("created_at")
    static let modified = encoded("modified_at")
    static let deleted = encoded("deleted_at")
    static let displayName = encoded("display_name")
    static let listPhone = encoded("list_phone")
    static let listEmail = encoded("list_email")
  }

  private static func encoded(_ name: String) -> [UInt8] {
    var digest = ContactDigest()
    digest.put(name)
    return digest.bytes
  }

  /// Reused for each contact, to avoid allocations.
  private var bytes: [UInt8] = []

  package init(capacity: Int = 0) { bytes.reserveCapacity(capacity) }

  /// Returns the checksum of a whole contact, without its id, its version and the bytes of its photo, which has its own
  /// digest.
  mutating func sum(of stored: StoredContact) -> Int64 {
    let (contact, derived) = (stored.contact, stored.derived)
    bytes.removeAll(keepingCapacity: true)
    put(Name.uid, contact.uid)
    put("kind", contact.kind.rawValue)
    if let birthday = contact.birthday { put(Name.birthday, birthday.iso) }
    for index in Self.texts.indices {
      // Most texts are empty.
      let text = contact[Self.texts[index].field]
      if !text.isEmpty { put(Self.texts[index].name, text) }
    }
    for index in Self.values.indices {
      for item in Self.values[index].field.read(contact) { put(Self.values[index].name, item.label, item.value) }
    }
    for address in contact.addresses {
      put(Name.address, address.label, "")
      for (part, name) in Self.parts { put(name, address[part]) }
    }
    for line in contact.cardLines { put(Name.cardLine, line, "") }
    for group in contact.groups.sorted() { put(Name.group, group) }
    if let photo = contact.photo {
      put(Name.photo, photo.mediaType, photo.sha256)
      put("byte_count", photo.bytes)
    }
    put(Name.created, contact.created)
    put(Name.modified, contact.modified)
    put(Name.deleted, stored.deleted)
    put("sort_key", derived.sortKey)
    // What lists show, with a sum of its own, which earlier versions stored.
    let list = bytes.count
    put(Name.displayName, derived.displayName)
    put("section", derived.section)
    put(Name.listPhone, derived.listPhone)
    put(Name.listEmail, derived.listEmail)
    put("kind", contact.kind.rawValue)
    put("list", Int(truncatingIfNeeded: sum(from: list)))
    return sum(from: 0)
  }

  // MARK: - Bytes

  private func sum(from start: Int) -> Int64 {
    bytes.withUnsafeBytes { Int64(bitPattern: Checksum.of(UnsafeRawBufferPointer(rebasing: $0[start...]))) }
  }

  /// - Parameter name: as ``encoded(_:)`` returns it.
  private mutating func put(_ name: [UInt8], _ text: String) {
    if text.isEmpty { return }
    bytes += name
    put(text)
  }

  private mutating func put(_ name: [UInt8], _ first: String, _ second: String) {
    bytes += name
    put(first)
    put(second)
  }

  private mutating func put(_ name: StaticString, _ number: Int) {
    name.withUTF8Buffer { bytes.append(contentsOf: $0) }
    put(number)
  }

  private mutating func put(_ name: StaticString, _ data: [UInt8]) {
    name.withUTF8Buffer { bytes.append(contentsOf: $0) }
    put(data.count)
    bytes += data
  }

  /// Appends the length of a text and the text: no two lists of texts have the same bytes.
  private mutating func put(_ text: String) {
    var text = text
    text.withUTF8 { utf8 in
      put(utf8.count)
      bytes.append(contentsOf: utf8)
    }
  }

  private mutating func put(_ number: Int) {
    var rest = UInt64(bitPattern: Int64(number))
    // Nearly always one byte.
    if rest < 0x80 { return bytes.append(UInt8(truncatingIfNeeded: rest)) }
    repeat {
      bytes.append(UInt8(truncatingIfNeeded: rest & 0x7F) | (rest > 0x7F ? 0x80 : 0))
      rest >>= 7
    } while rest > 0
  }
}
