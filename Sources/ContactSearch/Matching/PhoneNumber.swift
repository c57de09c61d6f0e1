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
