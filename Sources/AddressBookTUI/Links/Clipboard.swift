import Glibc
import TerminalKit

/// How text is copied to the clipboard: by the configured program, or inside tmux by tmux, or else by the terminal,
/// which does not confirm the copy.
struct Clipboard: Sendable {
  /// Copies to tmux's own buffer and, with `-w`, to the clipboard of the terminal that tmux runs in.
  static let tmux = ["tmux", "load-buffer", "-w", "-"]

  /// The program that reads the text from its standard input, and its arguments; nil for the terminal (OSC 52).
  let command: [String]?
  /// True for ``tmux``, which was not configured: if it fails, the terminal is used.
  let isTmux: Bool
  private let start: Start

  /// Starts a program; tests use a function that only records the call.
  typealias Start =
    @Sendable (_ arguments: [String], _ input: String?, _ ended: @escaping @Sendable (Int32) -> Void)
    throws(DetachedProgram.Failure) -> Void

  /// - Parameters:
  ///   - command: the configured program; nil to choose by the environment.
  ///   - variable: looks up an environment variable.
  init(
    command: [String]? = nil,
    variable: (String) -> String? = { getenv($0).map { String(cString: $0) } },
    start: @escaping Start = { (arguments, input, ended) throws(DetachedProgram.Failure) in
      try DetachedProgram.start(arguments, input: input, ended: ended)
    }
  ) {
    isTmux = command == nil && !(variable("TMUX") ?? "").isEmpty
    self.command = isTmux ? Self.tmux : command
    self.start = start
  }

  /// The program's name; empty for the terminal.
  var name: String { command?.first ?? "" }

  /// Passes the text to the program.
  /// - Parameter ended: called on another thread with the exit status, or 128 plus the number of the signal that ended
  ///   the program; 0 means that it has the text.
  func copy(_ text: String, ended: @escaping @Sendable (Int32) -> Void) throws(DetachedProgram.Failure) {
    try start(command ?? [], text, ended)
  }
}
