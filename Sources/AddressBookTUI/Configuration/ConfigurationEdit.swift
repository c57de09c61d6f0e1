/// A change of one setting in the text of `config.toml`. All other lines stay as they are, byte for byte.
enum ConfigurationEdit {
  /// Returns the text with the setting.
  /// - Parameters:
  ///   - text: the present text; it may be empty.
  ///   - name: the path of the setting, such as `names.latin`.
  ///   - value: its new value.
  /// - Returns: nil if other settings would change too, as in a file that is not valid TOML.
  static func text(_ text: String, setting name: String, to value: ConfigurationParser.Value) -> String? {
    let parser = ConfigurationParser(text)
    var lines = text.utf8.split(separator: 0x0A, omittingEmptySubsequences: false).map { String(Substring($0)) }
    if let known = parser.settings.first(where: { $0.path == name }) {
      let first = known.line - 1
      guard lines.indices.contains(first + known.lineCount - 1), let equals = lines[first].firstIndex(of: "=") else {
        return nil
      }
      let comment = known.lineCount == 1 ? comment(of: lines[first]) : ""
      let end = lines[first + known.lineCount - 1].hasSuffix("\r") ? "\r" : ""
      lines[first] = lines[first][...equals] + " " + value.notation + comment + end
      lines.removeSubrange(first + 1..<first + known.lineCount)
    } else {
      insert(name, value, in: &lines, parser)
    }
    let new = lines.joined(separator: "\n")
    let (before, after) = (ConfigurationReader(text).accepted, ConfigurationReader(new).accepted)
    guard after[name]?.value == value, before.allSatisfy({ $0.key == name || after[$0.key]?.value == $0.value.value }),
      after.count <= before.count + 1
    else { return nil }
    return new
  }

  /// The comment after the value of a setting on one line, with the blanks before it; empty if there is none.
  private static func comment(of text: String) -> String {
    var line = ConfigurationLine(Array(text.unicodeScalars))
    guard line.name() != nil, line.consume("=") else { return "" }
    line.skipBlanks()
    guard line.value() != nil else { return "" }
    return line.remainder.trimmed.isEmpty ? "" : line.remainder.replacing("\r", with: "")
  }

  private static func insert(
    _ name: String, _ value: ConfigurationParser.Value, in lines: inout [String], _ parser: ConfigurationParser
  ) {
    let parts = name.split(separator: ".", maxSplits: 1).map(String.init)
    let firstTable = parser.tables.first?.line
    let isDotted = parser.settings.contains { setting in
      parts.count == 2 && setting.path.hasPrefix(parts[0] + ".") && firstTable.map { setting.line < $0 } ?? true
    }
    if parts.count == 2, let table = parser.tables.first(where: { $0.path == parts[0] }) {
      lines.insert(parts[1] + " = " + value.notation, at: table.line)
    } else if parts.count == 2, !isDotted {
      while lines.last?.trimmed.isEmpty == true { lines.removeLast() }
      lines += (lines.isEmpty ? [] : [""]) + ["[\(parts[0])]", parts[1] + " = " + value.notation, ""]
    } else {
      // Settings without a table stand before the first one.
      var index = firstTable.map { $0 - 1 } ?? lines.count
      while index > 0, lines[index - 1].trimmed.isEmpty { index -= 1 }
      lines.insert(name + " = " + value.notation, at: index)
      if index == lines.count - 1 { lines.append("") }
    }
  }
}
