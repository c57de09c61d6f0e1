/// The text that decides a contact's section and position, in one or two pieces, each with its role.
///
/// It is made from the phonetic fields if there are any; otherwise it is the display name, else a person's family and
/// given name, else the organization, nickname, email or phone.
struct SortText {
  struct Piece {
    let text: String
    let role: NameReader.Role
    /// The reading of each Han character, if a phonetic field gives it in pinyin.
    var syllables: [Syllable] = []
  }

  let first: Piece
  let second: Piece?

  private init(_ first: Piece, _ second: Piece? = nil) {
    self.first = first
    self.second = second
  }

  init(_ name: SortableName) {
    if Self.isVisible(name.phoneticFamily) || Self.isVisible(name.phoneticGiven) {
      self.init(phonetic: name)
    } else if Self.isVisible(name.displayName) {
      self.init(Piece(text: name.displayName, role: Self.role(of: name)))
    } else if name.kind == .person, Self.isVisible(name.family) || Self.isVisible(name.given) {
      self.init(
        family: Piece(text: name.family, role: .family(count: name.family.unicodeScalars.count)),
        given: Piece(text: name.given, role: .other), familyFirst: Self.beginsWithHan(name.family))
    } else {
      let fallbacks = [name.organization, name.nickname, name.email, name.phone]
      self.init(Piece(text: fallbacks.first(where: Self.isVisible) ?? "", role: .other))
    }
  }

  private init(family: Piece, given: Piece, familyFirst: Bool) {
    if !Self.isVisible(family.text) {
      self.init(given)
    } else if !Self.isVisible(given.text) {
      self.init(family)
    } else if familyFirst {
      self.init(family, given)
    } else {
      self.init(given, family)
    }
  }

  /// Creates the text of a name with phonetic fields. A phonetic family name comes first. Without one, the order is as
  /// displayed: the family name precedes the given name only if it is Han.
  private init(phonetic name: SortableName) {
    var family = name.family
    var given = name.given
    let familyPinyin = PinyinText.syllables(in: name.phoneticFamily) ?? []
    if family.isEmpty, given.isEmpty, PinyinText.isHan(name.displayName) {
      // A full name in one field: the phonetic family name tells how many of its characters are the family name.
      let scalars = name.displayName.unicodeScalars
      let cut =
        scalars.index(scalars.startIndex, offsetBy: familyPinyin.count, limitedBy: scalars.endIndex) ?? scalars.endIndex
      family = String(scalars[..<cut])
      given = String(scalars[cut...])
    }
    let hasFamily = Self.isVisible(name.phoneticFamily)
    let familyPiece =
      hasFamily
      ? Self.piece(of: family, phonetic: name.phoneticFamily)
      : Piece(text: family, role: .family(count: family.unicodeScalars.count))
    let givenPiece =
      Self.isVisible(name.phoneticGiven)
      ? Self.piece(of: given, phonetic: name.phoneticGiven)
      : Piece(text: given, role: .other)
    self.init(family: familyPiece, given: givenPiece, familyFirst: hasFamily || Self.beginsWithHan(family))
  }

  /// Returns a Han text with the readings that pinyin gives it, to be sorted among Han names. Any other phonetic form
  /// (山田, Yamada) replaces the text.
  private static func piece(of text: String, phonetic: String) -> Piece {
    guard let syllables = PinyinText.readings(of: text, phonetic: phonetic) else {
      return Piece(text: phonetic, role: .person)
    }
    return Piece(text: text, role: .other, syllables: syllables)
  }

  private static func role(of name: SortableName) -> NameReader.Role {
    guard name.kind == .person else { return .other }
    if isVisible(name.family) {
      let isPrefix = name.displayName.utf8.starts(with: name.family.utf8)
      return isPrefix ? .family(count: name.family.unicodeScalars.count) : .person
    }
    if isVisible(name.given) {
      // A given name alone has no surname. Given names have one or two characters; more means a full name in one field.
      return name.displayName == name.given && name.given.unicodeScalars.count < 3 ? .other : .person
    }
    // The display name only substitutes for a missing name.
    return name.displayName == name.organization || name.displayName == name.nickname ? .other : .person
  }

  private static func isVisible(_ text: String) -> Bool {
    text.unicodeScalars.contains { !ScalarClass.isBlank($0.value) }
  }

  private static func beginsWithHan(_ text: String) -> Bool {
    text.unicodeScalars.first { !ScalarClass.isBlank($0.value) }.map { !ReadingTable.entry($0.value).isEmpty } ?? false
  }
}
