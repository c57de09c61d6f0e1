extension Contact {
  /// The contact with the texts of its fields truncated to the ``Limits``; its UID and the lines of its card stay.
  public var shortened: Contact {
    var contact = self
    for field in ContactFields.standard.texts { contact[field].shorten(to: field.limit) }
    for field in ContactFields.standard.values {
      for index in contact[keyPath: field.property].indices {
        contact[keyPath: field.property][index].label.shorten(to: Limits.label)
        contact[keyPath: field.property][index].value.shorten(to: Limits.value)
      }
    }
    for index in contact.addresses.indices {
      contact.addresses[index].label.shorten(to: Limits.label)
      for part in AddressPart.allCases { contact.addresses[index][part].shorten(to: Limits.value) }
    }
    for index in contact.groups.indices { contact.groups[index].shorten(to: Limits.name) }
    return contact
  }

  /// A quick test that is false for nearly every contact. If it is false, no text of a field is long or contains NUL,
  /// and no group name is empty.
  public var mayBeInvalid: Bool {
    func isLong(_ text: String) -> Bool {
      if text.isEmpty { return false }
      if text.utf8.count > Limits.label { return true }
      return text.utf8.withContiguousStorageIfAvailable { $0.contains(0) } ?? text.utf8.contains(0)
    }
    for field in ContactFields.standard.texts where isLong(self[field]) { return true }
    for field in ContactFields.standard.values {
      for item in field.read(self) where isLong(item.label) || isLong(item.value) { return true }
    }
    for address in addresses {
      if isLong(address.label) { return true }
      for part in AddressPart.inCardOrder where isLong(address[part]) { return true }
    }
    return groups.contains { $0.isEmpty || isLong($0) }
  }
}

extension String {
  fileprivate mutating func shorten(to limit: Int) {
    guard utf8.count > limit, unicodeScalars.count > limit else { return }
    self = String(String.UnicodeScalarView(unicodeScalars.prefix(limit)))
  }
}
