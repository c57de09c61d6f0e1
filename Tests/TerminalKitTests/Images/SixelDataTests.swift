import Testing

@testable import TerminalKit

struct SixelDataTests {
  private func parsed(_ body: String, _ parameters: String = "0;1;0") -> SixelData? {
    SixelData(Array("\u{1B}P\(parameters)q\(body)\u{1B}\\".utf8))
  }

  @Test(arguments: [
    ("\"1;1;3;6#0;2;50;0;100#0~~~", 3, 6), ("\"1;1;3;6#0;2;50;0;100#0!3~", 3, 6),
    ("\"1;1;0;0#1!12~!8?$#2!10A-#1!15~", 20, 12), ("\"1;1;40;13#0~", 40, 13), ("\"1;1;1;1-~-~", 1, 18),
  ])
  func theSizeIsTheLargerOfDrawnAndDeclared(body: String, width: Int, height: Int) throws {
    let data = try #require(parsed(body))
    #expect((data.width, data.height) == (width, height))
    #expect(data.bytes == Array("\u{1B}P0;1;0q\(body)\u{1B}\\".utf8))
  }

  @Test func aLastLineFeedIsLeftOut() throws {
    let data = try #require(parsed("\"1;1;2;6#0~~$-"))
    #expect(data.bytes == Array("\u{1B}P0;1;0q\"1;1;2;6#0~~\u{1B}\\".utf8))
    #expect(data.height == 6)
  }

  @Test(arguments: [
    "", "~", "\"1;1;3;6", "\"2;1;3;6~", "\"1;1;3~", "\"1;1;3;6;1~", "\"1;1;3;6~\u{1B}\\~", "\"1;1;3;6~\u{1B}[2J",
    "\"1;1;3;6~\n~", "\"1;1;3;6~\u{7}~", "\"1;1;3;6~ ~", "\"1;1;3;6~é", "\"1;1;3;6~\u{9C}", "\"1;1;3;6!~",
    "\"1;1;3;6!5", "\"1;1;3;6!5#", "\"1;1;3;6!65536~", "\"1;1;3;6!65535~~", "\"1;1;3;6!99999999999999999999~",
    "\"1;1;3;6#1;2;3~", "\"1;1;3;6#1;2;3;4;5;6~", "\"1;1;3;6~\"1;1;9;9~", "\"1;1;3;6---",
  ])
  func anythingElseIsRefused(body: String) { #expect(parsed(body) == nil) }

  @Test func theSequenceItselfMustBeComplete() {
    for text in ["", "\u{1B}", "\u{1B}P", "\u{1B}\\", "\u{1B}P\u{1B}\\", "\u{1B}Pq\u{1B}\\", "\u{1B}P0q\"1;1;1;6~"] {
      #expect(SixelData(Array(text.utf8)) == nil)
    }
    #expect(parsed("\"1;1;1;6~", "0;1;0;1") == nil)
    #expect(parsed("\"1;1;1;6~", "?1") == nil)
    #expect(parsed("\"1;1;1;6~", "") != nil)
    #expect(parsed("\"1;1;1;6~", "1$") == nil)
  }
}
