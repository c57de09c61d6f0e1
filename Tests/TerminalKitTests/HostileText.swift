/// Text that breaks tables: names in many languages, and names that are meant to do harm.
enum HostileText {
  /// Not allowed in a literal.
  static let noncharacters = [0xFFFF, 0xFDD0].compactMap { Unicode.Scalar(UInt32($0)) }.map { String(Character($0)) }
    .joined()

  static let samples: [String] = [
    "", "abc", "李小龙", "é", "e\u{301}", "\u{301}abc", "Z" + String(repeating: "\u{301}\u{327}\u{335}", count: 200),
    "👨‍👩‍👧‍👦 Li", "🇨🇳🇨🇳 王", "🇨", "👩🏽‍💻", "☎️ 电话", "☎︎", "1️⃣", "Bo\u{200B}b\u{200D}\u{2060}\u{FEFF}", "Bo\u{AD}b",
    "\u{1112}\u{1161}\u{11AB}", "\u{1161}", "ที่นี่", "क्षत्रिय", "a\u{E0041}\u{E0042}", "\u{E000}\u{F0000}",
    "a" + noncharacters,
    "“引号”…—①Ω", "𠮷野家𪚥", "Ｂｏｂ　１２３", "　　王　　", "\u{A0}\u{2007}\u{202F}Bob", "one\u{2028}two\u{2029}three\u{85}four",
    "\u{FFFD}", "ᠮᠣᠩᠭᠣᠯ", "a" + String(repeating: "👩\u{200D}", count: 500), "\u{200B}\u{200B}", "   ",
    "Bob\u{202E}gpj.exe", "\u{2066}Bob", "a\u{200F}b\u{200E}", String(repeating: "\u{202B}", count: 100) + "x",
    "محمد 123 ABC", "דוד (David) 054-123", "Bob\u{1B}[2J\u{1B}[H", "Bob\u{1B}]52;c;cm0=\u{07}", "Bob\u{9B}2J",
    "Bob\u{9D}0;x\u{9C}",
    "Bob\u{07}\u{08}\u{08}\rEve", "Bob\u{7F}\u{7F}", "A\tB", "A\r\nB", "\u{0600}1", "ｶﾞ", "か\u{3099}", "🏴󠁧󠁢󠁥󠁮󠁧󠁿", "a🏽", "🏽",
  ]
}
