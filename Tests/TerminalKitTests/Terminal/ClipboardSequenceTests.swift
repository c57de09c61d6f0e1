import Testing

@testable import TerminalKit

@Suite struct ClipboardSequenceTests {
  @Test(arguments: [("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foobar", "Zm9vYmFy"), ("李", "5p2O")])
  func base64(text: String, expected: String) {
    #expect(String(decoding: Base64.encoded(Array(text.utf8)), as: UTF8.self) == expected)
  }

  @Test func wrapping() {
    func sequence(_ wrapping: ClipboardSequence.Wrapping) -> String {
      String(decoding: ClipboardSequence.bytes(copying: "foo", wrapping: wrapping), as: UTF8.self)
    }
    let plain = "\u{1B}]52;c;Zm9v\u{7}"
    #expect(sequence(.none) == plain)
    #expect(sequence(.tmux) == plain + "\u{1B}Ptmux;\u{1B}\u{1B}]52;c;Zm9v\u{7}\u{1B}\\")
    #expect(sequence(.screen) == "\u{1B}P" + plain + "\u{1B}\\")
  }
}
