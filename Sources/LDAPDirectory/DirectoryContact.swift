import ContactInterchange
import Contacts

/// An entry of a directory as a contact.
public struct DirectoryContact: Hashable, Sendable, Identifiable {
  /// The entry's DN, unique in the directory.
  public let id: String
  /// The contact: with a UID, without an id in a book or a photo, and within the limits of a book.
  public let contact: Contact
  /// The bytes of its photo, unchecked; nil if it has none, or if photos were not requested.
  public let picture: [UInt8]?

  /// Creates a contact.
  public init(id: String, contact: Contact, picture: [UInt8]? = nil) {
    self.id = id
    self.contact = contact
    self.picture = picture
  }

  /// Creates the contact of an entry; nil if the entry is not a contact.
  init?(_ entry: LDAPEntry, _ reader: DirectoryEntryReader, photos: Set<String>) {
    let attributes = entry.attributes.map { attribute -> (name: String, values: [[UInt8]]) in
      let name = attribute.name.prefix { $0 != ";" }.lowercased()
      guard !photos.contains(name) else { return (attribute.name, attribute.values) }
      return (attribute.name, attribute.values.map(Self.shortened))
    }
    guard let record = reader.record(named: entry.name, attributes) else { return nil }
    self.init(id: entry.name, contact: record.contact.shortened, picture: record.picture)
  }

  /// Returns the value, cut to the limit, without part of a character at the end.
  private static func shortened(_ value: [UInt8]) -> [UInt8] {
    guard value.count > LDAPEntry.limit.text else { return value }
    var cut = value.prefix(LDAPEntry.limit.text)
    while let last = cut.last, last >= 0x80 {
      cut.removeLast()
      if last >= 0xC0 { break }
    }
    return Array(cut)
  }
}

/// An entry from a server, which may send anything: what exceeds the limits is left out.
struct LDAPEntry {
  /// The most that is read: values of an attribute, attributes, bytes of a value that is not a photo.
  static let limit = (values: 100, attributes: 500, text: 1 << 16)

  /// The DN.
  var name: String
  /// The names may have options after a semicolon.
  private(set) var attributes: [(name: String, values: [[UInt8]])] = []

  init(name: String) { self.name = name }

  /// Whether no more attributes are read.
  var isFull: Bool { attributes.count >= Self.limit.attributes }

  mutating func add(_ name: String, _ values: [[UInt8]]) { attributes.append((name, values)) }

  func texts(of name: String) -> [String] {
    attributes.filter { $0.name.lowercased() == name.lowercased() }.flatMap(\.values)
      .map { String(decoding: $0, as: UTF8.self) }
  }
}
