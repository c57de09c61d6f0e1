import Contacts
import Foundation

/// The fields that differ between two states of a contact, with both values.
package struct ContactDelta: Hashable, Sendable {
  package struct Change: Hashable, Sendable {
    /// Name of the field (``ContactField/name``), `uid` or `folders`.
    package let name: String
    /// Its value before and after, as encoded by ``FieldBytes``.
    var before: Data
    var after: Data
  }

  package private(set) var changes: [Change] = []

  var isEmpty: Bool { changes.isEmpty }

  package init(from old: Contact, to new: Contact) {
    if old.uid != new.uid { changes.append(Change(name: "uid", before: Data(old.uid.utf8), after: Data(new.uid.utf8))) }
    for field in ContactFields.standard.all where FieldBytes.mayDiffer(field, old, new) {
      let (before, after) = (FieldBytes.data(field, of: old), FieldBytes.data(field, of: new))
      if before != after { changes.append(Change(name: field.name, before: before, after: after)) }
    }
  }

  /// The move of a contact between folders, by their ids; folders are not fields of a contact.
  init(fromFolders old: [Int64], to new: [Int64]) {
    if old != new {
      changes.append(Change(name: Self.folders, before: FieldBytes.data(old), after: FieldBytes.data(new)))
    }
  }

  /// Like ``init(from:to:)``, for contacts that differ only in their groups; the names must be sorted.
  init(fromGroups old: [String], to new: [String]) {
    let (before, after) = (FieldBytes.data(ofTexts: old), FieldBytes.data(ofTexts: new))
    if before != after { changes.append(Change(name: Self.groups, before: before, after: after)) }
  }

  static let folders = "folders"
  private static let groups = ContactField.special(.groups).name

  var changesOnlyGroups: Bool { changes.count == 1 && changes[0].name == Self.groups }

  /// Returns the names of the groups before and after; nil unless nothing but the groups changed.
  func changedGroups() throws -> (before: [String], after: [String])? {
    guard changesOnlyGroups else { return nil }
    return (try FieldBytes.texts(changes[0].before), try FieldBytes.texts(changes[0].after))
  }

  /// Returns the ids of the folders before and after; nil if the contact was not moved.
  func movedFolders() throws -> (before: [Int64], after: [Int64])? {
    try changes.first { $0.name == Self.folders }
      .map { (try FieldBytes.numbers($0.before), try FieldBytes.numbers($0.after)) }
  }

  /// Combines this change with a later one; fields that end as they began are left out.
  func followed(by later: ContactDelta) -> ContactDelta {
    var result = self
    for change in later.changes {
      if let index = result.changes.firstIndex(where: { $0.name == change.name }) {
        result.changes[index].after = change.after
      } else {
        result.changes.append(change)
      }
    }
    result.changes.removeAll { $0.before == $0.after }
    return result
  }

  /// Returns a contact with the old values of the fields.
  package func before(in contact: Contact) throws -> Contact { try apply(\.before, to: contact) }

  /// Returns a contact with the new values of the fields.
  package func after(in contact: Contact) throws -> Contact { try apply(\.after, to: contact) }

  package func changes(_ name: String) -> Bool { changes.contains { $0.name == name } }

  package func only(_ name: String) -> ContactDelta {
    var result = self
    result.changes.removeAll { $0.name != name }
    return result
  }

  private func apply(_ side: KeyPath<Change, Data>, to contact: Contact) throws -> Contact {
    var contact = contact
    for change in changes {
      if change.name == "uid" {
        contact.uid = String(decoding: change[keyPath: side], as: UTF8.self)
      } else if let field = Self.fields[change.name] {
        try FieldBytes.set(field, of: &contact, to: change[keyPath: side])
      }
    }
    return contact
  }

  private static let fields = Dictionary(
    ContactFields.standard.all.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })

  // MARK: - Bytes

  /// The version of the format of ``data``.
  private static let format = 1

  /// The encoded form stored in the book.
  package var data: Data {
    var writer = ByteWriter()
    writer.put(Self.format)
    writer.put(changes.count)
    for change in changes {
      writer.put(change.name)
      writer.put(change.before)
      writer.put(change.after)
    }
    // With the checksum, an undo does not write values that were damaged in the book.
    writer.put(Self.checksum(writer.bytes))
    return writer.bytes
  }

  private static func checksum(_ bytes: Data) -> Int {
    bytes.withUnsafeBytes { Int(bitPattern: UInt(Checksum.of($0))) }
  }

  /// - Throws: `StoreError` if these are not valid bytes of ``data``.
  package init(_ data: Data) throws {
    var sum = ByteReader(data.suffix(8))
    guard try sum.number() == Self.checksum(data.dropLast(8)) else { throw ByteReader.damaged }
    var reader = ByteReader(data)
    guard try reader.number() == Self.format else { throw ByteReader.damaged }
    for _ in 0..<(try reader.number()) {
      changes.append(Change(name: try reader.text(), before: try reader.data(), after: try reader.data()))
    }
  }
}

extension Contact {
  /// The contact without its UID, for what two sides have in common.
  package var withoutIdentity: Contact {
    var contact = self
    contact.uid = ""
    return contact
  }
}
