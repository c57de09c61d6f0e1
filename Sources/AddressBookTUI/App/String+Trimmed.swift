extension String {
  /// The text without white space at its beginning and end. It uses indices, because reversed collections would look up
  /// generic types at their first use.
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
