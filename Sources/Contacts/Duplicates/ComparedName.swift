import Pinyin

/// The name of a contact, prepared for comparison with others.
struct ComparedName {
  /// The words of the given, middle and family name or, if there are none, of the full name, the nickname or the
  /// organization, in this order; for an organization, of the full name, the organization or the parts.
  let words: [String]
  /// Jr, Sr, II, III, IV in lower case.
  let generation: String?
  /// The words of the given name, the family name and the nickname, each joined into one; empty without that name.
  let given: String
  let family: String
  let nickname: String
  let han: HanName?
  let isLatin: Bool
  /// Whether this is an organization, or a person whose only name is the organization. In both cases the organization
  /// does not count as something else that two contacts share.
  let isOrganization: Bool

  init(_ contact: Contact) {
    let parts = [contact.given, contact.middle, contact.family].map { NameWords.name($0).words }
    let whole = NameWords.name(contact.formattedName, mayEndInGeneration: true)
    let nickname = NameWords.name(contact.nickname).words
    // Computed only when needed: most contacts have a name of their own.
    func organization() -> [String] { NameWords.name(contact.organization).words }
    let joined = parts.flatMap(\.self)
    if contact.kind == .organization {
      words = [whole.words, organization(), joined].first { !$0.isEmpty } ?? []
      isOrganization = true
    } else {
      let own = [joined, whole.words, nickname].first { !$0.isEmpty }
      words = own ?? organization()
      isOrganization = own == nil
    }
    generation = NameWords.generation(inSuffix: contact.suffix) ?? whole.generation
    given = parts[0].joined()
    family = parts[2].joined()
    self.nickname = nickname.joined()
    isLatin = NameWords.isLatin(words)
    if contact.kind == .person, NameWords.isHan(words) {
      let hasParts = !parts.allSatisfy(\.isEmpty)
      han =
        hasParts ? HanName(of: contact) : HanName(whole: whole.words.isEmpty ? words.joined() : contact.formattedName)
    } else {
      han = nil
    }
  }

  var isEmpty: Bool { words.isEmpty }

  /// The keys under which the name is found: equal names share at least one, different names rarely do.
  var keys: [String] {
    var keys = [Self.letters(words.joined())]
    if let han { keys += Set(han.spellings.map(Self.letters)) }
    return keys
  }

  /// Names with the same identity compare the same with every other name, apart from phonetic names.
  var identity: String { words.joined(separator: " ") + "\n" + nickname + "\n" + given + "\n" + family }

  private static func letters(_ text: String) -> String {
    String(String.UnicodeScalarView(text.unicodeScalars.sorted()))
  }
}

struct HanName {
  /// Family and given name in both orders, in simplified characters; only one order if the name is in one field.
  let orders: Set<String>
  /// Both orders in pinyin without tones, in each way of writing ü.
  let spellings: Set<String>
  /// The family name in pinyin, in each way of writing ü; empty without one.
  let familySpellings: Set<String>
  /// The given name after a family name, and what may be a given name on its own; each is empty if it has fewer than
  /// two characters.
  private let given: String
  private let alone: String

  init(of contact: Contact) {
    let family = Self.han(contact.family)
    let given = Self.han(contact.middle + contact.given)
    orders = [Self.simplified(family + given), Self.simplified(given + family)]
    self.given = family.isEmpty ? "" : Self.uncommonPart(given[...])
    alone = family.isEmpty ? Self.uncommonPart(given[...]) : ""
    let phonetic = [
      NamePart(family, phonetic: contact.phoneticFamily),
      NamePart(given, phonetic: contact.phoneticMiddle + contact.phoneticGiven),
    ]
    let length = family.unicodeScalars.count
    let alone = Self.letters(Readings.name(family, isPerson: true))
    let together = Readings.name(family + given, isPerson: !family.isEmpty)
    let said = Readings.name(family + given, isPerson: !family.isEmpty, parts: phonetic)
    var (spellings, families): (Set<String>, Set<String>) = ([], [])
    for given in [Self.letters(Readings.name(given, isPerson: false)), Self.letters(together.dropFirst(length))] {
      spellings.formUnion([alone + given, given + alone])
    }
    let (saidFamily, saidGiven) = (Self.letters(said.prefix(length)), Self.letters(said.dropFirst(length)))
    spellings.formUnion([saidFamily + saidGiven, saidGiven + saidFamily])
    if length > 0 { families = [alone, saidFamily] }
    self.spellings = Self.written(spellings)
    familySpellings = Self.written(families)
  }

  /// Creates a name from one field, which begins with the family name.
  init(whole text: String) {
    let name = Self.han(text)
    let readings = Readings.name(name, isPerson: true)
    let length = Readings.familyNameLength(of: name)
    let (family, given) = (Self.letters(readings.prefix(length)), Self.letters(readings.dropFirst(length)))
    orders = [Self.simplified(name)]
    spellings = Self.written([family + given, given + family])
    familySpellings = Self.written([family])
    self.given = Self.uncommonPart(name.dropFirst(length))
    alone = Self.uncommonPart(name[...])
  }

  /// Returns whether this is just the given name of another name.
  func isGivenName(of other: HanName) -> Bool { !alone.isEmpty && alone == other.given }

  /// Returns whether both have the same given name, of two characters or more.
  func sharesGivenName(with other: HanName) -> Bool { !given.isEmpty && given == other.given }

  private static func uncommonPart(_ given: Substring) -> String {
    given.unicodeScalars.count >= 2 ? simplified(String(given)) : ""
  }

  private static func han(_ text: String) -> String {
    String(String.UnicodeScalarView(CompatibleForm.of(text).unicodeScalars.filter(Readings.isHan)))
  }

  private static func simplified(_ text: String) -> String {
    var scalars = String.UnicodeScalarView()
    for scalar in text.unicodeScalars { scalars.append(Unicode.Scalar(HanVariants.form(of: scalar.value)) ?? scalar) }
    return String(scalars)
  }

  private static func letters(_ readings: some Sequence<Syllable?>) -> String {
    readings.map { $0.map { String(decoding: $0.letters, as: UTF8.self) } ?? "?" }.joined()
  }

  /// Returns spellings with ü written v, u and yu.
  private static func written(_ spellings: Set<String>) -> Set<String> {
    spellings.reduce(into: []) { written, spelling in
      written.insert(spelling)
      guard spelling.contains("v") else { return }
      for form in ["u", "yu"] {
        written.insert(spelling.split(separator: "v", omittingEmptySubsequences: false).joined(separator: form))
      }
    }
  }
}
