import ContactSearch

extension SearchDocument {
  /// What a search looks at in a contact.
  public init(_ contact: Contact) {
    self.init(id: contact.id, name: contact.displayName)
    family = contact.family
    given = contact.given
    phoneticFamily = contact.phoneticFamily
    phoneticGiven = contact.phoneticGiven
    nickname = contact.nickname
    organization = contact.organization
    department = contact.department
    title = contact.title
    note = contact.note
    phones = contact.phones.map(\.value)
    emails = contact.emails.map(\.value)
    addresses = contact.addresses.map { address in
      [
        address.street, address.extended, address.poBox, address.city, address.region, address.postalCode,
        address.country,
      ].filter { !$0.isEmpty }.joined(separator: " ")
    }
    urls = contact.urls.map(\.value)
    groups = contact.groups
    hasPhoto = contact.photo != nil
    hasBirthday = contact.birthday != nil
    isPerson = contact.kind == .person
  }
}
