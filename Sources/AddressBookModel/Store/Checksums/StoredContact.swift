import Contacts

/// A contact and the other columns of its row: everything that its checksums cover.
struct StoredContact {
  var contact: Contact
  var row: ContactDigest.Row

  func whole(_ digest: inout ContactDigest) -> Int64 { digest.whole(contact, row) }

  func list(_ digest: inout ContactDigest) -> Int64 {
    digest.list(row, organization: contact.organization, contact.kind)
  }
}
