import BookSearching
import ResultsController
import TerminalKit

/// A screen of the address book.
protocol Screen: TerminalKit.Screen where Command == AddressBookTUI.Command, Context == KeyContext {
  /// Called for every open screen after rows were written, by anyone.
  func changed(_ writes: ResultsWrites)
}

extension Screen {
  func changed(_ writes: ResultsWrites) {}
}

// TerminalKit's shared screens with our commands.
typealias Question = DialogScreen<Command, KeyContext>
typealias Chooser = ChooserScreen<Command, KeyContext>
typealias TextPrompt = PromptScreen<Command, KeyContext>
typealias TextPage = PagerScreen<Command, KeyContext>
typealias ScreenContext = TerminalKit.ScreenContext<Command, KeyContext>

extension TextPrompt {
  /// A prompt for the path of a file.
  /// - Parameters:
  ///   - detail: a line below the text; empty for none.
  ///   - text: the initial text.
  ///   - error: why the initial text was rejected, in the user's language.
  ///   - word: the name of the string `hint.` that says what accepting does.
  ///   - choose: called with the path, with `~` expanded; must close the prompt or show why the path was rejected.
  convenience init(
    title: String, detail: String = "", text: String = "", error: String? = nil, word: String,
    environment: AppEnvironment, choose: @escaping @MainActor (String, TextPrompt) -> Void
  ) {
    self.init(
      PromptState(title: title, detail: detail, text: text, error: error), context: .prompt,
      style: environment.theme.widgets,
      word: environment.strings("hint." + word), complete: PathCompletion.completion(on: environment.loop),
      history: environment.inputs[.paths],
      accept: {
        environment.inputs[.paths].add($0)
        choose(PathCompletion.expanded($0), $1)
      })
  }
}

extension TextPage {
  /// Text to read: the notices of an import, the history of a contact.
  convenience init(title: String, detail: String, paragraphs: [String], environment: AppEnvironment) {
    self.init(
      PagerState(title: title, detail: detail, paragraphs: paragraphs), context: .page,
      style: environment.theme.widgets)
  }
}

extension AppEnvironment {
  /// Returns hints for the bottom line, with the keys that the commands have in a context. While the book cannot be
  /// changed, commands that would change it are left out.
  func hints(_ commands: [Command], in context: KeyContext) -> [Hint] {
    let isReadOnly = refusal != nil
    return screens.hints(isReadOnly ? commands.filter { !keys.isWriting($0) } : commands, in: context)
  }

  /// The last line of a screen: a message, or else the running work, or else the hints. While work is running, it says
  /// which key stops it.
  /// - Parameter stop: the command that stops the work on that screen; nil for none.
  func bottomLine(
    _ message: (text: String, isError: Bool)?, _ work: BackgroundWork, stop: Command?, in context: KeyContext,
    hints: [Hint]
  ) -> BottomLine {
    let stopping = work.task == nil ? [] : stop.map { hint($0, as: "stop", in: context) } ?? []
    guard let text = message?.text ?? work.task?.text else { return BottomLine(hints: hints) }
    return BottomLine(text, isError: message?.isError ?? false, hints: stopping)
  }

  /// Returns a hint with another word than the command's, or one for several commands: `unmark` is the string
  /// `hint.unmark`.
  func hint(_ commands: Command..., as word: String, in context: KeyContext) -> [Hint] {
    [Hint(keys: commands.map { keys.label(of: $0, in: context) }, word: strings("hint." + word))]
  }

  /// The detail of a question before a deletion: the lines, and which key undoes it, if there is one.
  func undoableDetail(_ lines: [String]) -> String {
    let key = keys.label(of: .undo, in: .list)
    return (lines + (key.isEmpty ? [] : [strings("confirm.delete.detail", key)])).joined(separator: "\n")
  }

  /// Says that a key is not bound, and which key shows all keys, if there is one.
  func unboundText(of key: Key, in context: KeyContext) -> String {
    let help = keys.label(of: .help, in: context)
    return help.isEmpty ? strings("status.unknownKey", key.label) : strings("status.unknownKey.help", key.label, help)
  }

}

/// Words with a meaning in a search.
enum SearchOperator: String, CaseIterable {
  case field, has, not, phrase

  var example: String {
    switch self {
    case .field: "org:acme"
    case .has: "has:photo"
    case .not: "-li"
    case .phrase: "\"ma yun\""
    }
  }
}

extension HelpScreen where Command == AddressBookTUI.Command, Context == KeyContext {
  /// The list of all keys of the address book.
  /// - Parameter asked: the context in which help was requested; the list is scrolled to its keys.
  convenience init(environment: AppEnvironment, requestedIn asked: KeyContext) {
    let (keys, strings) = (environment.keys, environment.strings)
    let filter = Filter(
      context: .search, prompt: strings("search.prompt"),
      found: { strings.count("help.found", $0) }, noMatch: { strings("chooser.noMatch", $0) })
    let help = HelpLines(keys: keys, strings: strings)
    self.init(
      title: strings("help.title"), help: help,
      summary: [.init(keys: "", text: strings("help.section.first"))] + help.lines(of: Self.firstKeys),
      requestedIn: asked, context: .help, filter: filter, style: environment.theme.widgets)
  }

  /// The keys that everybody needs: they fit a page of 80×24.
  private static var firstKeys: [Command] {
    [
      .moveDown, .moveUp, .jump, .search, .groups, .sort, .open, .back, .openLink, .add, .edit, .delete, .undo, .mark,
      .import, .palette, .quit,
    ]
  }
}

extension HelpLines where Command == AddressBookTUI.Command, Context == KeyContext {
  /// The keys, and below those of the search field the words with a meaning in a search.
  init(keys: KeyTable, strings: Strings) {
    func names(_ word: SearchOperator) -> String {
      let names = word == .field ? BookSearch.fieldNames : word == .has ? BookSearch.presenceNames : []
      return names.joined(separator: " ")
    }
    let operators = SearchOperator.allCases.map {
      Line(keys: $0.example, text: strings("search.operator." + $0.rawValue, names($0)))
    }
    self.init(keys: keys, notes: ["help.section.search": operators]) { strings($0) }
  }
}

extension Bars {
  init(theme: Theme) { self.init(style: theme.widgets) }
}

extension Theme {
  var widgets: WidgetStyle {
    WidgetStyle(
      text: text, quiet: quiet, title: title, accent: accent, header: header, selection: selection, error: error,
      field: focusedField, popup: popup, faint: faint)
  }
}
