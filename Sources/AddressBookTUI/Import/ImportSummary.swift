import BookInterchange
import TerminalKit

/// The notices of an import: the first ones, and their total number.
struct ImportNotices: Sendable {
  /// The maximum number of notices in `list`.
  static let limit = 1000

  /// What was imported.
  var result = ""
  var list: [ImportNotice] = []
  var count = 0

  /// The result, and the notices by what they are about, with the names of contacts.
  func paragraphs(_ strings: Strings) -> [String] {
    let groups = Dictionary(grouping: list, by: \.category)
    let sections = ImportNotice.Category.allCases.compactMap { category in groups[category].map { (category, $0) } }
    return [result]
      + sections.flatMap { category, notices in
        let title = strings("notices.about." + category.rawValue)
        return ["", strings.noted(title, strings.number(notices.count))] + notices.map { "  " + $0.line(strings) }
      }
  }
}

extension ImportNotice {
  /// The notice in the summary of the import of one file.
  fileprivate func line(_ strings: Strings) -> String {
    let text = text(in: strings.localization)
    return name.isEmpty
      ? strings("notices.line", strings.number(line), text)
      : strings("notices.contact", name, strings.number(line), text)
  }
}

/// The result of an import to read, with the notices. Right after the import it can be undone here.
@MainActor
final class ImportSummaryScreen: Screen {
  private var state: PagerState
  private let environment: AppEnvironment
  private let undo: (@MainActor () -> Void)?

  /// - Parameter undo: undoes the import; nil if it is no longer the last change.
  init(_ notices: ImportNotices, environment: AppEnvironment, undo: (@MainActor () -> Void)?) {
    let strings = environment.strings
    self.environment = environment
    self.undo = undo
    state = PagerState(
      title: strings("notices.title"), detail: strings.count("notices.count", notices.count),
      paragraphs: notices.paragraphs(strings))
  }

  var keyContext: KeyContext { undo == nil ? .page : .importSummary }

  func perform(_ command: Command, in context: ScreenContext) {
    switch command {
    case .helpClose: environment.screens.pop(self)
    case .undo:
      environment.screens.pop(self)
      undo?()
    default: if case .move(let movement)? = command.role { state.move(movement) }
    }
  }

  func type(_ key: Key, in context: ScreenContext) { state.type(key) }
  func handle(_ event: Event, in context: ScreenContext) { state.handle(event) }
  func prepare(in rect: Rect) { state.layOut(in: rect) }

  func draw(on canvas: inout Canvas, in rect: Rect) {
    state.draw(on: &canvas, in: rect, style: environment.theme.widgets)
  }

  func bottomLine(in context: ScreenContext) -> BottomLine? {
    BottomLine(
      hints: environment.hints([.moveDown, .undo, .helpClose].filter { $0 != .undo || undo != nil }, in: keyContext))
  }
}
