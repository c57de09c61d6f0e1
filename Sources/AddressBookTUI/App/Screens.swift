import TerminalKit

/// A screen of the address book.
protocol Screen: TerminalKit.Screen where Command == AddressBookTUI.Command, Context == KeyContext {}

// TerminalKit's shared screens with our commands.
typealias Question = DialogScreen<Command, KeyContext>
typealias Chooser = ChooserScreen<Command, KeyContext>
typealias TextPrompt = PromptScreen<Command, KeyContext>
typealias TextPage = PagerScreen<Command, KeyContext>

extension TextPrompt {
  /// A prompt for the path of a file.
  /// - Parameters:
  ///   - detail: a line above the hint; empty for none.
  ///   - text: the initial text.
  ///   - error: why the initial text was rejected, in the user's language.
  ///   - close: called when the user cancels.
  ///   - choose: called with the path, with `~` expanded; must close the prompt or show why the path was rejected.
  convenience init(
    title: String, detail: String = "", hint: String, text: String = "", error: String? = nil, theme: Theme,
    loop: any ProgramLoop,
    close: @escaping @MainActor (TextPrompt) -> Void, choose: @escaping @MainActor (String, TextPrompt) -> Void
  ) {
    self.init(
      PromptState(title: title, detail: detail, hint: hint, text: text, error: error), context: .prompt,
      style: theme.widgets,
      complete: PathCompletion.completion(on: loop), close: close,
      accept: { choose(PathCompletion.expanded($0), $1) })
  }
}

extension TextPage {
  /// Text to read: the notices of an import, the history of a contact.
  convenience init(title: String, detail: String, paragraphs: [String], environment: AppEnvironment) {
    let hints = environment.pagerHints
    self.init(
      PagerState(title: title, detail: detail, paragraphs: paragraphs, hints: hints), context: .page,
      style: environment.theme.widgets, close: { [weak environment] in environment?.screens.pop($0) })
  }
}

extension AppEnvironment {
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

  /// The hints in the bottom line of a page of text.
  var pagerHints: [Hint] {
    [(Command.moveDown, "scroll"), (.helpClose, "back")].map {
      Hint(key: keys.label(of: $0.0, in: .page), word: strings("hint." + $0.1))
    }
  }
}

extension HelpScreen where Command == AddressBookTUI.Command, Context == KeyContext {
  /// The list of all keys of the address book.
  /// - Parameter asked: the context in which help was requested; the list is scrolled to its keys.
  convenience init(environment: AppEnvironment, requestedIn asked: KeyContext) {
    let (keys, strings) = (environment.keys, environment.strings)
    func hints(_ commands: [(Command, String)], in context: KeyContext) -> [Hint] {
      commands.map { Hint(key: keys.label(of: $0.0, in: context), word: strings("hint." + $0.1)) }
    }
    let filter = Filter(
      context: .search, prompt: strings("search.prompt"),
      hints: hints([(.searchKeep, "keep"), (.searchCancel, "endFilter")], in: .search),
      found: { strings.count("help.found", $0) }, noMatch: { strings("chooser.noMatch", $0) })
    self.init(
      title: strings("help.title"), help: HelpLines(keys: keys, strings: strings), requestedIn: asked, context: .help,
      hints: hints([(.moveDown, "scroll"), (.helpFilter, "filter"), (.helpClose, "back")], in: .help), filter: filter,
      style: environment.theme.widgets
    ) { [weak environment] in environment?.screens.pop($0) }
  }
}

extension HelpLines where Command == AddressBookTUI.Command, Context == KeyContext {
  init(keys: KeyTable, strings: Strings) { self.init(keys: keys) { strings($0) } }
}

extension Bars {
  init(theme: Theme) { self.init(style: theme.widgets) }

  /// Draws the bottom line of a screen: a message, or else the running work, or else the hints.
  @MainActor func drawBottom(
    _ message: (text: String, isError: Bool)?, _ work: BackgroundWork, _ hints: [Hint], on canvas: inout Canvas,
    in line: Rect
  ) {
    if let message {
      drawMessage(message.text, isError: message.isError, on: &canvas, in: line)
    } else if let task = work.task {
      drawMessage(task.text, isError: false, on: &canvas, in: line)
    } else {
      drawHints(hints, on: &canvas, in: line)
    }
  }
}

extension Theme {
  var widgets: WidgetStyle {
    WidgetStyle(
      text: text, quiet: quiet, title: title, accent: accent, header: header, selection: selection, error: error,
      field: focusedField, popup: popup, faint: faint)
  }
}
