/// One condition of a query. All of them must hold.
struct SearchTerm: Hashable, Sendable {
  /// What a contact is asked.
  enum Condition: Hashable, Sendable {
    /// Some field has the text.
    case text(TextTerm)
    /// The field is there.
    case has(Presence)
  }

  var condition: Condition
  /// `-`: the condition must not hold.
  var isNegated = false
}

/// A text to look for, in each of the three ways in which fields are compared.
struct TextTerm: Hashable, Sendable {
  var fields: FieldSet
  /// For words and characters; nil where a term has nothing to compare, such as a lone apostrophe in quotes.
  var pattern: TermPattern?
  /// For email addresses and links.
  var literal: LiteralPattern
  /// For telephone numbers; nil for a term that is not a number.
  var phone: PhonePattern?

  /// The same in memory of its own: two threads that count references to the same memory wait for each other.
  func unshared() -> TextTerm {
    TextTerm(fields: fields, pattern: pattern, literal: literal.unshared(), phone: phone?.unshared())
  }

  /// Whether every text that matches `longer` also matches this term, so that its matches are among this one's.
  func isWidened(from longer: TextTerm) -> Bool {
    if self == longer { return true }
    guard fields == longer.fields, let pattern, let other = longer.pattern,
      pattern.allowsPrefix, pattern.allowsInitials == other.allowsInitials, pattern.isFuzzy == other.isFuzzy,
      other.letters.starts(with: pattern.letters), pattern.letters.count < TermPattern.longest,
      other.breaks & (1 << UInt64(pattern.letters.count) - 1) == pattern.breaks,
      other.syllableEnds & pattern.syllableEnds == pattern.syllableEnds,
      longer.literal.needle.starts(with: literal.needle), !literal.isSingleLetter
    else { return false }
    guard let otherPhone = longer.phone else { return true }
    guard let phone, phone.isPlain, otherPhone.isPlain else { return false }
    return otherPhone.alternatives[0].digits.starts(with: phone.alternatives[0].digits)
  }
}

extension SearchTerm {
  /// Whether every contact for which `narrower` holds is one for which this holds.
  func isImplied(by narrower: SearchTerm) -> Bool {
    if self == narrower { return true }
    guard !isNegated, !narrower.isNegated, case .text(let text) = condition, case .text(let other) = narrower.condition
    else { return false }
    return text.isWidened(from: other)
  }
}
