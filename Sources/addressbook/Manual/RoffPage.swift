/// Writes a manual page in roff with the `man` macros (man(7), groff_man(7)).
struct RoffPage {
  private(set) var text: String

  /// Begins a page in a section of the manual, such as 1 for commands.
  init(name: String, section: Int, version: String, title: String) {
    // Without hyphenation, which would change names, and aligned left: justification would spread lines of Chinese,
    // which have few spaces.
    text =
      ".TH \(Self.argument(name.uppercased())) \(section) \"\" \"\(name) \(version)\" \"\(Self.argument(title))\"\n"
      + ".nh\n.ad l\n"
  }

  /// A heading.
  mutating func section(_ title: String) { text += ".SH \"\(Self.argument(title))\"\n" }

  /// A subheading.
  mutating func subsection(_ title: String) { text += ".SS \"\(Self.argument(title))\"\n" }

  /// Text in which each line becomes a paragraph.
  mutating func paragraphs(_ words: String) {
    for (index, line) in words.split(separator: "\n").enumerated() {
      if index > 0 { text += ".PP\n" }
      text += Self.escaped(String(line)) + "\n"
    }
  }

  /// A term and its description.
  mutating func item(_ term: String, _ words: String) {
    text += ".TP\n\\fB" + Self.escaped(term) + "\\fR\n" + Self.escaped(words) + "\n"
  }

  /// Preformatted lines.
  mutating func example(_ lines: String) {
    text += ".PP\n.nf\n.RS\n"
    for line in lines.split(separator: "\n", omittingEmptySubsequences: false) {
      text += Self.escaped(String(line)) + "\n"
    }
    text += ".RE\n.fi\n.PP\n"
  }

  /// Words of at least this many characters may be broken after punctuation: beside Chinese, groff 1.22 never ends with
  /// a word that is longer than the line.
  private static let longWord = 16
  private static let breaking: Set<Character> = [
    "/", "?", "=", "&", ",", ":", ";", "|", "@", "、", "，", "；", "：", "。", "）",
  ]

  /// Escapes a text, so that roff prints it literally. Hyphens stay ASCII hyphens, because they are part of commands
  /// and options; a newline becomes a space.
  static func escaped(_ text: String) -> String {
    let words = text.split(separator: " ", omittingEmptySubsequences: false).map { word in
      escaped(word: word, isLong: word.utf8.count >= longWord)
    }
    let result = words.joined(separator: " ")
    return result.hasPrefix(".") ? "\\&" + result : result
  }

  private static func escaped(word: Substring, isLong: Bool) -> String {
    var result = ""
    for character in word {
      switch character {
      case "\\": result += "\\e"
      case "-": result += "\\-"
      case "^": result += "\\(ha"
      case "~": result += "\\(ti"
      case "'": result += "\\(aq"
      case "`": result += "\\(ga"
      case "\n": result += " "
      default: result.append(character)
      }
      if isLong, breaking.contains(character) { result += "\\:" }
    }
    return result
  }

  private static func argument(_ text: String) -> String {
    escaped(text).split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\\(dq")
  }
}
