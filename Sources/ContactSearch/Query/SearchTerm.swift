/// One condition of a query. All conditions must hold.
struct SearchTerm: Hashable, Sendable {
  enum Condition: Hashable, Sendable {
    /// Some field contains the text.
    case text(TextTerm)
    /// The field is not empty.
    case has(Presence)
  }

  var condition: Condition
  /// `-`: the condition must not hold.
  var isNegated = false
}

/// A text to search for, prepared for each of the three ways of comparing fields.
struct TextTerm: Hashable, Sendable {
  var fields: FieldSet
  /// For words and characters; nil if the term has nothing to compare, such as an accent alone.
  var pattern: TermPattern?
  /// For email addresses and websites.
  var literal: LiteralPattern
  /// For phone numbers; nil for a term that is not a number.
  var phone: PhonePattern?

  /// Returns true only if every text that matches `longer` also matches this term.
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
  /// Returns true only if this term holds for every contact for which `narrower` holds.
  func isImplied(by narrower: SearchTerm) -> Bool {
    if self == narrower { return true }
    guard !isNegated, !narrower.isNegated, case .text(let text) = condition, case .text(let other) = narrower.condition
    else { return false }
    return text.isWidened(from: other)
  }
}
