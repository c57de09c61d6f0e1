import BookInterchange
import ContactInterchange
import Contacts
import Dispatch
import TerminalKit

/// A file to import, and how.
struct ImportRequest: Sendable {
  var path: String
  /// How it is read and matched; nil to recognize everything.
  var choices: ImportChoices?
  var format: ImportFormat?
  /// What the choices are remembered for.
  var source = ""
}

/// Shows what the import of a file would do, counted in the background by a dry run, and lets the user change how the
/// file is read. Nothing is written before the user accepts.
@MainActor
final class ImportPreviewScreen: Screen {
  /// The result of the dry run.
  private enum Result {
    case counted(ImportReport, warnings: Int)
    /// The file cannot be imported as it is read now, or the dry run failed for another reason.
    case failed(String, isFile: Bool)
  }

  var keyContext: KeyContext { .importPreview }
  private let path: String
  private let environment: AppEnvironment
  private let accept: @MainActor (ImportPreviewScreen, ImportRequest) -> Void
  private(set) var choices = ImportChoices()
  /// The choices of the last import from this source; nil if there are none.
  private var earlier: ImportChoices?
  /// The file as it is read without choices; nil until it was read.
  private var plain: ImportOutline?
  private(set) var outline: ImportOutline?
  /// Nil while the dry run is running.
  private var result: Result?
  private var task = RunningTask(text: "")
  private var selection = ListSelection(count: 0)
  private var layout = Layout()
  private var message: String?

  /// The number of contacts to show.
  private nonisolated static let contactsShown = 50
  private static let charsets = [
    "UTF-8", "UTF-16", "GB18030", "Big5", "Shift_JIS", "EUC-JP", "EUC-KR", "Windows-1250", "Windows-1251",
    "Windows-1252", "ISO-8859-2", "ISO-8859-15",
  ]

  /// - Parameter accept: called when the user accepts; closes the screen.
  init(
    path: String, environment: AppEnvironment, accept: @escaping @MainActor (ImportPreviewScreen, ImportRequest) -> Void
  ) {
    self.path = path
    self.environment = environment
    self.accept = accept
    count()
  }

  private var strings: Strings { environment.strings }
  /// True when the dry run has ended.
  var isIdle: Bool { result != nil }

  // MARK: The dry run

  private func count() {
    task.cancel()
    let task = RunningTask(text: strings("import.counting", ""))
    (self.task, result) = (task, nil)
    let (path, book, loop, strings) = (path, environment.book, environment.loop, strings)
    let (memory, plain, choices) = (environment.importChoices, plain, choices)
    let isCancelled = task.isCancelled
    DispatchQueue.global(qos: .userInitiated).async {
      do {
        let first = try plain ?? ImportOutline(path: path, ImportReading(), contacts: Self.contactsShown)
        let earlier = memory?.choices(for: first.source)
        let choices = plain == nil ? earlier ?? choices : choices
        let reading = choices.reading(first.format)
        let outline = try ImportOutline(path: path, reading, contacts: Self.contactsShown)
        loop.post { self.show(outline, first, earlier, choices, of: task) }
        let importer = Importer(book: book)
        (importer.reading, importer.matching, importer.isDryRun) = (reading, choices.matching, true)
        importer.isCancelled = { isCancelled.isSet }
        importer.onProgress = { progress in
          let text = strings.progress(of: progress)
          loop.post { task.text = strings("import.counting", text) }
        }
        let report = try importer.run([path])
        let warnings = importer.noticeCount
        loop.post { self.finish(.counted(report, warnings: warnings), of: task) }
      } catch {
        let refusal = (error as? ImportError)?.reason
        let text = refusal == .noKnownColumn ? strings("import.noKnownColumn") : strings.reason(of: error)
        loop.post { self.finish(.failed(text, isFile: refusal != nil), of: task) }
      }
    }
  }

  private func show(
    _ outline: ImportOutline, _ plain: ImportOutline, _ earlier: ImportChoices?, _ choices: ImportChoices,
    of task: RunningTask
  ) {
    guard task === self.task else { return }
    if self.plain == nil { (self.plain, self.earlier, self.choices) = (plain, earlier, choices) }
    self.outline = outline
    selection.count = outline.csv?.columns.count ?? outline.contacts.count
  }

  private func finish(_ result: Result, of task: RunningTask) {
    if task === self.task { self.result = result }
  }

  // MARK: Events

  func perform(_ command: Command, in context: ScreenContext) {
    message = nil
    switch command {
    case .importAccept: importFile()
    case .importField: chooseField()
    case .importMatch: change { $0.matchesMore.toggle() }
    case .importDayOrder: swapDayAndMonth()
    case .importCharset: chooseCharset()
    case .importCancel:
      task.cancel()
      environment.screens.pop(self)
    default: if case .move(let movement)? = command.role { selection.move(movement) }
    }
  }

  func handle(_ event: Event, in context: ScreenContext) {
    if case .mouse(let mouse) = event, selection.handle(mouse) { chooseField() }
  }

  private func importFile() {
    if case .failed(let text, isFile: true)? = result { return message = text }
    guard let plain else { return }
    task.cancel()
    accept(self, ImportRequest(path: path, choices: choices, format: plain.format, source: plain.source))
  }

  private func change(_ change: (inout ImportChoices) -> Void) {
    guard plain != nil else { return }
    change(&choices)
    count()
  }

  /// Reads the dates in the other order than the file suggests, or again as it does.
  private func swapDayAndMonth() {
    guard let order = dateOrder else { return }
    change { $0.isDayFirst = $0.isDayFirst == nil ? !order.isDayFirst : nil }
  }

  private func chooseField() {
    guard let columns = outline?.csv?.columns, let plain = plain?.csv?.columns,
      columns.indices.contains(selection.selected), columns.count == plain.count
    else { return }
    let column = selection.selected
    let slots = FieldSlot.choices
    let automatic = strings.noted(strings("import.automatic"), strings.title(of: plain[column].meaning))
    let items = [automatic, strings("import.leaveOut")] + slots.map { strings.title(of: $0) }
    let chosen = choices.fields[column + 1].map { text in
      FieldSlot(argument: text).map { (slots.firstIndex(of: $0) ?? -2) + 2 } ?? 1
    }
    environment.choose(title: columns[column].name, items: items, chosen: chosen ?? 0) { [self] choice in
      guard case .item(let index) = choice else { return }
      change { $0.fields[column + 1] = index == 0 ? nil : index == 1 ? "" : slots[index - 2].argument }
    }
  }

  private func chooseCharset() {
    guard let plain = plain?.csv else { return }
    let items = [strings.noted(strings("import.automatic"), plain.charset ?? "UTF-8")] + Self.charsets
    let chosen = choices.charset.flatMap { Self.charsets.firstIndex(of: $0) }
    environment.choose(
      title: strings("import.charset"), items: items, chosen: chosen.map { $0 + 1 } ?? 0,
      ownText: strings("import.charset.own")
    ) { [self] choice in
      switch choice {
      case .item(let index): change { $0.charset = index == 0 ? nil : Self.charsets[index - 1] }
      case .own(let name) where CSVReading.isKnown(charset: name): change { $0.charset = name }
      case .own(let name): message = strings("import.unknownCharset", name)
      }
    }
  }

  // MARK: What is shown

  /// The order in which ambiguous dates are read without a choice, and the date that shows it; nil if there are none.
  private var dateOrder: (isDayFirst: Bool, proof: String?)? {
    guard let outline else { return nil }
    guard let columns = outline.csv?.columns else {
      return [.ldif, .abook, .template].contains(outline.format) ? (false, nil) : nil
    }
    if let order = columns.lazy.compactMap(\.dateOrder).first { return (order.isDayFirst, order.proof) }
    return columns.contains(where: \.hasAmbiguousDate) ? (false, nil) : nil
  }

  /// The lines above the columns or contacts.
  private var facts: [(label: String, text: String)] {
    guard let outline else { return [] }
    var facts = [(strings("import.format"), outline.description(strings))]
    if let csv = outline.csv {
      let guess = csv.charset.map { strings.noted($0, strings("import.guessed")) }
      facts.append((strings("import.charset"), choices.charset ?? guess ?? "UTF-8"))
    }
    if let order = dateOrder {
      let name = { [strings] (isDayFirst: Bool) in strings(isDayFirst ? "import.dayFirst" : "import.monthFirst") }
      let found = order.proof.map { strings("import.dates.proof", name(order.isDayFirst), $0) }
      let text =
        choices.isDayFirst.map(name) ?? found ?? strings.noted(name(order.isDayFirst), strings("import.assumed"))
      facts.append((strings("import.dates"), text))
    }
    facts.append((strings("import.match"), strings(choices.matchesMore ? "import.match.more" : "import.match.usual")))
    return facts
  }

  private var countText: String {
    switch result {
    case nil: return task.text
    case .failed(let text, _): return "✗ " + text
    case .counted(let report, let warnings):
      var text = strings(
        "import.count", strings.number(report.imported), strings.number(report.updated),
        strings.number(report.unchanged))
      if report.unreadable > 0 { text += strings.count("import.unreadable", report.unreadable) }
      if warnings > 0 { text += strings.count("import.warnings", warnings) }
      return text
    }
  }

  // MARK: Drawing

  private struct Layout {
    /// The lines above the list, with their labels, wrapped.
    var facts: [(label: String, text: String)] = []
    var labelColumns = 0
    var top = Rect(row: 0, column: 0, rows: 0, columns: 0)
    /// The headings of the list; empty in a low window.
    var heading = Rect(row: 0, column: 0, rows: 0, columns: 0)
  }

  func prepare(in rect: Rect) {
    // In a low window, every line is for the list.
    let gap = rect.rows >= 16 ? 1 : 0
    let body = rect.inset(top: 1 + gap, bottom: 1)
    let facts = facts + [(strings("import.contacts"), countText)]
    layout.labelColumns = (facts.map { TextWidth.columns(of: $0.label) }.max() ?? 0) + 3
    let columns = max(1, body.columns - layout.labelColumns - 1)
    layout.facts = facts.flatMap { fact in
      TextWidth.wrap(DisplayText.clean(fact.text), columns: columns).enumerated().map {
        ($0.offset == 0 ? fact.label : "", $0.element)
      }
    }
    layout.top = body.inset(left: 1)
    let list = body.inset(top: layout.facts.count + gap)
    layout.heading = list.inset(bottom: max(0, list.rows - (outline?.csv == nil ? 0 : gap)))
    selection.layOut(in: list.inset(top: layout.heading.rows))
  }

  func draw(on canvas: inout Canvas, in rect: Rect) {
    let theme = environment.theme
    canvas.fill(rect, style: theme.text)
    let isRemembered = earlier != nil && earlier == choices
    let name = path.split(separator: "/").last.map(String.init) ?? path
    Bars(theme: theme).drawTitle(
      strings("import.title"), detail: name, right: isRemembered ? strings("import.remembered") : "",
      isRightNeeded: isRemembered, on: &canvas, in: rect.line(0))
    for (index, fact) in layout.facts.prefix(layout.top.rows).enumerated() {
      let (label, text, _) = layout.top.line(index).split(left: layout.labelColumns)
      canvas.put(fact.label, in: label.inset(left: 1), style: theme.quiet)
      canvas.put(fact.text, in: text, style: fact.text.hasPrefix("✗") ? theme.error : theme.text)
    }
    if let csv = outline?.csv { return drawColumns(csv, on: &canvas) }
    guard let rows = outline?.rows(strings) else { return }
    selection.draw(on: &canvas, style: theme.widgets) { TextRow(rows[$0].name, right: rows[$0].detail) }
  }

  private func drawColumns(_ csv: CSVOutline, on canvas: inout Canvas) {
    let theme = environment.theme
    let rows = csv.columns.map { ($0.name, strings.title(of: $0.meaning), strings.list($0.values)) }
    func widest(_ texts: [String]) -> Int { texts.map { TextWidth.columns(of: DisplayText.clean($0)) }.max() ?? 0 }
    let room = max(0, selection.rect.columns - 3)
    let headings = (strings("import.column"), strings("import.field"), strings("import.values"))
    let names = widest([headings.0] + rows.map(\.0))
    let fields = min(widest([headings.1] + rows.map(\.1)), room / 2)
    // A few characters of a value say nothing.
    let showsValues = room - min(names, room * 2 / 5) - fields - 4 >= 12
    let first = min(names, showsValues ? room * 2 / 5 : room - fields - 2)
    func draw(_ texts: (String, String, String), in line: Rect, _ styles: (Style, Style, Style), _ canvas: inout Canvas)
    {
      let (name, rest, _) = line.split(left: first + 2)
      canvas.put(texts.0, in: name.inset(right: 2), style: styles.0)
      let (field, values, _) = rest.split(left: fields + 2)
      canvas.put(texts.1, in: field.inset(right: 2), style: styles.1)
      if showsValues { canvas.put(texts.2, in: values.inset(right: 1), style: styles.2) }
    }
    if layout.heading.rows > 0 {
      let line = layout.heading.inset(left: 2, right: 1)
      draw(headings, in: line, (theme.quiet, theme.quiet, theme.quiet), &canvas)
    }
    selection.draw(on: &canvas, style: theme.widgets) { index, line, canvas in
      let isSelected = index == selection.selected
      let (rest, base) = TextRow.drawSign(
        isSelected: isSelected, isMarked: false, on: &canvas, in: line, style: theme.widgets)
      let quiet = isSelected ? base : theme.quiet
      let isUsed = csv.columns[index].meaning != .unknown && csv.columns[index].meaning != .leftOut
      draw(rows[index], in: rest, (base, isUsed ? base : quiet, quiet), &canvas)
    }
  }

  func bottomLine(in context: ScreenContext) -> BottomLine? {
    if let message { return BottomLine(message, isError: true) }
    let isCSV = outline?.csv != nil
    let commands: [Command?] = [
      .importAccept, isCSV ? .importField : nil, .importMatch, dateOrder == nil ? nil : .importDayOrder,
      isCSV ? .importCharset : nil, .importCancel, .help,
    ]
    return BottomLine(hints: environment.hints(commands.compactMap(\.self), in: .importPreview))
  }
}
