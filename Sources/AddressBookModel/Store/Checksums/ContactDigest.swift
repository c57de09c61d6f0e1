import Contacts
import Glibc

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

/// A fast 64-bit checksum against damage, not against tampering: eight streams of words with invertible steps, which
/// always detect a single changed word. About a millisecond for 10 MB. Books store it (``ContactDigest``), so it is
/// frozen.
package enum Checksum {
  private static let prime: UInt64 = 0x9E37_79B1_85EB_CA87

  package static func of(_ bytes: UnsafeRawBufferPointer) -> UInt64 {
    var streams = Streams()
    let whole = bytes.count & ~63
    if let base = bytes.baseAddress { streams.add(base, whole) }
    return streams.sum(bytes.count, rest: bytes[whole...])
  }

  private struct Streams {
    private var lanes: (UInt64, UInt64, UInt64, UInt64, UInt64, UInt64, UInt64, UInt64) = (1, 2, 3, 4, 5, 6, 7, 8)

    /// Adds bytes, whose number is a multiple of 64.
    @inline(__always)
    mutating func add(_ base: UnsafeRawPointer, _ count: Int) {
      var lanes = lanes
      var position = 0
      while position &+ 64 <= count {
        @inline(__always)
        func step(_ lane: UInt64, _ offset: Int) -> UInt64 {
          let mixed = (lane ^ base.loadUnaligned(fromByteOffset: position &+ offset, as: UInt64.self)) &* prime
          return mixed ^ mixed &>> 32
        }
        lanes.0 = step(lanes.0, 0)
        lanes.1 = step(lanes.1, 8)
        lanes.2 = step(lanes.2, 16)
        lanes.3 = step(lanes.3, 24)
        lanes.4 = step(lanes.4, 32)
        lanes.5 = step(lanes.5, 40)
        lanes.6 = step(lanes.6, 48)
        lanes.7 = step(lanes.7, 56)
        position &+= 64
      }
      self.lanes = lanes
    }

    /// Returns the checksum of `count` bytes, the last of which (fewer than 64) were not added and are in `rest`.
    @inline(__always)
    func sum(_ count: Int, rest: Slice<UnsafeRawBufferPointer>) -> UInt64 {
      var sum = UInt64(count)
      for lane in [lanes.0, lanes.1, lanes.2, lanes.3, lanes.4, lanes.5, lanes.6, lanes.7] { sum = mix(sum, lane) }
      for byte in rest { sum = mix(sum, UInt64(byte)) }
      return sum
    }
  }

  private static func mix(_ sum: UInt64, _ value: UInt64) -> UInt64 {
    let mixed = (sum ^ value) &* prime
    return mixed ^ mixed >> 29
  }
}
