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
