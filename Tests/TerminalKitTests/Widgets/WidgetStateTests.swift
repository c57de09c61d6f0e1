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
    let lines = ["ed", "ed harris", "cousin ed", "edit", "an editor", "added", "end"]
    #expect(lines.map(filter.rank(of:)) == [0, 1, 2, 3, 4, 5, 6])
    #expect(filter.rank(of: "de") == nil)
    #expect(ChoiceFilter("a d").rank(of: "add") == 6, "blanks between the letters do not count")
    let items = ["added", "end", "de", "edit"].map { ChooserState.Item($0) } + [.init("编辑", aliases: ["edit it"])]
    var chooser = ChooserState(
      title: "", items: items, isRanked: true, texts: .init(placeholder: "", noMatch: { "no \($0)" }))
    for letter in "ed" { chooser.type(.character(letter)) }
    #expect(chooser.choices == [.item(3), .item(4), .item(0)], "“end” has the letters, but others have the word")
    #expect(chooser.selectedChoice == .item(3))
    // Of equally good matches, the preferred ones come first; without typed text, the order stays.
    chooser.items[4].isPreferred = true
    chooser.items[1].isPreferred = true
    #expect(chooser.choices == [.item(4), .item(3), .item(0)])
    chooser.clear()
    #expect(chooser.choices == (0..<5).map { .item($0) })
    for letter in "et" { chooser.type(.character(letter)) }
    #expect(chooser.choices == [.item(4), .item(3)], "no word matches, so the letters count")
  }

  @Test func anItemIsFoundByItsAliasesAndNotOfferedAsOwnText() {
    let items = [
      ChooserState.Item("微信", aliases: ["wechat", "WeChat"]), .init("QQ"), .init("work fax"), .init("work"),
    ]
    var chooser = ChooserState(
      title: "", items: items.map { $0 }, allowsOwnText: true, texts: .init(placeholder: "", noMatch: { $0 }))
    func type(_ text: String) {
      chooser.clear()
      for letter in text { chooser.type(.character(letter)) }
    }
    type("wech")
    #expect(chooser.choices == [.item(0), .own("wech")])
    type("Wechat")
    #expect(chooser.choices == [.item(0)])
    // Texts differ by case, as names of groups do.
    type("qq")
    #expect(chooser.choices == [.item(1), .own("qq")])
    type("work")
    #expect(chooser.selectedChoice == .item(3))
  }

  @Test func aClickFindsTheHintThatIsDrawnThere() {
    let hints = [
      Hint(key: "^S", word: "save"), Hint(key: "", word: "none"), Hint(keys: ["K", "", "J"], word: "上下"),
      Hint(key: "^X", word: "too long to fit in what is left"),
    ]
    let line = window.line(9)
    var canvas = Canvas(size: Size(rows: window.rows, columns: window.columns))
    Bars(style: WidgetStyle()).drawHints(hints, on: &canvas, in: line)
    #expect(canvas.plainText().hasSuffix(" ^S save  K J 上下"), "\(canvas.plainText())")
    let found = (0..<40).map { canvas.keyLabel(at: Point(row: 9, column: $0)) }
    #expect(
      found == [nil] + Array(repeating: "^S", count: 7) + [nil, nil, "K", "K", "J", "K", "K", "K", "K", "K"]
        + Array(repeating: nil, count: 22))
    #expect(canvas.keyLabel(at: Point(row: 8, column: 2)) == nil)
    // A message in the same line hides the hints.
    Bars(style: WidgetStyle()).drawMessage("saved", isError: false, on: &canvas, in: line)
    #expect(canvas.keyTargets.isEmpty)
  }

  @Test func aDialogSaysThatItsTextIsCut() {
    let detail = (1...20).map { "line \($0)" }.joined(separator: "\n")
    var dialog = DialogState(
      "Title", detail: detail, answers: [.init(key: "y", word: "yes"), .init(key: "n", word: "no")])
    dialog.layOut(in: window)
    let drawn = picture { dialog.draw(on: &$0, style: WidgetStyle()) }
    #expect(drawn.contains("line 4 …") && !drawn.contains("line 5") && drawn.contains("yes"), "\(drawn)")
    // The dialog scrolls to the end of the text, and no further.
    dialog.move(.pageDown)
    #expect(picture { dialog.draw(on: &$0, style: WidgetStyle()) }.contains("line 7 …"))
    for _ in 0..<20 { dialog.move(.pageDown) }
    let end = picture { dialog.draw(on: &$0, style: WidgetStyle()) }
    #expect(end.contains("line 17") && end.contains("line 20") && !end.contains("…"), "\(end)")
    for _ in 0..<20 { dialog.scroll(by: -1) }
    #expect(picture { dialog.draw(on: &$0, style: WidgetStyle()) } == drawn)
    dialog = DialogState("Title", detail: "line 1", answers: [.init(key: "y", word: "yes")])
    dialog.layOut(in: window)
    #expect(!picture { dialog.draw(on: &$0, style: WidgetStyle()) }.contains("…"))
  }

  @Test func aTextAreaSaysThatThereIsMore() {
    var area = TextArea((1...9).map { "line \($0)" }.joined(separator: "\n"))
    let rect = Rect(row: 0, column: 0, rows: 4, columns: 12)
    func lines() -> [String] {
      picture { area.draw(on: &$0, in: rect, style: .plain, focused: true) }.split(separator: "\n").map(String.init)
    }
    #expect(lines().prefix(1) == ["line 6     │"] && lines().last == "line 9     ┃", "\(lines())")
    area.moveCursor(to: 0)
    #expect(lines().first == "line 1     ┃" && lines().last == "line 4     │", "\(lines())")
    area = TextArea("one\ntwo")
    #expect(lines() == ["one", "two"])
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

  @Test func aRowCutsItsTextBeforeWhatFollows() {
    let style = WidgetStyle()
    func drawn(_ row: TextRow, columns: Int = 24, isSelected: Bool = false) -> String {
      picture {
        row.draw(
          isSelected: isSelected, on: &$0, in: Rect(row: 0, column: 0, rows: 1, columns: columns), style: style)
      }.split(separator: "\n").first.map(String.init) ?? ""
    }
    var row = TextRow("A long name of a file", right: "PNG")
    #expect(drawn(row, isSelected: true) == "▸ A long name of …  PNG")
    row.isMarked = true
    #expect(drawn(row, isSelected: true).hasPrefix("● A long"))
    row.tail = " (2)"
    #expect(drawn(row) == "● A long name… (2)  PNG" && row.textColumns(in: 24) == 12)
    row.note = "merged"
    #expect(!drawn(row).contains("m…"), "no room")
    #expect(drawn(row, columns: 40) == "● A long name of a file (2)  merg…  PNG")
    row = TextRow("Ada", right: "certain: name and telephone")
    row.rightShare = 50
    #expect(drawn(row) == "  Ada  certain: name a…")
    row.text = "Ada King, Countess"
    #expect(drawn(row) == "  Ada Ki…  certain: na…")
  }

  @Test func marksAreKeptById() {
    var marks = Marks<Set<Int>>()
    #expect(marks.isEmpty && marks.chosen(selected: 3) == [3] && marks.chosen(selected: nil) == [])
    marks.toggle(3)
    #expect(marks.contains(3) && marks.rangeStart == 3 && marks.chosen(selected: 5) == [3])
    marks.mark([3, 4, 5], endingWith: 5)
    #expect(marks.ids == [3, 4, 5] && marks.rangeStart == 5)
    marks.toggle(5)
    #expect(marks.ids == [3, 4] && marks.rangeStart == nil)
    // A filter may hide marked ids.
    marks.toggleAll([4, 6])
    #expect(marks.ids == [3, 4, 6])
    marks.toggleAll([4, 6])
    #expect(marks.ids == [3])
    marks.invert([3, 4])
    #expect(marks.ids == [4] && marks.count == 1)
    marks.toggle(7)
    marks.remove([4, 7])
    #expect(marks.isEmpty && marks.rangeStart == nil)
  }

  @Test func aPagerStopsAtTheEnds() {
    var pager = Pager()
    pager.layOut(in: Rect(row: 1, column: 0, rows: 4, columns: 10), lines: 10)
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

  @Test func listsAndPagersDrawTheirVisibleLinesBesideAScrollBar() {
    let rect = Rect(row: 1, column: 2, rows: 3, columns: 8)
    var list = ListSelection(count: 9, selected: 4)
    list.layOut(in: rect)
    var pager = Pager()
    pager.layOut(in: rect, lines: 9)
    pager.show(2)
    func draw(_ index: Int, _ line: Rect, _ canvas: inout Canvas) {
      canvas.put(
        "line number \(index)", at: Point(row: line.row, column: line.column), limit: line.columns, style: .plain)
    }
    let drawn = "\n  line n…│\n  line n…┃\n  line n…│" + String(repeating: "\n", count: 6)
    #expect(picture { list.draw(on: &$0, style: WidgetStyle(), line: draw) } == drawn)
    #expect(picture { pager.draw(on: &$0, style: WidgetStyle(), line: draw) } == drawn)
    var lines: [Int] = []
    _ = picture { list.draw(on: &$0, style: WidgetStyle()) { index, _, _ in lines.append(index) } }
    _ = picture { pager.draw(on: &$0, style: WidgetStyle()) { index, _, _ in lines.append(index) } }
    #expect(lines == [2, 3, 4, 2, 3, 4])
    list.count = 1
    list.layOut(in: rect)
    pager.layOut(in: rect, lines: 1)
    #expect(picture { list.draw(on: &$0, style: WidgetStyle(), line: draw) }.contains("line n…\n\n"), "no scroll bar")
    #expect(pager.visible == 0..<1)
  }

  @Test func aTextIsWrappedToTheWindowAndScrolled() {
    var pager = PagerState(
      title: "History", detail: "2 changes",
      paragraphs: ["A line that is longer than the window is wide", "\u{1B}"]
        + (1...9).map { "line \($0)" })
    pager.layOut(in: window)
    let drawn = picture { pager.draw(on: &$0, in: window, style: WidgetStyle()) }.split(separator: "\n")
    #expect(drawn[0] == " History   2 changes", "\(drawn)")
    #expect(drawn[1] == " A line that is longer than the window ┃" && drawn[2].hasPrefix(" is wide"), "\(drawn)")
    #expect(drawn[3].hasPrefix(" " + DisplayText.clean("\u{1B}")) && drawn[8].hasPrefix(" line 5  "), "\(drawn)")
    pager.move(.last)
    let end = picture { pager.draw(on: &$0, in: window, style: WidgetStyle()) }.split(separator: "\n")
    #expect(end[1].hasPrefix(" line 2") && end[8].hasPrefix(" line 9"), "\(end)")
    // In a wider window it is wrapped again.
    let wide = Rect(row: 0, column: 0, rows: 10, columns: 80)
    pager.layOut(in: wide)
    pager.move(.first)
    var canvas = Canvas(size: Size(rows: 10, columns: 80))
    pager.draw(on: &canvas, in: wide, style: WidgetStyle())
    #expect(canvas.plainText().contains(" A line that is longer than the window is wide"))
  }

  @Test func aChooserFiltersAndTakesWhatWasTyped() {
    var chooser = ChooserState(
      title: "Fruit", items: ["apple", "pear", "pineapple"], allowsOwnText: true,
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

  @Test func aChooserWithoutItemsWaitsForAText() {
    var chooser = ChooserState(
      title: "Fruit", items: [String](), allowsOwnText: true,
      texts: .init(placeholder: "type", noMatch: { "no \($0)" }))
    chooser.layOut(in: window)
    let picture = picture { chooser.draw(on: &$0, style: WidgetStyle()) }
    #expect(picture.contains("type") && !picture.contains("no "))
  }

  @Test func aDialogStartsOnTheSafeAnswer() {
    let answers = [DialogState.Answer(key: "y", word: "delete"), .init(key: "n", word: "keep")]
    var dialog = DialogState("Delete it?", answers: answers)
    #expect(dialog.selected == 1 && dialog.safeAnswer == 1)
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

  @Test func aDialogIsNoWiderInAWideWindowThanInAUsualOne() {
    var dialog = DialogState(
      "Title", detail: String(repeating: "word ", count: 40), answers: [.init(key: "y", word: "yes")])
    let drawn = [80, 120].map { columns in
      let window = Rect(row: 0, column: 0, rows: 12, columns: columns)
      dialog.layOut(in: window)
      var canvas = Canvas(size: Size(rows: 12, columns: columns))
      dialog.draw(on: &canvas, style: WidgetStyle())
      return canvas.plainText().split(separator: "\n").map { $0.drop { $0 == " " } }
    }
    #expect(drawn[0] == drawn[1])
  }

  @Test func aDialogThatAppearsByItselfIgnoresLetters() {
    let answers = [DialogState.Answer(key: "o", word: "open"), .init(key: "n", word: "later")]
    var dialog = DialogState("Open it again?", answers: answers, isRequested: false)
    #expect(dialog.answer(to: .character("o")) == nil)
    dialog.move(.down)
    #expect(dialog.selected == 1)
    dialog.move(.up)
    #expect(dialog.selected == 0)
  }

  @Test func theHintOfAPromptIsNotCut() {
    let hint = "Enter exports, Tab completes the name, Esc cancels."
    var prompt = PromptState(title: "File", detail: "10 contacts", hint: hint)
    prompt.layOut(in: window)
    let lines = picture { prompt.draw(on: &$0, style: WidgetStyle()) }.split(separator: "\n").map { line in
      line.filter { $0 != "│" }.split(separator: " ").joined(separator: " ")
    }
    #expect(lines.contains(["10 contacts", "Enter exports, Tab completes the", "name, Esc cancels."]))
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
