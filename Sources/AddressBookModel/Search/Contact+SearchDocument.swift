import ContactSearch

extension Contact {
  /// What a search sees of the contact.
  public var searchDocument: SearchDocument {
    var document = SearchDocument(id: id, name: displayName)
    document.family = family
    document.given = given
    document.phoneticFamily = phoneticFamily
    document.phoneticGiven = phoneticGiven
    document.nickname = nickname
    document.organization = organization
    document.department = department
    document.title = title
    document.note = note
    document.phones = phones.map(\.value)
    document.emails = emails.map(\.value)
    document.addresses = addresses.map(\.line)
    document.urls = urls.map(\.value)
    document.groups = groups
    document.hasPhoto = photo != nil
    document.hasBirthday = birthday != nil
    document.isPerson = kind == .person
    return document
  }
}

extension PostalAddress {
  /// The parts that hold text, with blanks between them.
  public var line: String {
    [poBox, extended, street, city, region, postalCode, country].filter { !$0.isEmpty }.joined(separator: " ")
  }
}
