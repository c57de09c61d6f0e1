/// Filters lines by typed text, ignoring case.
public struct ChoiceFilter: Hashable, Sendable {
  private let lowercased: String
  /// True if every line matches.
  var isEmpty: Bool { lowercased.isEmpty }

  /// Creates a filter for that text; an empty text matches every line.
  public init(_ text: String) { lowercased = text.lowercased() }

  /// Returns true if the line contains the text.
  public func matches(_ line: String) -> Bool { lowercased.isEmpty || line.lowercased().contains(lowercased) }

  /// Returns the rank of a line: the smaller, the better it matches; nil if it does not match. Equal lines come first,
  /// then lines that begin with the text, then those with a word that begins with it; of both, those in which the text
  /// is a whole word come first. Then come lines that contain the text, then those that contain its characters, except
  /// blanks, in the same order with others between them.
  public func rank(of line: String) -> Int? {
    let line = line.lowercased()
    if lowercased.isEmpty || line == lowercased { return 0 }
    let words = " " + line + " "
    if words.hasPrefix(" " + lowercased + " ") { return 1 }
    if words.contains(" " + lowercased + " ") { return 2 }
    if line.hasPrefix(lowercased) { return Self.prefix }
    guard line.contains(lowercased) else { return hasSubsequence(in: line) ? 6 : nil }
    return words.contains(" " + lowercased) ? 4 : 5
  }

  /// The rank of a line that begins with the text.
  static let prefix = 3

  /// Returns true if the line begins with the text.
  func begins(_ line: String) -> Bool { line.lowercased().hasPrefix(lowercased) }

  private func hasSubsequence(in line: String) -> Bool {
    var rest = lowercased.filter { !$0.isWhitespace }[...]
    for character in line where character == rest.first { rest.removeFirst() }
    return rest.isEmpty
  }

  /// Returns the index of the best match: an exact match, or else the first line with that prefix, or else 0.
  public func best(of lines: [String]) -> Int {
    let lines = lines.map { $0.lowercased() }
    return lines.firstIndex(of: lowercased) ?? lines.firstIndex { $0.hasPrefix(lowercased) } ?? 0
  }
}
