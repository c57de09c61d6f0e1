/// Sanitizes untrusted text for the terminal (``block(_:)``) or for a single line (``cell(_:)``): names, numbers and
/// file names may contain escape sequences (CWE-150), line ends, and bidirectional controls (CVE-2021-42574).
enum PlainText {
  /// A cell of a table or of tab-separated text: without control characters, tabs, line ends or bidirectional controls.
  static func cell(_ text: String) -> String {
    guard mayNeedEscaping(text) else { return text }
    var result = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      switch kind(of: scalar) {
      case .plain: result.append(scalar)
      case .lineEnd, .control: result.append(" ")
      case .direction: break
      }
    }
    return String(result)
  }

  /// Text of several lines with control characters and bidirectional controls made visible. Tabs and LF are kept; CR LF
  /// becomes LF.
  static func block(_ text: String) -> String {
    guard mayNeedEscaping(text) else { return text }
    var result = ""
    result.reserveCapacity(text.utf8.count)
    var scalars = text.unicodeScalars[...]
    while let scalar = scalars.popFirst() {
      if scalar == "\r", scalars.first == "\n" { continue }
      if scalar == "\n" || scalar == "\t" || kind(of: scalar) == .plain {
        result.unicodeScalars.append(scalar)
      } else {
        result += visibleForm(of: scalar)
      }
    }
    return result
  }

  private enum Kind {
    case plain
    case lineEnd
    case control
    case direction
  }

  /// Whether a text may contain anything that is not plain.
  static func mayNeedEscaping(_ text: String) -> Bool {
    text.utf8.contains { $0 < 0x20 || $0 == 0x7F || $0 == 0xC2 || $0 == 0xD8 || $0 == 0xE2 }
  }

  private static func kind(of scalar: Unicode.Scalar) -> Kind {
    switch scalar.value {
    case 0x09, 0x0A, 0x0D, 0x85, 0x2028, 0x2029: .lineEnd
    case 0..<0x20, 0x7F...0x9F: .control
    case 0x061C, 0x200E, 0x200F, 0x202A...0x202E, 0x2066...0x2069: .direction
    default: .plain
    }
  }

  /// ␛ for characters with a control picture (U+2400…), `\u009b` for the rest.
  private static func visibleForm(of scalar: Unicode.Scalar) -> String {
    switch scalar.value {
    case 0..<0x20: return Unicode.Scalar(0x2400 + scalar.value).map(String.init) ?? "?"
    case 0x7F: return "\u{2421}"
    default:
      let digits = String(scalar.value, radix: 16)
      return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
    }
  }
}

/// Tab-separated text: one line per row, without tabs or line ends inside a cell.
enum TabSeparated {
  /// A row of sanitized cells.
  static func row(_ cells: [String]) -> String {
    cells.map(PlainText.cell).joined(separator: "\t")
  }
}
