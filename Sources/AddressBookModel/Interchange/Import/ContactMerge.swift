extension Contact {
  /// This contact with what a card adds: texts of the card stand where it has any, lists hold what either has. Nothing is
  /// taken away, because a card without a UID, or a second one with the same, proves too little for that.
  func adding(_ card: Contact) -> Contact {
    var merged = self
    for (_, property) in ContactLoader.textColumns where !card[keyPath: property].isEmpty {
      merged[keyPath: property] = card[keyPath: property]
    }
    merged.birthday = card.birthday ?? birthday
    for (_, property) in ContactLoader.labelledTables {
      let held = Set(self[keyPath: property])
      merged[keyPath: property] += card[keyPath: property].filter { !held.contains($0) }
    }
    merged.addresses += card.addresses.filter { !addresses.contains($0) }
    merged.groups += card.groups.filter { !groups.contains($0) }
    let lines = Set(cardLines)
    merged.cardLines += card.cardLines.filter { !lines.contains($0) }
    return merged
  }

  /// True when no text that both have differs.
  func agrees(with other: Contact) -> Bool {
    func agree(_ left: String, _ right: String) -> Bool { left.isEmpty || right.isEmpty || left == right }
    return ContactLoader.textColumns.allSatisfy { _, property in
      agree(self[keyPath: property], other[keyPath: property])
    } && agree(birthday?.iso ?? "", other.birthday?.iso ?? "")
  }

  /// True when two contacts cannot be the same person or body: both have a name and the names differ, or both have a day
  /// of birth and the days differ. Letters of either case and blanks do not count; a missing year does not either.
  func contradicts(_ other: Contact) -> Bool {
    if let mine = birthday, let theirs = other.birthday {
      if mine.month != theirs.month || mine.day != theirs.day { return true }
      if let year = mine.year, let theirYear = theirs.year, year != theirYear { return true }
    }
    let (mine, theirs) = (ContentKey.folded(ownName), ContentKey.folded(other.ownName))
    guard !mine.isEmpty, !theirs.isEmpty, mine != theirs else { return false }
    // The same family and given name, shown in another order or with a title.
    let parts = ContentKey.folded(family + "\0" + given)
    return family.isEmpty || given.isEmpty || parts != ContentKey.folded(other.family + "\0" + other.given)
  }

  /// What names it, and not a number or an address that it may share; an organisation's name also names its contact.
  private var ownName: String {
    let name = formattedName.isEmpty ? composedName : formattedName
    if kind == .organization { return organization.isEmpty ? name : organization }
    return name
  }

  /// The contact with every text cut to what ``Limits`` allow.
  var shortened: Contact {
    var contact = self
    for (column, property) in ContactLoader.textColumns {
      contact[keyPath: property].shorten(to: column == "note" ? Limits.note : Limits.name)
    }
    for (_, property) in ContactLoader.labelledTables {
      for place in contact[keyPath: property].indices {
        contact[keyPath: property][place].label.shorten(to: Limits.label)
        contact[keyPath: property][place].value.shorten(to: Limits.value)
      }
    }
    let parts: [WritableKeyPath<PostalAddress, String>] = [
      \.label, \.poBox, \.extended, \.street, \.city, \.region, \.postalCode, \.country,
    ]
    for place in contact.addresses.indices {
      for part in parts { contact.addresses[place][keyPath: part].shorten(to: Limits.value) }
    }
    for place in contact.groups.indices { contact.groups[place].shorten(to: Limits.name) }
    return contact
  }

  /// False for nearly every contact, quickly: no text is long, holds NUL, or is the empty name of a group.
  var mayBreakRules: Bool {
    func isOdd(_ text: String) -> Bool { text.utf8.count > Limits.label || text.utf8.contains(0) }
    for (_, property) in ContactLoader.textColumns where isOdd(self[keyPath: property]) { return true }
    for (_, property) in ContactLoader.labelledTables {
      for value in self[keyPath: property] where isOdd(value.label) || isOdd(value.value) { return true }
    }
    for address in addresses {
      for part in [
        address.label, address.poBox, address.extended, address.street, address.city, address.region,
        address.postalCode,
        address.country,
      ] where isOdd(part) { return true }
    }
    return groups.contains { $0.isEmpty || isOdd($0) }
  }

  /// True when nothing is in the contact that anybody could want to keep.
  var holdsNothing: Bool {
    var empty = Contact()
    empty.uid = uid
    empty.kind = kind
    return self == empty
  }
}

extension String {
  fileprivate mutating func shorten(to limit: Int) {
    guard utf8.count > limit, unicodeScalars.count > limit else { return }
    self = String(String.UnicodeScalarView(unicodeScalars.prefix(limit)))
  }
}
