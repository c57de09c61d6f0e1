/// The configuration: every reported line exists, and settings that are written are read back unchanged.
enum ConfigurationCheck {
  static func check(_ bytes: [UInt8]) {
    let text = String(decoding: bytes, as: UTF8.self)
    let lines = text.unicodeScalars.count { $0 == "\n" } + 1
    let parser = ConfigurationParser(text)
    let numbers = parser.settings.map(\.line) + parser.tables.map(\.line) + parser.brokenLines
    if numbers.contains(where: { !(1...lines).contains($0) }) { fatalError("a line that is not there: \(numbers)") }
    let written = parser.settings.map { "\(quoted($0.path)) = \(self.text($0.value))" }.joined(separator: "\n")
    let read = ConfigurationParser(written)
    if !read.brokenLines.isEmpty || read.settings.map(\.value) != parser.settings.map(\.value)
      || read.settings.map(\.path) != parser.settings.map(\.path)
    {
      fatalError("\(parser.settings)\nis read as\n\(read.settings)\nfrom \(written)")
    }
  }

  private static func text(_ value: ConfigurationParser.Value) -> String {
    switch value {
    case .string(let string): quoted(string)
    case .boolean(let boolean): boolean ? "true" : "false"
    case .number(let number): String(number)
    case .list(let values): "[" + values.map(text).joined(separator: ", ") + "]"
    }
  }

  /// Returns a TOML string, with escapes for all characters that need one.
  private static func quoted(_ string: String) -> String {
    var result = "\""
    for scalar in string.unicodeScalars {
      if scalar.value < 0x20 || scalar.value == 0x7F {
        let digits = String(scalar.value, radix: 16)
        result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      } else {
        if scalar == "\"" || scalar == "\\" { result.unicodeScalars.append("\\") }
        result.unicodeScalars.append(scalar)
      }
    }
    return result + "\""
  }
}
