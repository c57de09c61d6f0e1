/// How similar two names are.
enum NameRelation {
  /// The same name, perhaps in another order, script or spelling.
  case same
  /// One is less complete than the other, without contradicting it, or uses the other's nickname as the given name.
  case compatible
  /// They differ by at most one typing error in each word, or one is a Latin name with the family name of a Chinese
  /// one.
  case weak
  /// At least one of the two has no name.
  case none
  /// Different names.
  case different

  init(_ one: ComparedName, _ other: ComparedName) {
    if one.isEmpty || other.isEmpty {
      self = .none
    } else if Self.isSame(one, other) {
      self = .same
    } else if Self.isCompatible(one, other) {
      self = .compatible
    } else if Self.isWeak(one, other) {
      self = .weak
    } else {
      self = .different
    }
  }

  // MARK: Same

  private static func isSame(_ one: ComparedName, _ other: ComparedName) -> Bool {
    if one.words == other.words { return true }
    if let han = one.han, let otherHan = other.han { return !han.orders.isDisjoint(with: otherHan.orders) }
    if let han = one.han, other.isLatin { return runsTogether(other.words, as: han.spellings) }
    if let han = other.han, one.isLatin { return runsTogether(one.words, as: han.spellings) }
    if one.words.count == other.words.count { return one.words.sorted() == other.words.sorted() }
    return runsTogether(one.words, as: [other.words.joined()]) || runsTogether(other.words, as: [one.words.joined()])
  }

  /// Returns whether the words, joined in some order, are one of the texts.
  private static func runsTogether(_ words: [String], as texts: Set<String>) -> Bool {
    if texts.contains(words.joined()) { return true }
    let count = words.reduce(0) { $0 + $1.utf8.count }
    // With more words than a name has, this would take too long.
    guard words.count <= 6 else { return false }
    return texts.contains { $0.utf8.count == count && isMade($0.utf8[...], of: words) }
  }

  private static func isMade(_ text: Substring.UTF8View, of words: [String]) -> Bool {
    if words.isEmpty { return text.isEmpty }
    return words.indices.contains { index in
      guard text.starts(with: words[index].utf8) else { return false }
      var rest = words
      rest.remove(at: index)
      return isMade(text.dropFirst(words[index].utf8.count), of: rest)
    }
  }

  // MARK: Compatible

  private static func isCompatible(_ one: ComparedName, _ other: ComparedName) -> Bool {
    if isNickname(one, of: other) || isNickname(other, of: one) { return true }
    if let han = one.han, let otherHan = other.han {
      return han.isGivenName(of: otherHan) || otherHan.isGivenName(of: han)
    }
    if one.han != nil || other.han != nil { return false }
    return abbreviates(one.words, other.words) || abbreviates(other.words, one.words)
  }

  private static func isNickname(_ one: ComparedName, of other: ComparedName) -> Bool {
    !one.nickname.isEmpty && one.nickname == other.given && !one.family.isEmpty && one.family == other.family
  }

  /// Returns whether every word of the shorter name is a word of the longer one, or its initial or its beginning of
  /// three letters or more, and at least one is a whole word.
  private static func abbreviates(_ short: [String], _ long: [String]) -> Bool {
    guard short.count <= long.count else { return false }
    var rest = long
    let abbreviated = short.filter { word in
      guard let index = rest.firstIndex(of: word) else { return true }
      rest.remove(at: index)
      return false
    }
    guard abbreviated.count < short.count else { return false }
    return abbreviated.allSatisfy { word in
      guard let index = rest.firstIndex(where: { isAbbreviation(word, of: $0) }) else { return false }
      rest.remove(at: index)
      return true
    }
  }

  private static func isAbbreviation(_ short: String, of word: String) -> Bool {
    let count = short.unicodeScalars.count
    return (count == 1 || count >= 3) && word.hasPrefix(short)
  }

  // MARK: Weak

  private static func isWeak(_ one: ComparedName, _ other: ComparedName) -> Bool {
    if let han = one.han { return other.isLatin && other.words.contains(where: han.familySpellings.contains) }
    if let han = other.han { return one.isLatin && one.words.contains(where: han.familySpellings.contains) }
    guard one.words.count == other.words.count, one.words.count <= 6 else { return false }
    return isTypo(one.words, other.words)
  }

  /// Returns whether the words can be paired such that no pair differs by more than one typing error.
  private static func isTypo(_ one: [String], _ other: [String]) -> Bool {
    guard let word = one.first else { return true }
    return other.indices.contains { index in
      guard word == other[index] || Typo.isOne(word, other[index]) else { return false }
      var rest = other
      rest.remove(at: index)
      return isTypo(Array(one.dropFirst()), rest)
    }
  }
}

/// One letter wrong, missing, added, or swapped with the next one, in words of at least four letters.
enum Typo {
  static func isOne(_ one: String, _ other: String) -> Bool {
    let (short, long) = one.utf8.count <= other.utf8.count ? (one, other) : (other, one)
    let (a, b) = (Array(short.unicodeScalars), Array(long.unicodeScalars))
    guard a.count >= 4, b.count >= 4, abs(a.count - b.count) <= 1 else { return false }
    let start = zip(a, b).prefix { $0 == $1 }.count
    let end = zip(a[start...].reversed(), b[start...].reversed()).prefix { $0 == $1 }.count
    let (left, right) = (a[start..<a.count - end], b[start..<b.count - end])
    if left.count <= 1, right.count <= 1 { return true }
    return left.count == 2 && right.count == 2 && left.elementsEqual(right.reversed())
  }
}

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
