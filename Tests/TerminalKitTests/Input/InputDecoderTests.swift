import Glibc
import SeededRandom
import Testing

@testable import TerminalKit

@Suite struct InputDecoderTests {
  private func events(_ text: String) -> [Event] { events(Array(text.utf8)) }

  private func events(_ bytes: [UInt8]) -> [Event] {
    var decoder = InputDecoder()
    return decoder.feed(bytes) + (decoder.timeout == nil ? [] : decoder.flush())
  }

  static let keys: [(String, Key)] = [
    ("a", .character("a")), ("中", .character("中")), ("\u{301}", .character("\u{301}")), ("\r", Key(.enter)),
    ("\n", Key(.enter)),
    ("\t", Key(.tab)), ("\u{7F}", Key(.backspace)), ("\u{08}", Key(.backspace)), ("\u{1B}", Key(.escape)),
    ("\u{01}", .control("a")),
    ("\u{1A}", .control("z")), ("\u{1F}", .control("_")), ("\0", .control(" ")),
    ("\u{1B}f", Key(.character("f"), .alt)),
    ("\u{1B}中", Key(.character("中"), .alt)), ("\u{1B}\u{7F}", Key(.backspace, .alt)),
    ("\u{1B}\u{06}", Key(.character("f"), [.alt, .control])),
    ("\u{1B}[", Key(.character("["), .alt)), ("\u{1B}O", Key(.character("O"), .alt)),
    ("\u{1B}]", Key(.character("]"), .alt)),
    ("\u{1B}P", Key(.character("P"), .alt)),
    ("\u{1B}[A", Key(.up)), ("\u{1B}OB", Key(.down)), ("\u{1B}[1;5C", Key(.right, .control)),
    ("\u{1B}[1;2D", Key(.left, .shift)),
    ("\u{1B}[1;3A", Key(.up, .alt)), ("\u{1B}\u{1B}[A", Key(.up, .alt)), ("\u{1B}[H", Key(.home)),
    ("\u{1B}OF", Key(.end)),
    ("\u{1B}[1~", Key(.home)), ("\u{1B}[7~", Key(.home)), ("\u{1B}[4~", Key(.end)), ("\u{1B}[2~", Key(.insert)),
    ("\u{1B}[3~", Key(.delete)),
    ("\u{1B}[3;5~", Key(.delete, .control)), ("\u{1B}[5~", Key(.pageUp)), ("\u{1B}[6;3~", Key(.pageDown, .alt)),
    ("\u{1B}[Z", Key(.backTab)),
    ("\u{1B}OP", Key(.function(1))), ("\u{1B}[[E", Key(.function(5))), ("\u{1B}[15~", Key(.function(5))),
    ("\u{1B}[24~", Key(.function(12))),
    ("\u{1B}[1;2P", Key(.function(1), .shift)), ("\u{1B}[1;5R", Key(.function(3), .control)),
    ("\u{1B}[a", Key(.up, .shift)),
    ("\u{1B}Oa", Key(.up, .control)), ("\u{1B}[3$", Key(.delete, .shift)), ("\u{1B}[5^", Key(.pageUp, .control)),
    ("\u{1B}OM", Key(.enter)), ("\u{1B}Ok", .character("+")), ("\u{1B}O5A", Key(.up, .control)),
    ("\u{1B}[97;5u", .control("a")),
    ("\u{1B}[27;5;115~", .control("s")), ("\u{1B}[13;2u", Key(.enter, .shift)), ("\u{1B}[97;2u", .character("A")),
    ("\u{1B}[9;2u", Key(.backTab)), ("\u{1B}[128512u", .character("😀")), ("\u{1B}[196;5u", .control("ä")),
    ("\u{3000}", .character("\u{3000}")), ("\u{A0}", .character("\u{A0}")), ("\u{1B}F", Key(.character("F"), .alt)),
  ]

  @Test(arguments: keys)
  func key(bytes: String, expected: Key) {
    #expect(events(bytes) == [.key(expected)])
    // What follows the sequence is not consumed with it.
    if bytes != "\u{1B}", bytes.utf8.count > 2 || bytes.first != "\u{1B}" {
      #expect(events(bytes + "x") == [.key(expected), .key(.character("x"))])
    }
  }

  @Test func twoEscapes() {
    #expect(events("\u{1B}\u{1B}") == [.key(Key(.escape)), .key(Key(.escape))])
    #expect(events("\u{1B}\u{1B}a") == [.key(Key(.escape)), .key(Key(.character("a"), .alt))])
  }

  /// Late replies and unknown sequences are ignored as a whole.
  @Test(arguments: [
    "\u{1B}[?62;22c", "\u{1B}[>1;10;0c", "\u{1B}[?24;80R", "\u{1B}[1;1R", "\u{1B}[?2026;2$y",
    "\u{1B}[4;2$y",
    "\u{1B}]10;rgb:0000/0000/0000\u{07}", "\u{1B}]10;rgb:0/0/0\u{1B}\\", "\u{1B}P>|xterm(370)\u{1B}\\",
    "\u{1B}_Gi=1;OK\u{1B}\\",
    "\u{1B}[?1u", "\u{1B}[8;24;80t", "\u{1B}[99;99;99;99q", "\u{1B}[57441u", "\u{1B}[1114112u", "\u{1B}[9999999999u",
    "\u{1B}[<35;1;1M", "\u{1B}[999~",
    "\u{1B}O~", "\u{1B}[\(String(repeating: "0", count: 64))A", "\u{1B}O\(String(repeating: "0", count: 64))A",
    "\u{C2}\u{9B}",
  ])
  func swallowed(answer: String) {
    let bytes = answer == "\u{C2}\u{9B}" ? [0xC2, 0x9B] : Array(answer.utf8)
    #expect(events(bytes + Array("x".utf8)) == [.key(.character("x"))])
  }

  @Test func anAnswerThatIsCutOffIsDropped() {
    #expect(events("\u{1B}]11;rgb:00") == [])
    #expect(events("\u{1B}[12;3") == [])
    #expect(events("\u{1B}[12\u{1B}[A") == [.key(Key(.up))])
    #expect(events("\u{1B}]11;rgb\u{1B}[A") == [.key(Key(.up))])
  }

  @Test func invalidText() {
    let bad = Event.key(.character("\u{FFFD}"))
    #expect(events([0xFF]) == [bad])
    #expect(events([0xE4, 0xB8]) == [bad])
    #expect(events([0xE4, 0xB8, 0x61]) == [bad, .key(.character("a"))])
    #expect(events([0xC0, 0x80]) == [bad, bad])
    #expect(events([0xED, 0xA0, 0x80]) == [bad, bad, bad])
    #expect(events([0xE4, 0x1B, 0x5B, 0x41]) == [bad, .key(Key(.up))])
  }

  @Test func mouse() {
    #expect(events("\u{1B}[<0;5;3M") == [.mouse(Mouse(.press, at: Point(row: 2, column: 4)))])
    #expect(events("\u{1B}[<2;300;3m") == [.mouse(Mouse(.release, button: 2, at: Point(row: 2, column: 299)))])
    #expect(events("\u{1B}[<32;1;1M") == [.mouse(Mouse(.drag, at: Point(row: 0, column: 0)))])
    #expect(
      events("\u{1B}[<64;1;1M\u{1B}[<65;1;1M") == [
        .mouse(Mouse(.wheelUp, at: Point(row: 0, column: 0))), .mouse(Mouse(.wheelDown, at: Point(row: 0, column: 0))),
      ])
    #expect(events("\u{1B}[M !!") == [.mouse(Mouse(.press, at: Point(row: 0, column: 0)))])
    #expect(events("\u{1B}[35;2;2M") == [.mouse(Mouse(.release, at: Point(row: 1, column: 1)))])
    #expect(events("\u{1B}[<0;0;0M\u{1B}[<;;M\u{1B}[<1M") == [])
  }

  @Test func focus() {
    #expect(events("\u{1B}[Ia\u{1B}[O") == [.focus(true), .key(.character("a")), .focus(false)])
    #expect(events("\u{1B}[1I\u{1B}[?O") == [])
  }

  @Test func thePositionOfTheCursor() {
    #expect(
      events("a\u{1B}[2;3Rb") == [.key(.character("a")), .position(Point(row: 1, column: 2)), .key(.character("b"))])
    #expect(events("\u{1B}[1;2R") == [.key(Key(.function(3), .shift))], "a key in the first line")
  }

  @Test func deleteOfSt() {
    #expect(events("\u{1B}[P") == [.key(Key(.delete))])
    #expect(events("\u{1B}OP") == [.key(Key(.function(1)))])
    #expect(events("\u{1B}[1;2P") == [.key(Key(.function(1), .shift))])
  }

  @Test(arguments: [
    ("11;rgb:ffff/ffff/ffff", true), ("11;rgb:fdfd/f6f6/e3e3", true), ("11;rgb:ff/ff/ff", true),
    ("11;rgba:eeee/eeee/eeee/ffff", true), ("11;rgb:0000/0000/0000", false), ("11;rgb:0000/2b2b/3636", false),
    ("11;rgb:1/2/3", false),
  ])
  func background(reply: String, isLight: Bool) {
    for end in ["\u{7}", "\u{1B}\\"] {
      #expect(
        events("a\u{1B}]\(reply)\(end)b")
          == [.key(.character("a")), .background(isLight: isLight), .key(.character("b"))])
    }
  }

  @Test(arguments: [
    "11;?", "10;rgb:ffff/ffff/ffff", "11;rgb:ffff/ffff", "11;rgb:-1/0/0", "11;rgb:fffff/0/0", "11;rgb://",
    "11;rgb:ffff/ffff/ffff" + String(repeating: "f", count: 100), "",
  ])
  func otherRepliesAreDropped(reply: String) {
    #expect(events("\u{1B}]\(reply)\u{7}b") == [.key(.character("b"))])
    #expect(events("\u{1B}P\(reply)\u{1B}\\b") == [.key(.character("b"))])
  }

  @Test func paste() {
    let start = "\u{1B}[200~"
    let end = "\u{1B}[201~"
    #expect(events(start + "a\r\nb\tc\rd\u{07}\u{1B}[A\u{C2}\u{85}" + end + "q").last == .key(.character("q")))
    #expect(events(start + "a\r\nb\tc\rd\u{07}" + end) == [.paste("a\nb\tc\nd")])
    #expect(events(start + "x\u{1B}[2J\u{9B}y" + end) == [.paste("x[2Jy")])
    #expect(events(start + "x\u{1B}\u{1B}[20" + end) == [.paste("x[20")])
    #expect(events(start + end) == [])
  }

  /// On a slow connection, the rest of a paste must not be taken for commands.
  @Test func aStalledPasteStaysAPaste() {
    var decoder = InputDecoder()
    #expect(decoder.feed(Array("\u{1B}[200~abc".utf8)) == [])
    #expect(decoder.flush() == [.paste("abc")])
    #expect(decoder.timeout == nil)
    #expect(decoder.feed(Array("def\u{1B}[201~q".utf8)) == [.paste("def"), .key(.character("q"))])
    _ = decoder.feed(Array("\u{1B}[200~lost\u{1B}".utf8))
    #expect(decoder.flush() == [.paste("lost")])
    #expect(decoder.feed(Array("q".utf8)) == [.key(.character("q"))])
  }

  @Test(arguments: ["李小龙李小龙李小龙", "a李b小c龙d", "\u{1D11E}\u{1D11E}\u{1D11E}", "abc\r\ndef\r\ng"])
  func aLongPasteIsSplitBetweenCodePoints(text: String) {
    for size in 1...9 {
      var buffer = PasteBuffer(partSize: size)
      var events: [Event] = []
      for byte in Array((text + "\u{1B}[201~").utf8) { _ = buffer.append(byte, &events) }
      let parts = events.map { if case .paste(let text) = $0 { text } else { "?" } }
      #expect(parts.joined() == text.replacing("\r\n", with: "\n"))
      #expect(parts.allSatisfy { $0.utf8.count < size + 4 })
    }
  }

  @Test func aLineFeedAfterPartOfTheClosingBracketIsKept() {
    var decoder = InputDecoder()
    #expect(decoder.feed(Array("\u{1B}[200~a\r\u{1B}[\nb\u{1B}[201~".utf8)) == [.paste("a\n[\nb")])
  }

  @Test(arguments: [[0x80], Array("\u{1B}[201".utf8)]) func aPasteOfAnythingIsSplit(bytes: [UInt8]) {
    var buffer = PasteBuffer(partSize: 100)
    var events: [Event] = []
    for _ in 0..<1000 { for byte in bytes { _ = buffer.append(byte, &events) } }
    #expect(events.count >= 9)
  }

  @Test func aMegabyteOfPasteIsOneEvent() {
    let text = String(repeating: "李小龙 0123456789\n", count: 50_000)
    var decoder = InputDecoder()
    let clock = ContinuousClock()
    var events: [Event] = []
    let time = clock.measure { events = decoder.feed(Array("\u{1B}[200~\(text)\u{1B}[201~".utf8)) }
    #expect(events == [.paste(text)])
    print("paste of \(text.utf8.count) bytes: \(time)")
  }

  /// `RANDOM_BYTES` is the number of bytes (300,000 by default, more in `make soak`).
  @Test func randomBytesInAnyPieces() {
    let count = getenv("RANDOM_BYTES").flatMap { Int(String(cString: $0)) } ?? 300_000
    let seed = UInt64.random(in: 0...UInt64.max)
    print("seed \(seed), \(count) bytes")
    var random = SeededGenerator(seed: seed)
    var whole = InputDecoder()
    var single = InputDecoder()
    var left = count
    while left > 0 {
      let bytes = randomBytes(min(left, 50_000), &random)
      left -= bytes.count
      let expected = whole.feed(bytes)
      var events: [Event] = []
      for byte in bytes { events += single.feed([byte]) }
      #expect(events == expected)
      for event in expected where !isText(event) { Issue.record("\(event)") }
      guard events == expected else { return }
      if Bool.random(using: &random) { #expect(whole.flush() == single.flush()) }
    }
    // After CAN, and twice Esc with a pause, any decoder is in its initial state again.
    _ = single.feed([0x18, 0x1B])
    _ = single.flush()
    _ = single.feed([0x1B])
    _ = single.flush()
    #expect(single.feed([0x61]) == [.key(.character("a"))])
  }

  /// Returns mostly characters of sequences, to reach all states of the decoder.
  private func randomBytes(_ count: Int, _ random: inout SeededGenerator) -> [UInt8] {
    let alphabet: [UInt8] = Array("\u{1B}\u{1B}\u{1B}[[[]OP_<>?0123456789;;;:~ABCMRZmuyc$^@\r\u{07}\\ abz\u{18}".utf8)
    var bytes: [UInt8] = []
    while bytes.count < count {
      let chance = UInt16.random(in: 0...UInt16.max, using: &random)
      bytes.append(chance & 3 == 0 ? UInt8(chance >> 8) : alphabet[Int(chance >> 4) % alphabet.count])
      if chance >> 2 & 511 == 0 { bytes += Array("\u{1B}[200~x\u{1B}[20\u{1B}[201~".utf8) }
    }
    return bytes
  }

  /// Returns whether the event's text has no control character, except line breaks and tabs in a paste.
  private func isText(_ event: Event) -> Bool {
    switch event {
    case .key(let key):
      guard case .character(let character) = key.code else { return true }
      return character.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control }
    case .paste(let text):
      return text.unicodeScalars.allSatisfy { $0 == "\n" || $0 == "\t" || $0.properties.generalCategory != .control }
    default: return true
    }
  }
}
