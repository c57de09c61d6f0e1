import Testing

@testable import TerminalKit

private enum Context { case main, form }

@Suite struct HelpFilterTests {
  private let lines = HelpLines(
    keys: KeyMap<Int, Context>([
      .init(["j", "Down"], 0, in: [.main], help: "next contact", group: "Move"),
      .init(["k"], 1, in: [.main], help: "previous contact", group: "Move"),
      .init(["^S"], 2, in: [.form], help: "save", group: "In a form"),
      .init(["Tab"], 3, in: [.form], help: "next field", group: "In a form"),
    ])
  ) { $0 }.lines

  private func texts(_ filter: String) -> [String] {
    HelpLines<Int, Context>.filter(lines, by: filter).lines.map(\.text)
  }

  @Test func linesThatMatchRemainUnderTheirHeadings() {
    #expect(texts("next") == ["Move", "next contact", "", "In a form", "next field"])
    #expect(texts("PREV") == ["Move", "previous contact"])
    #expect(texts("^s") == ["In a form", "save"], "a key is found too")
    #expect(texts("form next") == ["In a form", "next field"], "all words, also of the heading")
    #expect(texts("nothing").isEmpty)
    #expect(HelpLines<Int, Context>.filter(lines, by: "form").count == 2)
    #expect(texts(" ") == lines.map(\.text))
  }
}
