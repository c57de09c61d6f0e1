extension Contact {
  /// Returns whether every text that both contacts have is the same, and the birthday too.
  public func agrees(with other: Contact) -> Bool {
    func agree(_ left: String, _ right: String) -> Bool { left.isEmpty || right.isEmpty || left == right }
    return ContactFields.standard.texts.allSatisfy { agree(self[$0], other[$0]) }
      && agree(birthday?.iso ?? "", other.birthday?.iso ?? "")
  }

  /// Returns whether two contacts cannot be the same person or organization: both have a name and the names differ, or
  /// both have a birthday and the days differ. Case, blanks and a missing year are ignored.
  public func contradicts(_ other: Contact) -> Bool {
    if hasOtherBirthday(than: other) { return true }
    let (mine, theirs) = (ContentKey.folded(ownName), ContentKey.folded(other.ownName))
    guard !mine.isEmpty, !theirs.isEmpty, mine != theirs else { return false }
    // The same family and given name may be displayed in another order or with a title.
    let parts = ContentKey.folded(family + "\0" + given)
    return family.isEmpty || given.isEmpty || parts != ContentKey.folded(other.family + "\0" + other.given)
  }

  /// Returns whether both have a birthday and the days differ. A missing year is ignored.
  public func hasOtherBirthday(than other: Contact) -> Bool {
    birthday?.isOther(than: other.birthday) == true
  }

  /// The contact's own name, not a number or an address that it may share.
  private var ownName: String {
    if !formattedName.isEmpty { return formattedName }
    return kind == .organization && !organization.isEmpty ? organization : composedName
  }

  /// Whether nothing but the UID and the kind is set.
  public var isEmpty: Bool {
    var empty = Contact()
    empty.uid = uid
    empty.kind = kind
    return self == empty
  }

  /// The contact without the values that a save sets, for comparing states of one contact.
  public var comparable: Contact {
    var contact = self
    contact.id = 0
    contact.uid = ""
    contact.version = 0
    contact.created = ""
    contact.modified = ""
    contact.contacted = ""
    if !groups.isEmpty { contact.groups = Set(groups.filter { !$0.isEmpty }).sorted() }
    return contact
  }
}

extension Contact {
  /// Returns this contact with the additions of a card: the card's texts and birthday win if they are not empty, and
  /// lists are combined. Nothing is removed, because a card without a UID, or a second one with the same UID, is not
  /// reliable enough for that.
  public func adding(_ card: Contact) -> Contact {
    var merged = self
    for field in ContactFields.standard.texts where !card[field].isEmpty { merged[field] = card[field] }
    merged.birthday = card.birthday ?? birthday
    for field in ContactFields.standard.values {
      let held = Set(self[keyPath: field.property])
      merged[keyPath: field.property] += card[keyPath: field.property].filter { !held.contains($0) }
    }
    merged.addresses += card.addresses.filter { !addresses.contains($0) }
    merged.groups += card.groups.filter { !groups.contains($0) }
    let known = CardLineUnit.units(of: cardLines)
    let others = card.cardLines.filter { known.isEmpty || !CardLineUnit.isAboutCard($0) }
    let joined = CardLineUnit.joined(known, CardLineUnit.units(of: others))
    if joined.count > known.count { merged.cardLines = CardLineUnit.lines(of: joined) }
    return merged
  }
}

extension Contact {
  /// Returns the contact without the labeled values and addresses that another one has too. Labels (which some formats
  /// lose), the case of email addresses and the country codes of phone numbers are ignored.
  public func withoutValues(of known: Contact) -> Contact {
    var rest = self
    for field in ContactFields.standard.values {
      func key(_ item: LabeledValue) -> ValueKey {
        field.key(of: LabeledValue(value: field.sameness == .email ? item.value.lowercased() : item.value))
      }
      let keys = Set(known[keyPath: field.property].map(key))
      let numbers = field.sameness == .phone ? known[keyPath: field.property].compactMap { DialedNumber($0.value) } : []
      rest[keyPath: field.property].removeAll { item in
        if keys.contains(key(item)) { return true }
        guard !numbers.isEmpty, let number = DialedNumber(item.value) else { return false }
        return numbers.contains(where: number.isSame)
      }
    }
    let places = Set(known.addresses.map(\.key))
    rest.addresses.removeAll { places.contains($0.key) }
    return rest
  }

  /// Returns whether another contact has every text, value, address and group that this one has. Names and what
  /// ``withoutValues(of:)`` ignores are not compared.
  public func isContained(in known: Contact) -> Bool {
    var merged = known.adding(withoutName().withoutValues(of: known))
    merged.cardLines = known.cardLines
    return merged.comparable == known.comparable
  }

  /// Returns the contact without its name and phonetic name.
  public func withoutName() -> Contact {
    var contact = self
    for field in ContactFields.standard.texts where field.isOfName { contact[field] = "" }
    return contact
  }

  /// Returns whether another contact's card has every line of this one's card, and more. Lines about the cards
  /// themselves are ignored.
  public func saysLess(than known: Contact) -> Bool {
    func keys(_ lines: [String]) -> Set<ValueKey> {
      Set(CardLineUnit.units(of: lines.filter { !CardLineUnit.isAboutCard($0) }).map(\.key))
    }
    return keys(cardLines).isStrictSubset(of: keys(known.cardLines))
  }

  /// Returns the lines of the contact's card for which it has no field, except labels and the version.
  public func linesWithoutField() -> [String] {
    cardLines.filter { !CardLineUnit.isOfField($0) }
  }
}
