/// Everything that a key can ask for in a program, mostly an enumeration of its own.
public protocol ScreenCommand: Hashable, Sendable {
  /// What the command means to the dispatcher and to the widgets; nil for one that only the program's own screens know.
  var role: CommandRole? { get }
}

/// What a command of a program means to the parts that all programs share.
public enum CommandRole: Hashable, Sendable {
  /// The dispatcher opens the list of keys, or closes it.
  case help
  /// The dispatcher has the whole screen sent again.
  case redraw
  /// The dispatcher gives the terminal back and stops the process, as Ctrl-Z does.
  case suspend
  /// The dispatcher ends the program.
  case quit
  /// A list, a dialog or a long text moves.
  case move(Movement)
  /// A dialog, chooser or prompt takes what is selected or typed.
  case accept
  /// A dialog, chooser, prompt or help screen closes without a choice.
  case cancel
  /// A prompt completes what was typed.
  case complete
}

/// A step through a list or a long text.
public enum Movement: Hashable, Sendable {
  /// One line, or one answer of a dialog.
  case down, up
  /// As many lines as are seen, or half of them.
  case pageDown, pageUp, halfDown, halfUp
  /// To the ends.
  case first, last

  /// The line that the step leads to, which may lie outside of the list.
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
