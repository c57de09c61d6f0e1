/// The meaning of a program's command for the dispatcher and the widgets.
public enum CommandRole: Hashable, Sendable {
  /// The dispatcher opens or closes the list of keys.
  case help
  /// The dispatcher opens the list of commands, to choose one, or closes it.
  case commands
  /// The dispatcher redraws the whole screen.
  case redraw
  /// The dispatcher releases the terminal and stops the process, as Ctrl-Z does.
  case suspend
  /// The dispatcher quits the program.
  case quit
  /// Moves in a list, a dialog or a long text.
  case move(Movement)
  /// Accepts the selection or the text of a dialog, chooser or prompt, or the typed filter of a help screen.
  case accept
  /// Clears a typed filter; otherwise gives the safe answer of a dialog, or closes a chooser, prompt, pager or help
  /// screen.
  case cancel
  /// Completes the text of a prompt.
  case complete
  /// Starts typing the filter of a help screen.
  case filter
  /// Clears the typed filter of a help screen.
  case clear
}

/// A step in a list or a long text.
public enum Movement: Hashable, Sendable {
  /// One line, or one answer of a dialog.
  case down, up
  /// A page, or half a page.
  case pageDown, pageUp, halfDown, halfUp
  /// To the first or last line.
  case first, last

  /// Returns the target line of the step, which may be outside the list.
  func line(from line: Int, page: Int, last: Int) -> Int {
    switch self {
    case .down: line + 1
    case .up: line - 1
    case .pageDown: line + page
    case .pageUp: line - page
    case .halfDown: line + max(1, page / 2)
    case .halfUp: line - max(1, page / 2)
    case .first: 0
    case .last: last
    }
  }
}
