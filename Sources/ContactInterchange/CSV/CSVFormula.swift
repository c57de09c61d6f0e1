/// An apostrophe that keeps spreadsheets from running a cell as a formula (CWE-1236). Reading the file removes it again.
///
/// Spreadsheets treat a cell that begins with `=`, `+`, `-`, `@`, a tab or a line end as a formula, and some do so with
/// the fullwidth forms of these signs. Such a cell gets an apostrophe in front. Phone numbers and dates without a year
/// can begin with `+` or `-`, and other programs must be able to read them: a cell that has only digits and the
/// punctuation of phone numbers stays as it is, because it cannot call a function. A cell that begins with apostrophes
/// and then such a character gets one more, so that reading removes exactly the one that was added.
enum CSVFormula {
  /// Returns the text to write into a cell.
  static func guarded(_ text: String) -> String {
    startsFormula(text) || isGuarded(text) ? "'" + text : text
  }

  /// Returns the text of a cell, without an added apostrophe.
  static func bare(_ cell: String) -> String { isGuarded(cell) ? String(cell.dropFirst()) : cell }

  private static func startsFormula(_ text: String) -> Bool {
    guard let first = text.unicodeScalars.first, isTrigger(first) else { return false }
    guard first == "+" || first == "-" else { return true }
    return !text.unicodeScalars.allSatisfy { ("0"..."9").contains($0) || " +-().#*".unicodeScalars.contains($0) }
  }

  /// Returns whether the text begins with apostrophes and then a character that begins a formula.
  private static func isGuarded(_ text: String) -> Bool {
    guard text.unicodeScalars.first == "'" else { return false }
    return text.unicodeScalars.first { $0 != "'" }.map(isTrigger) ?? false
  }

  private static func isTrigger(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar {
    case "=", "+", "-", "@", "\t", "\n", "\r", "＝", "＋", "－", "＠": true
    default: false
    }
  }
}
