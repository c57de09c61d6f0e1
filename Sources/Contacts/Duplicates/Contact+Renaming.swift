extension Contact {
  /// Returns whether a card with this contact's UID, but another name, may still be about this contact. Otherwise the
  /// card's program has given the UID to someone else.
  ///
  /// A shared phone number, email address or birthday shows that it is the same contact; otherwise, a different
  /// birthday shows that it is not. If neither applies, the names decide. Another spelling, an abbreviation or a
  /// missing name is accepted. If the two do not both have phone numbers or both have email addresses, the following
  /// are accepted too: a typing error, a Latin name with the family name of a Chinese one, and, because people marry,
  /// another family name with the same given name (two characters or more of a Chinese one; the first word of a name
  /// without parts). If they have such values but share none, a family name shows nothing: in many books every tenth
  /// contact is a 王.
  public func mayBeRenamed(to card: Contact) -> Bool {
    if let birthday, birthday == card.birthday { return true }
    let (mine, theirs) = (DuplicateTraits(self), DuplicateTraits(card))
    var haveBoth = false
    for field in ContactFields.standard.values where field.sameness == .phone || field.sameness == .email {
      let (keys, others) = (keys(of: field), card.keys(of: field))
      if !keys.isDisjoint(with: others) { return true }
      haveBoth = haveBoth || !keys.isEmpty && !others.isEmpty
    }
    if mine.phones.contains(where: { phone in theirs.phones.contains(where: phone.isSame) }) { return true }
    if mine.hasDifferentBirthday(from: theirs) { return false }
    switch NameRelation(mine.name, theirs.name) {
    case .same, .compatible, .none: return true
    case .weak: return !haveBoth
    case .different: return !haveBoth && mine.name.sharesGivenName(with: theirs.name)
    }
  }

  private func keys(of field: ContactField.Values) -> Set<ValueKey> {
    Set(self[keyPath: field.property].filter { !$0.value.isEmpty }.map(field.key))
  }
}

extension ComparedName {
  /// Returns whether the names may differ only by the family name. In a name without parts, the first word is the given
  /// name.
  fileprivate func sharesGivenName(with other: ComparedName) -> Bool {
    if let han, let otherHan = other.han { return han.sharesGivenName(with: otherHan) }
    guard han == nil, other.han == nil else { return false }
    if !given.isEmpty, !other.given.isEmpty { return given == other.given }
    return words.first == other.words.first
  }
}
