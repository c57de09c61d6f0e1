import Contacts
import Foundation
import ObjectGraph

/// A new contact as a bulk write inserts it. It can be made on any thread, before the contact has an id. It is a class:
/// threads pass it on without copying it.
package final class ContactImage: Sendable {
  let uid: String
  let section: Int
  /// The names of its groups, each once, without empty ones.
  let groups: [String]
  /// The contact and its parts.
  let object: BatchObject
  /// The checksum of the contact as it will be read.
  let checksum: Int64

  /// - Parameters:
  ///   - contact: a contact with a UID.
  ///   - moment: the time of the write.
  package init(_ contact: Contact, _ derived: DerivedColumns, photo: Photo?, moment: String) {
    uid = contact.uid
    section = derived.section
    groups = contact.groups.isEmpty ? [] : Set(contact.groups).filter { !$0.isEmpty }.sorted()
    var parts = ContactFields.standard.values.flatMap(contact.parts)
    parts += contact.addressParts + contact.cardParts
    if let photo { parts.append(photo.part) }
    object = BatchObject(
      "Person", contact.attributes(derived, created: moment, modified: moment).map(\.value), parts: parts)
    var saved = StoredContact(contact: contact, derived: derived)
    (saved.contact.groups, saved.contact.photo, saved.contact.version) = (groups, photo?.summary, 1)
    (saved.contact.created, saved.contact.modified) = (moment, moment)
    var digest = ContactDigest(capacity: 2048)
    checksum = saved.whole(&digest)
  }
}

// MARK: - Objects of BookModel

extension Contact {
  /// The attributes of its `Person`, in the order of the model.
  func attributes(
    _ derived: DerivedColumns, created: String, modified: String
  ) -> [(attribute: String, value: Value)] {
    var all: [(attribute: String, value: Value)] = [
      ("uid", .string(uid)), ("kind", .string(kind.name)), ("created", .string(created)),
      ("modified", .string(modified)),
    ]
    all += derived.attributes
    for field in ContactFields.standard.all {
      switch field {
      case .text(let text): all.append((text.name, .string(self[text])))
      case .special(.birthday): all.append((field.name, birthday.map { .string($0.iso) } ?? .null))
      default: break
      }
    }
    return all
  }

  func parts(_ field: ContactField.Values) -> [BatchObject] {
    field.read(self).map { BatchObject(field.entity, [.string($0.label), .string($0.value)]) }
  }

  var addressParts: [BatchObject] {
    addresses.map { address in
      BatchObject("Address", [.string(address.label)] + AddressPart.inCardOrder.map { .string(address[$0]) })
    }
  }

  var cardParts: [BatchObject] {
    cardLines.isEmpty ? [] : [BatchObject("CardLines", [.string(StoredLines.text(cardLines))])]
  }
}

extension DerivedColumns {
  /// The attributes of `Person` that are kept in the columns, in the order of the model.
  var attributes: [(attribute: String, value: Value)] {
    [
      ("section", .string(AddressBook.sectionTitle(section))), ("name", .string(displayName)),
      ("sortKey", .data(Data(sortKey))), ("listPhone", .string(listPhone)), ("listEmail", .string(listEmail)),
    ]
  }
}

extension Photo {
  var part: BatchObject {
    let summary = summary
    return BatchObject(
      "Photo",
      [.string(mediaType), .integer(Int64(summary.bytes)), .string(summary.sha256), .data(data)])
  }
}
