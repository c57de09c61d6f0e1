/// The fields that a contact's section and position depend on. Absent fields are "".
public struct SortableName: Hashable, Sendable {
  /// The kind of contact: only a person's name begins with a surname.
  public enum Kind: Hashable, Sendable {
    /// A person.
    case person
    /// A company, a shop, a service.
    case organization
  }

  /// The kind of contact.
  public var kind: Kind
  /// The name as displayed in the list.
  public var displayName: String
  /// The family name, if it is known separately.
  public var family: String
  /// The given name, if it is known separately.
  public var given: String
  /// Phonetic family name, in Latin letters, pinyin or characters. It takes precedence over the name itself.
  public var phoneticFamily: String
  /// Phonetic given name.
  public var phoneticGiven: String
  /// The organization, used if there is no name.
  public var organization: String
  /// The nickname, used if there is no organization.
  public var nickname: String
  /// The first email address, used if there is no nickname.
  public var email: String
  /// The first phone number, used if all others are empty.
  public var phone: String

  /// Creates a name with the given fields; the others are "".
  public init(
    kind: Kind = .person, displayName: String = "", family: String = "", given: String = "",
    phoneticFamily: String = "",
    phoneticGiven: String = "", organization: String = "", nickname: String = "", email: String = "", phone: String = ""
  ) {
    self.kind = kind
    self.displayName = displayName
    self.family = family
    self.given = given
    self.phoneticFamily = phoneticFamily
    self.phoneticGiven = phoneticGiven
    self.organization = organization
    self.nickname = nickname
    self.email = email
    self.phone = phone
  }
}

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

/// The scalars of a sort text with the syllable code of each, in buffers on the stack.
struct ReadText {
  /// How many scalars of a name affect its order. Han characters fill a key of 120 bytes with fewer.
  static let limit = 96

  let scalars: UnsafeBufferPointer<UInt32>
  /// The syllable code of each scalar, 0 if it has no reading.
  let codes: UnsafeBufferPointer<UInt16>

  /// Reads the text and calls `body` with it. Leading blanks are left out.
  /// - Parameter readsHan: false to give Han characters no syllables.
  static func with<Result>(_ text: SortText, readsHan: Bool = true, _ body: (ReadText) -> Result) -> Result {
    withUnsafeTemporaryAllocation(of: UInt32.self, capacity: limit) { scalars in
      withUnsafeTemporaryAllocation(of: UInt16.self, capacity: limit) { codes in
        var count = append(text.first, to: scalars, codes, at: 0)
        if let second = text.second, count + 1 < limit {
          scalars[count] = 0x20
          codes[count] = 0
          // Han names are joined without a space, Latin ones with one.
          let end = append(second, to: scalars, codes, at: count + 1)
          let isHan = count > 0 && codes[count - 1] != 0 && end > count + 1 && codes[count + 1] != 0
          count = isHan ? append(second, to: scalars, codes, at: count) : end
        }
        if !readsHan { codes.update(repeating: 0) }
        return body(
          ReadText(
            scalars: UnsafeBufferPointer(rebasing: scalars[0..<count]),
            codes: UnsafeBufferPointer(rebasing: codes[0..<count])))
      }
    }
  }

  private static func append(
    _ piece: SortText.Piece, to scalars: UnsafeMutableBufferPointer<UInt32>,
    _ codes: UnsafeMutableBufferPointer<UInt16>,
    at start: Int
  ) -> Int {
    var end = start
    for scalar in piece.text.unicodeScalars {
      if end == limit { break }
      if end == start, ScalarClass.isBlank(scalar.value) { continue }
      scalars[end] = scalar.value
      end += 1
    }
    let added = UnsafeBufferPointer(rebasing: scalars[start..<end])
    NameReader.read(added, role: piece.role, into: UnsafeMutableBufferPointer(rebasing: codes[start..<end]))
    for (offset, syllable) in piece.syllables.enumerated() where start + offset < end {
      codes[start + offset] = syllable.code
    }
    return end
  }

  /// The section of the first scalar: the first letter of its reading, or the letter it folds to.
  var section: Section {
    guard let scalar = scalars.first else { return .other }
    if let syllable = Syllable(code: codes[0]), let letter = syllable.letters.first { return Section(letter: letter) }
    return Unicode.Scalar(scalar).flatMap(LatinFolding.fold)?.first.map(Section.init(letter:)) ?? .other
  }
}

/// A writer of the bytes of a sort key, up to a limit.
///
/// A key consists of: section, class, units; for names with characters other than Han, 01 and the lower levels of ICU's
/// keys; and, if the units omit characters of the name, 00 and all of its characters.
///
///     class        1 Han, 2 Latin, in `#` 1 another script, then its letter in two bytes, 3 number, 4 symbol,
///                  5 nothing visible
///     Han unit     syllable code + 0x1000 (two bytes), character (two bytes, or FB and three)
///     other run    40 when it follows Han, then ICU's primary weights; 02 when Han follows
///
/// So a shorter name comes before a longer one, and after the same beginning Han comes before all else. ICU's keys hold
/// no 00, and 01 and 02 only between levels.
struct SortKeyWriter {
  private let bytes: UnsafeMutableBufferPointer<UInt8>
  private(set) var count = 0

  init(_ bytes: UnsafeMutableBufferPointer<UInt8>) { self.bytes = bytes }

  var isFull: Bool { count == bytes.count }

  mutating func append(_ byte: UInt8) {
    guard count < bytes.count else { return }
    bytes[count] = byte
    count += 1
  }

  mutating func append(_ slice: Slice<UnsafeMutableBufferPointer<UInt8>>) {
    for byte in slice { append(byte) }
  }

  mutating func appendHan(code: UInt16, character: UInt32) {
    append(0x10 + UInt8(code >> 8))
    append(UInt8(truncatingIfNeeded: code))
    if character >= 0xFB00 {
      append(0xFB)
      append(UInt8(truncatingIfNeeded: character >> 16))
    }
    append(UInt8(truncatingIfNeeded: character >> 8))
    append(UInt8(truncatingIfNeeded: character))
  }
}
