import Contacts

/// A contact with what its row says of it: all that its checksums are made of.
struct StoredContact {
  var contact: Contact
  var row: ContactDigest.Row

  func whole(_ digest: inout ContactDigest) -> Int64 { digest.whole(contact, row) }

  func list(_ digest: inout ContactDigest) -> Int64 {
    digest.list(row, organization: contact.organization, contact.kind)
  }
}
