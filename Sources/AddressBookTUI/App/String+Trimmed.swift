extension String {
  /// The text without white space at its beginning and end. This uses indices because the first use of a reversed
  /// collection looks up generic types, which is slow.
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
