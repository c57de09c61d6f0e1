/// Phone numbers for display.
enum PhoneText {
  /// Inserts spaces into a number that was typed as digits alone or after `+`; one with separators is kept as typed.
  ///
  /// Chinese mobile numbers (11 digits that begin with 1) are split 3-4-4, after `+86` if it was given; numbers of 7, 8
  /// or 10 digits without `+` are split 3-4, 4-4 or 3-3-4. All others, including short codes, are not split.
  static func grouped(_ number: String) -> String {
    let digits = number.hasPrefix("+") ? number.dropFirst() : Substring(number)
    guard digits.count >= 7, digits.utf8.allSatisfy({ $0 >= 0x30 && $0 <= 0x39 }) else { return number }
    let plus = number.hasPrefix("+")
    if plus, digits.hasPrefix("86"), digits.count == 13, digits.dropFirst(2).first == "1" {
      return "+86 " + split(digits.dropFirst(2), [3, 4, 4])
    }
    if plus { return number }
    switch digits.count {
    case 7: return split(digits, [3, 4])
    case 8: return split(digits, [4, 4])
    case 10: return split(digits, [3, 3, 4])
    case 11 where digits.first == "1": return split(digits, [3, 4, 4])
    default: return number
    }
  }

  /// Maps ranges of code points of a number to the same characters in its grouped form.
  static func ranges(_ ranges: [Range<Int>], of number: String, in grouped: String) -> [Range<Int>] {
    guard number != grouped, !ranges.isEmpty else { return ranges }
    // Grouping only adds spaces, so the n-th character that is not a space stays the n-th.
    let offsets = grouped.unicodeScalars.enumerated().filter { $0.element != " " }.map(\.offset)
    return ranges.compactMap { range in
      guard let last = range.last, offsets.indices.contains(last) else { return nil }
      return offsets[range.lowerBound]..<offsets[last] + 1
    }
  }

  private static func split(_ digits: Substring, _ groups: [Int]) -> String {
    var rest = digits
    return groups.map { length in
      defer { rest = rest.dropFirst(length) }
      return String(rest.prefix(length))
    }.joined(separator: " ")
  }
}
