/// A parser that splits a query into terms. Every string is a valid query: anything that is not a known field or phrase
/// is plain text.
struct QueryParser {
  private let options: SearchOptions
  /// The first name before a colon that is not that of a field, although the word looks like a field and its value.
  private(set) var unknownField: String?
  private(set) var contacted: [LastContactTerm] = []
  private var letters: [UInt32] = []
  private var next = 0

  init(_ text: String, options: SearchOptions) {
    self.options = options
    var scalars: [UInt32] = []
    CanonicalForm.append(text, to: &scalars)
    for value in scalars {
      switch ScalarKind(value) {
      // Between the parts of a Persian word, which are also written together.
      case .space where value == 0x200C: continue
      case .space: if letters.last != 0x20, !letters.isEmpty { letters.append(0x20) }
      case .invisible: continue
      default: letters.append(value)
      }
    }
    if letters.last == 0x20 { letters.removeLast() }
  }

  var isTooLong: Bool { letters.count > SearchQuery.maximumLength }

  /// Returns the terms, without duplicates.
  mutating func parse() -> [SearchTerm] {
    if let number = wholeNumber() { return [number] }
    var terms: [SearchTerm] = []
    var seen: Set<SearchTerm> = []
    while next < letters.count {
      if letters[next] == 0x20 {
        next += 1
      } else if let term = term(), seen.insert(term).inserted {
        terms.append(term)
      }
    }
    return terms
  }

  /// Returns the query as a single term if it is a phone number with spaces, such as `138 1234`; otherwise nil.
  private func wholeNumber() -> SearchTerm? {
    guard letters.contains(0x20), letters.first != 0x2D, let phone = PhonePattern(letters) else { return nil }
    let digits = letters.compactMap(PhoneNumber.digit).map { UInt32($0) }
    let text = TextTerm(
      fields: .all, pattern: TermPattern(digits, options: options), literal: LiteralPattern(digits), phone: phone)
    return SearchTerm(condition: .text(text))
  }

  /// Reads the term at `next`, which is not a space, and advances past it.
  private mutating func term() -> SearchTerm? {
    let isNegated = letters[next] == 0x2D && next + 1 < letters.count && letters[next + 1] != 0x20
    if isNegated { next += 1 }
    let word = letters[next..<(letters[next...].firstIndex(of: 0x20) ?? letters.count)]
    if let colon = word.firstIndex(where: { $0 == 0x3A || $0 == 0xFF1A }), colon + 1 < word.endIndex {
      let name = String(decoding: Folded.utf8(folded(word[..<colon])), as: UTF8.self)
      let value = word[(colon + 1)...]
      let text = String(decoding: Folded.utf8(folded(value)), as: UTF8.self)
      if let condition = lastContact(name, text, isNegated: isNegated) {
        next = word.endIndex
        if !contacted.contains(condition) { contacted.append(condition) }
        return nil
      }
      if name == "contacted" {
        unknownField = unknownField ?? String(decoding: Folded.utf8(folded(word)), as: UTF8.self)
      } else if name == "has" {
        if let presence = Presence(name: text) {
          next = word.endIndex
          return SearchTerm(condition: .has(presence), isNegated: isNegated)
        }
        unknownField = unknownField ?? String(decoding: Folded.utf8(folded(word)), as: UTF8.self)
      } else if let fields = FieldSet(name: name) {
        next = colon + 1
        return self.text(fields: fields, isNegated: isNegated)
      } else if Self.mayBeField(word[..<colon], value) {
        unknownField = unknownField ?? name + ":"
      }
    }
    return text(fields: .all, isNegated: isNegated)
  }

  private func lastContact(_ name: String, _ value: String, isNegated: Bool) -> LastContactTerm? {
    switch name {
    case "contacted": LastContactTerm(value, isNegated: isNegated)
    case "has" where value == "contacted": LastContactTerm(ever: isNegated)
    default: nil
    }
  }

  /// Returns false for an address (`http://…`, `mailto:a@b`), a time (`12:30`) and the like.
  private static func mayBeField(_ name: ArraySlice<UInt32>, _ value: ArraySlice<UInt32>) -> Bool {
    let isWord = name.count > 1 && name.allSatisfy { ScalarKind($0) == .letter || ScalarKind($0) == .han }
    return isWord && ![0x2F, 0x3A].contains(value.first) && !value.contains(0x40)
  }

  /// Reads the word or phrase at `next`, and advances past it. A phrase without content gives nil and has no effect.
  private mutating func text(fields: FieldSet, isNegated: Bool) -> SearchTerm? {
    let isPhrase = QueryParser.isQuote(letters[next])
    let start = isPhrase ? next + 1 : next
    let end = letters[start...].firstIndex { isPhrase ? QueryParser.isQuote($0) : $0 == 0x20 } ?? letters.count
    next = isPhrase && end < letters.count ? end + 1 : end
    var value = letters[start..<end]
    if isPhrase {
      while value.first == 0x20 { value = value.dropFirst() }
      while value.last == 0x20 { value = value.dropLast() }
      if value.isEmpty { return nil }
    }
    let compared = comparedLetters(of: value)
    var pattern = TermPattern(compared, options: options)
    if isPhrase {
      pattern.allowsInitials = false
      pattern.allowsPrefix = end == letters.count
    }
    let text = TextTerm(
      fields: fields, pattern: pattern.letters.isEmpty ? nil : pattern, literal: LiteralPattern(folded(value)),
      phone: PhonePattern(value))
    return SearchTerm(condition: .text(text), isNegated: isNegated)
  }

  /// Returns the folded letters, with Han characters as they are. Unless there is nothing else, apostrophes are left
  /// out, because people often omit them; after a letter, ``TermPattern/syllableEnd`` replaces them. So are the tones of
  /// zhuyin, and a comma at the end, as in a name with the family name first.
  private func comparedLetters(of value: ArraySlice<UInt32>) -> [UInt32] {
    let isOnlyApostrophes = value.allSatisfy(ScalarKind.isApostrophe)
    let hasZhuyin = value.contains(where: Zhuyin.isLetter)
    var compared: [UInt32] = []
    var last: UInt32 = 0
    let hasComma = value.count > 1 && (value.last == 0x2C || value.last == 0xFF0C)
    for letter in hasComma ? value.dropLast() : value {
      if !isOnlyApostrophes, ScalarKind.isApostrophe(letter) || hasZhuyin && Zhuyin.isTone(letter) {
        if !compared.isEmpty { compared.append(TermPattern.syllableEnd) }
        continue
      }
      if ScalarKind(letter) == .mark {
        ScalarFolding.append(mark: letter, after: last, to: &compared)
        continue
      }
      last = letter
      if ScalarKind(letter) == .han { compared.append(letter) } else { ScalarFolding.append(letter, to: &compared) }
    }
    return compared
  }

  private func folded(_ value: ArraySlice<UInt32>) -> [UInt32] {
    var folded: [UInt32] = []
    for letter in value { ScalarFolding.append(letter, to: &folded) }
    return folded
  }

  private static func isQuote(_ value: UInt32) -> Bool {
    value == 0x22 || value == 0x201C || value == 0x201D || value == 0xFF02
  }
}

extension SearchQuery {
  /// The names of the fields that a term can be limited to, and that `has:` takes, without their other spellings.
  public static let fieldNames = [
    "name", "nick", "org", "dept", "title", "tel", "email", "url", "addr", "group", "note", "contacted",
  ]
  /// What `has:` takes, without the other spellings.
  public static let presenceNames = ["photo", "birthday"] + fieldNames.dropFirst()
}

extension FieldSet {
  /// Creates the set of fields that the name in a field term, such as `org:`, stands for; nil for an unknown name.
  init?(name: String) {
    switch name {
    case "name": self = FieldSet(.name, .phonetic, .family, .given)
    case "nick", "nickname": self = FieldSet(.nickname)
    case "org", "organization", "organisation", "company": self = FieldSet(.organization)
    case "dept", "department": self = FieldSet(.department)
    case "title": self = FieldSet(.title)
    case "tel", "phone": self = FieldSet(.phone)
    case "email", "mail": self = FieldSet(.email)
    case "url", "web": self = FieldSet(.url)
    case "addr", "address", "adr": self = FieldSet(.address)
    case "group": self = FieldSet(.group)
    case "note": self = FieldSet(.note)
    default: return nil
    }
  }
}

extension Presence {
  /// Creates the field that the name in a `has:` term stands for; nil for an unknown name.
  init?(name: String) {
    switch name {
    case "photo", "picture": self = .photo
    case "birthday", "bday": self = .birthday
    case "phone", "tel": self = .phone
    case "email", "mail": self = .email
    case "address", "addr", "adr": self = .address
    case "url", "web": self = .url
    case "group": self = .group
    case "note": self = .note
    case "nick", "nickname": self = .nickname
    case "org", "organization", "organisation", "company": self = .organization
    case "dept", "department": self = .department
    case "title": self = .title
    default: return nil
    }
  }
}
