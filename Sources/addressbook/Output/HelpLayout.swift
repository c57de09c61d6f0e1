import AddressBookTUI

/// Wraps help at the width of the terminal. ArgumentParser counts characters, though an ideograph takes two columns,
/// and breaks only at spaces, which Chinese does not have.
enum HelpLayout {
  /// The column where ArgumentParser begins a description.
  private static let descriptionColumn = 26
  /// The minimum width of a text; in a narrower terminal, its lines are too long.
  private static let minimumColumns = 20

  /// Wraps the lines of a help text that ArgumentParser has not wrapped; other text, such as a completion script, is
  /// returned as it is. As in ArgumentParser, the usage is not wrapped.
  static func wrapped(_ text: String) -> String {
    let usage = strings("Heading/USAGE")
    guard text.hasPrefix(strings("Heading/OVERVIEW")) || text.hasPrefix(usage) else { return text }
    let columns = StandardOutput.terminalColumns
    return text.split(separator: "\n", omittingEmptySubsequences: false)
      .map { $0.hasPrefix(usage) ? String($0) : wrapped($0, columns) }.joined(separator: "\n")
  }

  /// Wraps a line; further lines begin below its description, or else below its first word.
  private static func wrapped(_ line: Substring, _ columns: Int) -> String {
    let text = line[(description(in: line) ?? line.firstIndex { $0 != " " } ?? line.endIndex)...]
    let start = line[..<text.startIndex]
    let indent = PlainColumns.width(of: String(start))
    return String(start)
      + PlainColumns.wrapped(String(text), to: max(minimumColumns, columns - indent))
      .joined(separator: "\n" + String(repeating: " ", count: indent))
  }

  /// Returns where the description of an option or command begins; nil if the line has none.
  private static func description(in line: Substring) -> Substring.Index? {
    guard line.hasPrefix("  ") else { return nil }
    return line.indices.prefix(descriptionColumn + 1).dropFirst().first { index in
      line[index] != " " && line[line.index(before: index)] == " "
        && PlainColumns.width(of: String(line[..<index])) == descriptionColumn
    }
  }
}
