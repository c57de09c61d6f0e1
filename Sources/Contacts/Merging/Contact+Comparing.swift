extension Contact {
  /// True when no text that both have differs.
  /// - Parameter fields: the table of their fields.
  public func agrees(with other: Contact, fields: ContactFields = .standard) -> Bool {
    func agree(_ left: String, _ right: String) -> Bool { left.isEmpty || right.isEmpty || left == right }
    return fields.texts.allSatisfy { agree(self[$0], other[$0]) }
      && agree(birthday?.iso ?? "", other.birthday?.iso ?? "")
  }

  /// True when two contacts cannot be the same person or body: both have a name and the names differ, or both have a day
  /// of birth and the days differ. Letters of either case and blanks do not count; a missing year does not either.
  public func contradicts(_ other: Contact) -> Bool {
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

  /// What names it, and not a number or an address that it may share; an organization's name also names its contact.
  private var ownName: String {
    let name = formattedName.isEmpty ? composedName : formattedName
    if kind == .organization { return organization.isEmpty ? name : organization }
    return name
  }

  /// True when nothing is in the contact that anybody could want to keep.
  public var isEmpty: Bool {
    var empty = Contact()
    empty.uid = uid
    empty.kind = kind
    return self == empty
  }

  /// The contact without what a save gives it, to be compared with another state of the same contact.
  public var comparable: Contact {
    var contact = self
    contact.id = 0
    contact.uid = ""
    contact.version = 0
    contact.created = ""
    contact.modified = ""
    contact.groups = Set(groups.filter { !$0.isEmpty }).sorted()
    return contact
  }
}

extension Contact {
  /// This contact with what a card adds: texts of the card stand where it has any, lists hold what either has. Nothing is
  /// taken away, because a card without a UID, or a second one with the same, proves too little for that.
  /// - Parameter fields: the table of its fields.
  public func adding(_ card: Contact, fields: ContactFields = .standard) -> Contact {
    var merged = self
    for field in fields.texts where !card[field].isEmpty { merged[field] = card[field] }
    merged.birthday = card.birthday ?? birthday
    for field in fields.values {
      let held = Set(self[keyPath: field.property])
      merged[keyPath: field.property] += card[keyPath: field.property].filter { !held.contains($0) }
    }
    merged.addresses += card.addresses.filter { !addresses.contains($0) }
    merged.groups += card.groups.filter { !groups.contains($0) }
    let lines = Set(cardLines)
    merged.cardLines += card.cardLines.filter { !lines.contains($0) }
    return merged
  }
}
