import VCard

extension CardLine {
  /// True when nothing but the value's own encoding stands before the colon.
  var isPlain: Bool {
    guard hasParameters else { return !hasGroup }
    return !hasGroup && parameters.allSatisfy { $0.name == "ENCODING" || $0.name == "CHARSET" }
  }

  /// True when the parameters are TYPE and the value's own encoding.
  var hasOnlyTypes: Bool {
    !hasParameters || parameters.allSatisfy { ["TYPE", "ENCODING", "CHARSET"].contains($0.name) }
  }
}

extension String {
  /// Without blanks and line ends at both ends.
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
  /// White_Space of the Unicode character database; most text is told by its block, without a look at the database.
  fileprivate var isBlank: Bool {
    if value < 0x80 { return value == 0x20 || (0x09...0x0D).contains(value) }
    return (value < 0x3001) && properties.isWhitespace
  }
}
