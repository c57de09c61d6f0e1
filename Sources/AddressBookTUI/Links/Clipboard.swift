import Glibc
import TerminalKit

/// How text gets to the clipboard: by the program that the configuration names, inside tmux by tmux, else by the terminal, which
/// does not say whether it took it.
struct Clipboard: Sendable {
  /// tmux's own buffer, and with `-w` also the clipboard of the terminal that it runs in.
  static let tmux = ["tmux", "load-buffer", "-w", "-"]

  /// The program that gets the text as its standard input, and its arguments; nil for the terminal (OSC 52).
  let command: [String]?
  /// True for ``tmux``, which nobody asked for: where it fails, the terminal is asked.
  let isTmux: Bool
  private let start: Start

  /// Starts a program; tests have one that only takes note.
  typealias Start =
    @Sendable (_ arguments: [String], _ input: String?, _ ended: @escaping @Sendable (Int32) -> Void)
    throws(DetachedProgram.Failure) -> Void

  /// - Parameters:
  ///   - command: of the configuration; nil for the one that fits the environment.
  ///   - variable: looks up a variable of the environment.
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

  /// Gives the text to the program.
  /// - Parameter ended: called on another thread with the exit status; 0 says that the program has the text.
  func copy(_ text: String, ended: @escaping @Sendable (Int32) -> Void) throws(DetachedProgram.Failure) {
    try start(command ?? [], text, ended)
  }
}
