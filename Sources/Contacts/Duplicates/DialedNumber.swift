/// A phone number as dialed, for comparison with others: its digits, and the letters of an extension.
struct DialedNumber: Hashable {
  /// The digits and letters, without `+ * #` and without a leading `00`.
  let digits: String
  /// Whether the number began with `+` or `00`: then the digits begin with a country code.
  let isInternational: Bool

  /// Creates a number for comparison; nil for fewer than seven digits: too many contacts share such a number, or it is
  /// not a phone number.
  init?(_ number: String) {
    let text = ContactField.Values.dialed(number)
    isInternational = text.hasPrefix("+")
    var digits = text
    digits.unicodeScalars.removeAll { $0 == "+" || $0 == "*" || $0 == "#" }
    self.digits = digits
    guard Self.isLongEnough(digits[...]) else { return nil }
  }

  /// Returns whether the numbers are the same, perhaps one with and the other without its country code.
  func isSame(as other: DialedNumber) -> Bool {
    digits == other.digits || isLonger(than: other) || other.isLonger(than: self)
  }

  /// Returns whether this is the other number with a country code before it, perhaps instead of a zero.
  func isLonger(than other: DialedNumber) -> Bool {
    guard isInternational, !other.isInternational else { return false }
    return codeLengths.contains { length in
      let rest = digits.dropFirst(length)
      return rest == other.digits[...]
        || rest == other.digits.dropFirst() && other.beginsWithZero && Self.isLongEnough(rest)
    }
  }

  /// The keys under which the number is found: numbers that are the same share at least one.
  var keys: [String] {
    guard isInternational else { return [digits] + (beginsWithZero ? [String(digits.dropFirst())] : []) }
    return [digits] + codeLengths.map { String(digits.dropFirst($0)) }
  }

  /// The possible numbers of digits of a country code.
  private var codeLengths: [Int] {
    let count = digits.unicodeScalars.prefix(3).prefix(while: Self.isDigit).count
    return count > 0 ? Array(1...count) : []
  }

  private var beginsWithZero: Bool { digits.hasPrefix("0") }

  private static func isLongEnough(_ text: Substring) -> Bool {
    var count = 0
    for scalar in text.unicodeScalars where isDigit(scalar) {
      count += 1
      if count == 7 { return true }
    }
    return false
  }

  private static func isDigit(_ scalar: Unicode.Scalar) -> Bool {
    scalar.isASCII ? ("0"..."9").contains(scalar) : scalar.properties.generalCategory == .decimalNumber
  }
}
