/// Why a terminal cannot be used. The words for a person are the program's.
public enum TerminalError: Error, Hashable, Sendable {
  /// Standard input is not a terminal, and the process has none.
  case inputIsNotATerminal
  /// Standard output is not a terminal, and the process has none.
  case outputIsNotATerminal
  /// TERM is unset or empty.
  case noTerminalType
  /// No description of this TERM is installed.
  case unknownTerminalType(String)
  /// This TERM cannot place a cursor, such as `dumb`.
  case unsuitableTerminalType(String)
  /// The system refused, with `errno`.
  case system(Int32)
}
