import Testing

@testable import TerminalKit

@Suite struct CellTests {
  @Test(arguments: [
    "", " ", "a", "中", "é", "e\u{301}\u{302}\u{303}", "א\u{5B8}\u{5BC}\u{5BF}\u{200E}", "\u{10FFFD}\u{20DD}",
  ])
  func keepsItsText(_ text: String) {
    let cell = Cell(text: text, width: 2)
    #expect(Array(cell.text.unicodeScalars) == Array(text.unicodeScalars))
    #expect(cell.width == 2)
  }

  @Test func holdsFiveCodePoints() {
    var cell = Cell(text: "abcdefg", width: 1)
    #expect(cell.text == "abcde")
    cell.append("h")
    #expect(cell.text == "abcde")
    #expect(cell.width == 1)
  }

  @Test func marksAreAdded() {
    var cell = Cell("a", style: .plain)
    for mark: Unicode.Scalar in ["\u{300}", "\u{301}", "\u{302}", "\u{200E}"] { cell.append(mark) }
    #expect(Array(cell.text.unicodeScalars) == ["a", "\u{300}", "\u{301}", "\u{302}", "\u{200E}"])
  }
}
