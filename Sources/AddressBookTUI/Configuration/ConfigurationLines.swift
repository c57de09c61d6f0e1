/// On which line of a TOML text a setting stands. TOMLKit says that of errors in the syntax only.
struct ConfigurationLines {
  private var lines: [String: Int] = [:]

  init(_ text: String) {
    var section = ""
    for (index, line) in text.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).enumerated() {
      let line = Substring(line)
      let trimmed = line.drop(while: \.isWhitespace)
      if trimmed.first == "[", let end = trimmed.firstIndex(of: "]"), !trimmed.contains("=") {
        section = Self.name(trimmed[..<end].dropFirst())
      } else if trimmed.first != "#", let equals = trimmed.firstIndex(of: "=") {
        let name = Self.name(trimmed[..<equals])
        let path = section.isEmpty ? name : section + "." + name
        if lines[path] == nil { lines[path] = index + 1 }
      }
    }
  }

  /// The line, counted from 1; for a value in an inline table, that of the table. 0 when it is not found.
  func line(of path: String) -> Int {
    var path = path[...]
    while true {
      if let line = lines[String(path)] { return line }
      guard let dot = path.lastIndex(of: ".") else { return 0 }
      path = path[..<dot]
    }
  }

  /// A name without the quotes and blanks that TOML allows around its parts.
  private static func name(_ text: Substring) -> String {
    String(text.filter { !$0.isWhitespace && $0 != "\"" && $0 != "'" })
  }
}
