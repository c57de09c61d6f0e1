import Foundation
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
    #expect(sequence(.screen) == plain + "\u{1B}P" + plain + "\u{1B}\\")
  }

  @Test func aLongTextIsWrappedForScreenInPieces() {
    let text = String(repeating: "李", count: 500)
    let plain = String(decoding: ClipboardSequence.bytes(copying: text, wrapping: .none), as: UTF8.self)
    let wrapped = String(decoding: ClipboardSequence.bytes(copying: text, wrapping: .screen), as: UTF8.self)
    let pieces = wrapped.components(separatedBy: "\u{1B}\\")
    #expect(pieces.count > 2 && pieces.last == "")
    #expect(pieces.dropLast().allSatisfy { $0.hasPrefix("\u{1B}P") && $0.utf8.count <= 254 })
    #expect(pieces.map { String($0.dropFirst(2)) }.joined() == plain)
  }

  @Test(
    arguments: [
      ("xterm-256color", [:], .none), ("tmux-256color", ["TMUX": "/tmp/t,1,0"], .tmux),
      ("screen-256color", ["TMUX": "/tmp/t,1,0"], .tmux), ("screen.xterm-256color", ["STY": "1.s"], .screen),
      ("xterm-256color", ["STY": "1.s"], .screen), ("screen", [:], .screen),
    ] as [(String, [String: String], ClipboardSequence.Wrapping)])
  func multiplexers(type: String, variables: [String: String], expected: ClipboardSequence.Wrapping) {
    #expect(ClipboardSequence.Wrapping(type: type) { variables[$0] } == expected)
  }
}
