/// Finds the lines that are no settings before TOMLKit reads the text.
///
/// toml++ 3.4, which TOMLKit wraps, ends the program on some broken texts (`[.`, `a = [}`) where its assertions hold, and is
/// undefined where they do not. So it gets only what has the shape of a table header or of a key with a string, a boolean,
/// a whole number or a list of these.
struct ConfigurationSyntax {
  /// Indices of the lines that are none of these.
  private(set) var brokenLines: [Int] = []

  init(_ lines: [String]) {
    var index = 0
    while index < lines.count {
      guard let shape = Self.shape(of: lines[index]) else {
        brokenLines.append(index)
        index += 1
        continue
      }
      index += 1
      if shape.isEmpty || shape.wholeMatch(of: #/\[K(\.K)*\]/#) != nil || Self.isSetting(shape) { continue }
      if let next = Self.endOfList(shape, in: lines, from: index) {
        index = next
      } else {
        brokenLines.append(index - 1)
      }
    }
  }

  /// True for a key and its value. A key may look like a value.
  private static func isSetting(_ shape: String) -> Bool {
    shape.wholeMatch(of: #/[KSV](\.[KSV])*=([SV]|\[([SV](,[SV])*,?)?\])/#) != nil
  }

  /// The line after a list that goes over several; nil when it does not end before the next setting.
  private static func endOfList(_ start: String, in lines: [String], from first: Int) -> Int? {
    guard start.contains("=[") else { return nil }
    var shape = start
    for index in first..<max(first, min(lines.count, first + 100)) {
      guard let more = Self.shape(of: lines[index]), !more.contains("=") else { return nil }
      shape += more
      if isSetting(shape) { return index + 1 }
    }
    return nil
  }

  /// A letter for each word (K for a bare key, S for a string, V for a boolean or a number), and the punctuation; nil for
  /// a string without an end. A header's names are all K.
  private static func shape(of line: String) -> String? {
    var shape = ""
    var rest = Substring(line)
    while let character = rest.first {
      rest = rest.dropFirst()
      switch character {
      case " ", "\t", "\r", "\r\n": continue
      case "#": return inHeader(shape)
      case "\"", "'":
        guard let after = afterString(rest, quote: character) else { return nil }
        rest = after
        shape += "S"
      case let letter where isBare(letter):
        let word = String(letter) + rest.prefix(while: isBare)
        rest = rest.dropFirst(word.count - 1)
        let isNumber = word == "0" || (word.allSatisfy(\.isNumber) && word.count < 10 && letter != "0")
        shape += word == "true" || word == "false" || isNumber ? "V" : "K"
      default: shape.append(character)
      }
    }
    return inHeader(shape)
  }

  private static func inHeader(_ shape: String) -> String {
    guard shape.first == "[" else { return shape }
    return String(shape.map { $0 == "S" || $0 == "V" ? "K" : $0 })
  }

  private static func isBare(_ character: Character) -> Bool {
    character.isASCII && (character.isLetter || character.isNumber || character == "_" || character == "-")
  }

  private static func afterString(_ text: Substring, quote: Character) -> Substring? {
    var rest = text
    while let character = rest.first {
      rest = rest.dropFirst()
      if character == quote { return rest }
      if character == "\\", quote == "\"" { rest = rest.dropFirst() }
    }
    return nil
  }
}
