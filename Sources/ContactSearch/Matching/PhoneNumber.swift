/// A phone number in searchable form: a mark for the way it begins, then digits.
enum PhoneNumber {
  /// A number as dialed inside a country.
  static let national: UInt8 = 1
  /// A number with + and a country code; the + is left out.
  static let international: UInt8 = 2
  /// A number with 00 and a country code; the 00 is kept.
  static let dialedInternational: UInt8 = 3

  /// The mark and the ASCII digits of a number, and for each byte after the mark the code point it came from.
  /// Separators, letters and a (0) after a country code are left out. Empty if there are no digits.
  static func bytes(of text: String, sources: UnsafeMutablePointer<[Int]>? = nil) -> [UInt8] {
    var scalars: [UInt32] = []
    CanonicalForm.append(text, to: &scalars)
    var bytes: [UInt8] = [national]
    var places: [Int] = []
    var hasPlus = false
    for (index, value) in scalars.enumerated() {
      if bytes.count == 1, value == 0x2B || value == 0xFF0B { hasPlus = true }
      guard let digit = digit(value) else { continue }
      if hasPlus, digit == 0x30, isTrunkPrefix(scalars, at: index) { continue }
      bytes.append(digit)
      places.append(index)
    }
    if bytes.count == 1 { return [] }
    if hasPlus {
      bytes[0] = international
    } else if bytes.count > 6, bytes[1] == 0x30, bytes[2] == 0x30, bytes[3] != 0x30 {
      bytes[0] = dialedInternational
    }
    sources?.pointee = places
    return bytes
  }

  /// The ASCII digit for a digit of any script.
  static func digit(_ value: UInt32) -> UInt8? {
    if value >= 0x30, value <= 0x39 { return UInt8(value) }
    if value < 0x80 { return nil }
    guard let properties = Unicode.Scalar(value)?.properties, properties.numericType == .decimal,
      let number = properties.numericValue
    else { return nil }
    return 0x30 + UInt8(number)
  }

  private static func isTrunkPrefix(_ scalars: [UInt32], at index: Int) -> Bool {
    index > 0 && index + 1 < scalars.count && scalars[index - 1] == 0x28 && scalars[index + 1] == 0x29
  }

  /// The length of the country code at the start of the digits (ITU-T E.164): 1 to 3; nil if there are too few digits.
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
