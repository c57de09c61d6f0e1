import VCard

extension CardLine {
  /// True if there are no parameters besides the encoding of the value.
  var isPlain: Bool {
    guard hasParameters else { return !hasGroup }
    return !hasGroup && parameters.allSatisfy { $0.name == "ENCODING" || $0.name == "CHARSET" }
  }

  /// True if the only parameters are TYPE and the encoding of the value.
  var hasOnlyTypes: Bool {
    !hasParameters || parameters.allSatisfy { ["TYPE", "ENCODING", "CHARSET"].contains($0.name) }
  }
}

extension String {
  /// The string without leading and trailing blanks and line ends.
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
  /// White_Space of the Unicode character database; for most text the block decides, without a lookup.
  fileprivate var isBlank: Bool {
    if value < 0x80 { return value == 0x20 || (0x09...0x0D).contains(value) }
    return (value < 0x3001) && properties.isWhitespace
  }
}
