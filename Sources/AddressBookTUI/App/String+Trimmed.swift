extension String {
  /// The text without blanks at its beginning and end. By indices: reversed collections would have their generic types
  /// looked up at the first use.
  var trimmed: String {
    var (start, end) = (startIndex, endIndex)
    while start < end, self[start].isWhitespace { start = index(after: start) }
    while start < end {
      let last = index(before: end)
      guard self[last].isWhitespace else { break }
      end = last
    }
    return String(self[start..<end])
  }
}
