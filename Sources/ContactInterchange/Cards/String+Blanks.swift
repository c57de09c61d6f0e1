extension String {
  /// The string without leading and trailing white space.
  var trimmedBlanks: String {
    let scalars = unicodeScalars
    guard let first = scalars.first, let last = scalars.last, first.isBlank || last.isBlank else { return self }
    guard let start = scalars.firstIndex(where: { !$0.isBlank }), let end = scalars.lastIndex(where: { !$0.isBlank })
    else {
      return ""
    }
    return String(scalars[start...end])
  }
}

extension Unicode.Scalar {
  /// Whether the scalar has the property White_Space; in ASCII and from U+3001 on, this is known without a lookup.
  fileprivate var isBlank: Bool {
    if value < 0x80 { return value == 0x20 || (0x09...0x0D).contains(value) }
    return (value < 0x3001) && properties.isWhitespace
  }
}
