/// A term of digits and separators, compared with phone numbers. Its digits may be anywhere in a number unless it
/// begins with +. The term also matches if only it, or only the number, has a country code or a trunk 0.
struct PhonePattern: Hashable, Sendable {
  /// Where the digits of an alternative must be in a number.
  enum Anchor: Hashable, Sendable {
    case anywhere
    /// At the country code, or at the start of a number whose + may have been omitted.
    case country
    /// At the start of a number without a country code, ignoring a trunk 0.
    case national
    /// Like ``national``, and up to the end of the number.
    case wholeNational
    /// Directly after the country code.
    case afterCountry

    /// The last position where an alternative can begin, in bytes including the mark.
    fileprivate var lastStart: Int {
      switch self {
      case .anywhere: .max
      case .country: 3
      case .national, .wholeNational: 2
      // 00 and a country code of three digits.
      case .afterCountry: 6
      }
    }
  }

  /// Digits to search for, and where.
  struct Alternative: Hashable, Sendable {
    var digits: [UInt8]
    var anchor: Anchor
  }

  private(set) var alternatives: [Alternative] = []
  /// Whether the digits may be anywhere and there are no alternatives, so that each further digit narrows the result.
  var isPlain: Bool { alternatives.count == 1 && alternatives[0].anchor == .anywhere }

  /// Creates the pattern of a term; nil if it has no digits, or anything other than digits, separators and a + before
  /// the digits.
  init?(_ values: some Sequence<UInt32>) {
    var digits: [UInt8] = []
    var hasPlus = false
    for value in values {
      if let digit = PhoneNumber.digit(value) {
        digits.append(digit)
      } else if value == 0x2B, digits.isEmpty, !hasPlus {
        hasPlus = true
      } else if !PhonePattern.isSeparator(value) {
        return nil
      }
    }
    if digits.isEmpty { return nil }
    if !hasPlus { alternatives.append(Alternative(digits: digits, anchor: .anywhere)) }
    let isDialed = !hasPlus && digits.count > 2 && digits[0] == 0x30 && digits[1] == 0x30 && digits[2] != 0x30
    if hasPlus || isDialed {
      addInternational(Array(digits.dropFirst(hasPlus ? 0 : 2)))
    } else if digits.count > 2, digits[0] == 0x30, digits[1] != 0x30 {
      alternatives.append(Alternative(digits: Array(digits.dropFirst()), anchor: .afterCountry))
    } else if let length = PhoneNumber.countryCodeLength(digits), digits.count - length >= 8 {
      alternatives.append(Alternative(digits: Array(digits.dropFirst(length)), anchor: .wholeNational))
    }
  }

  private mutating func addInternational(_ digits: [UInt8]) {
    alternatives.append(Alternative(digits: digits, anchor: .country))
    guard let length = PhoneNumber.countryCodeLength(digits) else { return }
    var rest = digits.dropFirst(length)
    if rest.count > 1, rest.first == 0x30 {
      // +44 020… is a common mistake for +44 20…
      rest = rest.dropFirst()
      alternatives.append(Alternative(digits: Array(digits[..<length]) + rest, anchor: .country))
    }
    if !rest.isEmpty { alternatives.append(Alternative(digits: Array(rest), anchor: .national)) }
  }

  /// Returns whether a code point is a space or a character that people put between digits.
  static func isSeparator(_ value: UInt32) -> Bool {
    switch value {
    case 0x20, 0x28, 0x29, 0x2D...0x2F, 0xB7, 0xFF08, 0xFF09: true
    case 0..<0x80: false
    default: Unicode.Scalar(value)?.properties.isDash ?? false
    }
  }

  /// Returns whether an alternative whose digits were found at a position also begins and ends where it must.
  @inline(__always)
  static func isAnchored(_ row: UnsafeBufferPointer<UInt8>, at index: Int, _ alternative: Alternative) -> Bool {
    switch alternative.anchor {
    case .anywhere: return true
    case .country:
      let before = row[index - 1]
      return before < 3 || index > 2 && row[index - 3] == PhoneNumber.dialedInternational
    case .national, .wholeNational:
      let start = row[index - 1] == 0x30 ? index - 2 : index - 1
      guard row[start] == PhoneNumber.national else { return false }
      let end = index + alternative.digits.count
      return alternative.anchor == .national || end == row.count || row[end] <= PhoneNumber.dialedInternational
    case .afterCountry:
      var start = index - 1
      while start > 0, index - start < 7, row[start] > PhoneNumber.dialedInternational { start -= 1 }
      if row[start] == PhoneNumber.dialedInternational {
        start += 2
      } else if row[start] != PhoneNumber.international {
        return false
      }
      let code = row[(start + 1)..<max(start + 1, index)]
      return !code.isEmpty && PhoneNumber.countryCodeLength(row[(start + 1)...].prefix(3)) == code.count
    }
  }

  /// Returns an upper bound of the value of a match in one number, which begins with its mark.
  func highestValue(in row: UnsafeBufferPointer<UInt8>) -> Int {
    let digits = alternatives.reduce(0) { max($0, $1.digits.count) }
    let length = row.count - 1
    // 00 and a country code have up to five digits; a number that is not much longer may match as a whole.
    let whole = length <= digits + 5 ? PathFinder.wholeBonus : 0
    return PathFinder.startBonus + whole + PathFinder.shareBonus * min(digits, length) / max(1, length)
  }

  /// Returns the best match in one number, which begins with its mark: the range of bytes and the value of the match
  /// (see ``PathFinder``).
  func best(in row: UnsafeBufferPointer<UInt8>) -> (range: Range<Int>, value: Int)? {
    var best: (range: Range<Int>, value: Int)?
    for alternative in alternatives {
      let count = alternative.digits.count
      if count >= row.count { continue }
      for index in 1...min(alternative.anchor.lastStart, row.count - count) {
        var agreed = 0
        while agreed < count, row[index + agreed] == alternative.digits[agreed] { agreed += 1 }
        guard agreed == count, PhonePattern.isAnchored(row, at: index, alternative) else { continue }
        let isStart = index == 1 || alternative.anchor != .anywhere || isAfterCountry(row, index)
        let isEnd = index + count == row.count
        var value = isStart ? PathFinder.startBonus : isEnd ? 1000 : 0
        if isStart, isEnd { value += PathFinder.wholeBonus }
        value += PathFinder.shareBonus * count / (row.count - 1)
        if value > best?.value ?? .min { best = (index..<(index + count), value) }
        // In a number without a country code, no other place is worth more than the start.
        if index == 1, isPlain, row[0] == PhoneNumber.national { return best }
      }
    }
    return best
  }

  private static let country = Alternative(digits: [], anchor: .afterCountry)

  private func isAfterCountry(_ row: UnsafeBufferPointer<UInt8>, _ index: Int) -> Bool {
    row[0] > PhoneNumber.national && PhonePattern.isAnchored(row, at: index, PhonePattern.country)
  }
}

/// A phone number in searchable form: a mark for the way it begins, then digits.
enum PhoneNumber {
  /// A number as dialed inside a country.
  static let national: UInt8 = 1
  /// A number with + and a country code; the + is left out.
  static let international: UInt8 = 2
  /// A number with 00 and a country code; the 00 is kept.
  static let dialedInternational: UInt8 = 3

  /// Returns the mark and the ASCII digits of a number, and for each byte after the mark the code point it came from.
  /// Separators and letters are left out, and a (0) in a number with +. Empty if there are no digits.
  static func bytes(of text: String, sources: UnsafeMutablePointer<[Int]>? = nil) -> [UInt8] {
    var scalars: [UInt32] = []
    CanonicalForm.append(text, to: &scalars)
    var bytes: [UInt8] = []
    scalars.withUnsafeBufferPointer { append($0, to: &bytes, sources) }
    return bytes
  }

  /// Returns whether a number has something that is not found by its digits, such as letters, `*` or `#`; it is then
  /// also searched as a text.
  static func isText(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
    if text.isASCII { return text.contains { digit(UInt32($0)) == nil && !isSign(UInt32($0)) } }
    return String(decoding: text, as: UTF8.self).unicodeScalars.contains {
      digit($0.value) == nil && !isSign($0.value) && ScalarKind($0.value) != .invisible
    }
  }

  private static func isSign(_ value: UInt32) -> Bool {
    value == 0x2B || value == 0xFF0B || PhonePattern.isSeparator(value) || ScalarKind(value) == .space
  }

  /// Appends ``bytes(of:sources:)`` of a number, which is usually ASCII.
  static func append(_ text: UnsafeBufferPointer<UInt8>, to bytes: inout [UInt8]) {
    guard text.isASCII else { return bytes += PhoneNumber.bytes(of: String(decoding: text, as: UTF8.self)) }
    append(text, to: &bytes, nil)
  }

  @inline(__always)
  private static func append<Value: FixedWidthInteger>(
    _ values: UnsafeBufferPointer<Value>, to bytes: inout [UInt8], _ sources: UnsafeMutablePointer<[Int]>?
  ) {
    let mark = bytes.count
    bytes.append(national)
    var hasPlus = false
    for index in values.indices {
      let value = UInt32(truncatingIfNeeded: values[index])
      if bytes.count == mark + 1, value == 0x2B || value == 0xFF0B { hasPlus = true }
      guard let digit = digit(value) else { continue }
      if hasPlus, digit == 0x30, isTrunkPrefix(values, at: index) { continue }
      bytes.append(digit)
      sources?.pointee.append(index)
    }
    let count = bytes.count - mark
    if count == 1 {
      bytes.removeLast()
    } else if hasPlus {
      bytes[mark] = international
    } else if count > 6, bytes[mark + 1] == 0x30, bytes[mark + 2] == 0x30, bytes[mark + 3] != 0x30 {
      bytes[mark] = dialedInternational
    }
  }

  /// Returns the ASCII digit for a digit of any script; nil for any other code point.
  @inline(__always)
  static func digit(_ value: UInt32) -> UInt8? {
    if value >= 0x30, value <= 0x39 { return UInt8(truncatingIfNeeded: value) }
    return value < 0x80 ? nil : otherDigit(value)
  }

  private static func otherDigit(_ value: UInt32) -> UInt8? {
    guard let properties = Unicode.Scalar(value)?.properties, properties.numericType == .decimal,
      let number = properties.numericValue
    else { return nil }
    return 0x30 + UInt8(number)
  }

  @inline(__always)
  private static func isTrunkPrefix<Value: FixedWidthInteger>(
    _ values: UnsafeBufferPointer<Value>, at index: Int
  ) -> Bool {
    index > 0 && index + 1 < values.count && values[index - 1] == 0x28 && values[index + 1] == 0x29
  }

  /// Returns the length of the country code at the start of the digits (ITU-T E.164): 1 to 3; nil if they are too few
  /// or begin with 0.
  static func countryCodeLength(_ digits: some Collection<UInt8>) -> Int? {
    var iterator = digits.makeIterator()
    guard let first = iterator.next(), first > 0x30 else { return nil }
    if first == UInt8(ascii: "1") || first == UInt8(ascii: "7") { return 1 }
    guard let second = iterator.next(), second >= 0x30 else { return nil }
    let code = Int(first - 0x30) * 10 + Int(second - 0x30)
    switch code {
    case 20, 27, 30...34, 36, 39...41, 43...49, 51...58, 60...66, 81, 82, 84, 86, 90...95, 98: return 2
    default: return digits.count > 2 ? 3 : nil
    }
  }
}
