import TerminalKit
import Testing

/// The widgets' states, driven without a screen.
@Suite struct WidgetStateTests {
  private let window = Rect(row: 0, column: 0, rows: 10, columns: 40)

  private func picture(_ draw: (inout Canvas) -> Void) -> String {
    var canvas = Canvas(size: Size(rows: 10, columns: 40))
    draw(&canvas)
    return canvas.plainText()
  }

  @Test func completionPrefersAPrefixToASubstring() {
    #expect(ChoiceFilter("Work").best(of: ["homework", "work fax", "work", "other"]) == 2)
    #expect(ChoiceFilter("work").best(of: ["homework", "work fax", "other"]) == 1)
    #expect(ChoiceFilter("work").best(of: ["homework", "other"]) == 0)
    #expect(ChoiceFilter("work").best(of: []) == 0)
  }

  @Test func theNearestMatchesComeFirst() {
    let filter = ChoiceFilter("Ed")
    #expect(["ed", "edit", "an editor", "added", "end"].map(filter.rank(of:)) == [0, 1, 2, 3, 4])
    #expect(filter.rank(of: "de") == nil)
    #expect(ChoiceFilter("a d").rank(of: "add") == 4, "blanks between the letters do not count")
    let items = ["added", "end", "de", "edit"].map { ChooserState.Item($0) } + [.init("编辑", aliases: ["edit it"])]
    var chooser = ChooserState(
      title: "", items: items, isRanked: true, texts: .init(placeholder: "", noMatch: { "no \($0)" }))
    for letter in "ed" { chooser.type(.character(letter)) }
    #expect(chooser.choices == [.item(3), .item(4), .item(0), .item(1)])
    #expect(chooser.selectedChoice == .item(3))
  }

  @Test func keysAreBesideTheItemsAndABarSaysThatThereAreMore() {
    var chooser = ChooserState(
      title: "Do", items: (1...9).map { .init("command \($0)", detail: "^\($0)") },
      texts: .init(placeholder: "type", noMatch: { $0 }))
    chooser.layOut(in: window)
    let drawn = picture { chooser.draw(on: &$0, style: WidgetStyle()) }
    #expect(drawn.contains("▸ command 1           ^1 ┃"), "\(drawn)")
    #expect(drawn.contains("command 4           ^4 │"), "\(drawn)")
  }

  @Test func aListScrollsToKeepItsSelectionVisible() {
    var list = ListSelection(count: 20, selected: 7)
    list.layOut(in: Rect(row: 2, column: 0, rows: 5, columns: 10))
    #expect(list.visible == 3..<8)
    list.move(.pageUp)
    list.layOut(in: list.rect)
    #expect(list.selected == 3 && list.visible == 3..<8)
    list.move(.last)
    list.layOut(in: list.rect)
    #expect(list.selected == 19 && list.visible == 15..<20)
    let isOpenedByTheWheel = list.handle(Mouse(.wheelUp, at: Point(row: 3, column: 1)))
    #expect(!isOpenedByTheWheel)
    #expect(list.selected == 16 && list.visible == 12..<17)
    let isOpened = list.handle(Mouse(.press, at: Point(row: 2, column: 1), clicks: 2))
    #expect(isOpened)
    #expect(list.selected == 12)
    list.count = 4
    list.layOut(in: list.rect)
    #expect(list.selected == 3 && list.visible == 0..<4)
    list.count = 0
    #expect(list.selected == 0)
  }

  @Test func aPagerStopsAtTheEnds() {
    var pager = Pager()
    pager.layOut(rows: 4, lines: 10)
    pager.move(.up)
    #expect(pager.top == 0)
    pager.type(.character(" "))
    pager.move(.halfDown)
    #expect(pager.top == 6)
    pager.move(.down)
    #expect(pager.top == 6)
    pager.handle(.mouse(Mouse(.wheelUp, at: Point(row: 0, column: 0))))
    #expect(pager.top == 3)
    pager.move(.first)
    #expect(pager.top == 0)
  }

  @Test func aChooserFiltersAndTakesWhatWasTyped() {
    var chooser = ChooserState(
      title: "Fruit", items: ["apple", "pear", "pineapple"], takesOwnText: true,
      texts: .init(placeholder: "type", own: { "new: \($0)" }, noMatch: { "no \($0)" }))
    chooser.insert("app")
    #expect(chooser.choices == [.item(0), .item(2), .own("app")])
    #expect(chooser.selectedChoice == .item(0))
    chooser.layOut(in: window)
    chooser.move(.last)
    #expect(chooser.selectedChoice == .own("app"))
    #expect(picture { chooser.draw(on: &$0, style: WidgetStyle()) }.contains("▸ new: app"))
    chooser.clear()
    #expect(chooser.selectedChoice == .item(0) && chooser.choices.count == 3)
  }

  @Test func aChooserShowsThatNothingMatches() {
    var chooser = ChooserState(
      title: "Fruit", items: ["apple"], texts: .init(placeholder: "type", noMatch: { "no \($0)" }))
    chooser.layOut(in: window)
    #expect(picture { chooser.draw(on: &$0, style: WidgetStyle()) }.contains("type"))
    chooser.type(.character("x"))
    chooser.layOut(in: window)
    #expect(chooser.selectedChoice == nil)
    #expect(picture { chooser.draw(on: &$0, style: WidgetStyle()) }.contains("no x"))
  }

  @Test func aDialogStartsOnTheSafeAnswer() {
    let answers = [DialogState.Answer(key: "y", word: "delete"), .init(key: "n", word: "keep")]
    var dialog = DialogState("Delete it?", answers: answers)
    #expect(dialog.selected == 1 && dialog.harmlessAnswer == 1)
    #expect(dialog.answer(to: .character("Y")) == 0)
    #expect(dialog.answer(to: .control("y")) == nil)
    dialog.move(.down)
    #expect(dialog.selected == 0)
    dialog.layOut(in: window)
    let lines = picture { dialog.draw(on: &$0, style: WidgetStyle()) }.split(
      separator: "\n", omittingEmptySubsequences: false)
    let row = lines.firstIndex { $0.contains("n  keep") }
    #expect(row.map { dialog.answer(to: Mouse(.press, at: Point(row: $0, column: 20))) } == 1)
  }

  @Test func aDialogThatAppearsByItselfIgnoresLetters() {
    let answers = [DialogState.Answer(key: "o", word: "open"), .init(key: "n", word: "later")]
    var dialog = DialogState("Open it again?", answers: answers, isAskedFor: false)
    #expect(dialog.answer(to: .character("o")) == nil)
    dialog.move(.down)
    #expect(dialog.selected == 1)
    dialog.move(.up)
    #expect(dialog.selected == 0)
  }

  @Test func typingRemovesTheErrorOfAPrompt() {
    var prompt = PromptState(title: "File", hint: "Enter: open", text: "/nowhere", error: "No such file")
    prompt.layOut(in: window)
    #expect(picture { prompt.draw(on: &$0, style: WidgetStyle()) }.contains("✗ No such file"))
    prompt.type(Key(.left))
    #expect(prompt.error != nil)
    prompt.type(.character("x"))
    #expect(prompt.error == nil && prompt.text == "/nowherxe")
  }
}
