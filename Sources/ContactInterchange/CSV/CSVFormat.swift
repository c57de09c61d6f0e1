import VCard

/// Recognizes CSV by its beginning.
public enum CSVFormat {
  /// True if the first row of a text has several columns, and at least one is known.
  /// - Parameter beginning: the text in UTF-8 or an 8-bit charset; more than its first row is not needed.
  public static func isLikely(_ beginning: [UInt8], map: [CSVMapping] = []) -> Bool {
    if beginning.starts(with: "sep=".utf8) { return true }
    var text = ForeignText()
    text.observe(beginning)
    let found = CSVHeader.detect(in: beginning, map: map, text: text)
    return found.known > 0 && found.columns > 1
  }
}
