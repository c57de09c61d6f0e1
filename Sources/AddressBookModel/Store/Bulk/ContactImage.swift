import Contacts

/// A new contact as a bulk write inserts it. It can be made on any thread, before the contact has an id. It is a class:
/// threads pass it on without copying it.
final class ContactImage: Sendable {
  let uid: String
  let section: Int
  /// The names of its groups, each once, without empty ones.
  let groups: [String]
  /// Its own row, those of its parts, and its checksum.
  let rows: BoundRows

  /// - Parameters:
  ///   - contact: a contact with a UID.
  ///   - moment: the time of the write.
  init(_ contact: Contact, _ derived: DerivedColumns, photo: Photo?, moment: String) {
    uid = contact.uid
    section = derived.section
    groups = contact.groups.isEmpty ? [] : Set(contact.groups).filter { !$0.isEmpty }.sorted()
    var rows = BoundRows(values: 64, bytes: 1024)
    rows.append(.contact) { rows in
      rows.put(contact.uid)
      rows.put(contact.kind.rawValue)
      rows.put(contact.birthday?.iso)
      for field in ContactFields.standard.texts { rows.put(contact[field]) }
      rows.put(derived.displayName)
      rows.put(derived.section)
      rows.put(blob: derived.sortKey)
      rows.put(derived.listPhone)
      rows.put(derived.listEmail)
      rows.put(moment)
      rows.put(moment)
    }
    for (index, field) in ContactFields.standard.values.enumerated() {
      rows.append(field.read(contact), ofField: index)
    }
    rows.append(contact.addresses)
    rows.append(cardLines: contact.cardLines)
    if let photo { rows.append(photo) }
    // The checksum of the contact as it will be read.
    let saved = ContactDigest.Saved(groups: groups, photo: photo?.summary, created: moment, modified: moment)
    let row = ContactDigest.Row(derived)
    var digest = ContactDigest(capacity: rows.bytes.count + 512)
    rows.append(.checksum) { rows in
      rows.put(digest.whole(contact, row, saved) ^ StoredContact.mark(of: 1))
    }
    self.rows = rows
  }
}
