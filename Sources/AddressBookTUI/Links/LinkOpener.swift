import Glibc
import TerminalKit

/// Opens an address in another program, without a shell, and without waiting for it unless it uses the terminal.
struct LinkOpener: Sendable {
  /// Why nothing was opened.
  enum Failure: Error, Equatable {
    /// The desktop's opener needs a desktop, or a program that `BROWSER` names.
    case noDisplay
    /// The program is not installed.
    case missing(String)
    /// The program could not be started; `code` is `errno`.
    case system(String, code: Int32)
  }

  /// The placeholder for the address in the arguments.
  static let placeholder = "{}"
  /// The desktops' standard program: https://www.freedesktop.org/wiki/Software/xdg-utils/
  static let standard = ["xdg-open", placeholder]

  /// The program and its arguments. If none contains ``placeholder``, the address is the last argument.
  private let command: [String]
  /// The programs that are used for some kinds instead.
  private let commands: [LinkAddress.Kind: [String]]
  /// The kinds whose program uses the terminal.
  private let inTerminal: Set<LinkAddress.Kind>
  /// Looks up an environment variable.
  private let variable: @Sendable (String) -> String?
  private let start: Start

  /// Starts a program; tests use a function that only records the call.
  typealias Start =
    @Sendable (_ arguments: [String], _ failed: @escaping @Sendable (Int32) -> Void) throws(DetachedProgram.Failure) ->
    Void

  /// - Parameter command: nil for the desktop's default.
  init(
    command: [String]? = nil, commands: [LinkAddress.Kind: [String]] = [:], inTerminal: Set<LinkAddress.Kind> = [],
    variable: @escaping @Sendable (String) -> String? = { getenv($0).map { String(cString: $0) } },
    start: @escaping Start = DetachedProgram.start
  ) {
    self.command = command ?? Self.standard
    (self.commands, self.inTerminal) = (commands, inTerminal)
    self.variable = variable
    self.start = start
  }

  private func command(for address: LinkAddress) -> [String] { commands[address.kind] ?? command }

  /// The name of the program for an address.
  func name(for address: LinkAddress) -> String { command(for: address).first ?? "" }

  func usesTerminal(_ address: LinkAddress) -> Bool { inTerminal.contains(address.kind) }

  func arguments(for address: LinkAddress) -> [String] {
    let command = command(for: address)
    guard command.dropFirst().contains(where: { $0.contains(Self.placeholder) }) else {
      return command + [address.text]
    }
    return command.prefix(1) + command.dropFirst().map { $0.replacing(Self.placeholder, with: address.text) }
  }

  /// Starts the program, which does not get the terminal.
  /// - Parameter failed: called on another thread with the exit status, if it is from 1 to 127.
  func open(_ address: LinkAddress, failed: @escaping @Sendable (Int32) -> Void) throws(Failure) {
    // Without a display, `xdg-open` can still start the terminal program that `BROWSER` names.
    let variables = ["DISPLAY", "WAYLAND_DISPLAY", "BROWSER"]
    let isStandard = command(for: address) == Self.standard
    if isStandard, variables.allSatisfy({ (variable($0) ?? "").isEmpty }) { throw .noDisplay }
    try open(address) { arguments throws(DetachedProgram.Failure) in try start(arguments, failed) }
  }

  /// Runs the program on the terminal, and returns when it has ended.
  @MainActor
  func run(_ address: LinkAddress, on loop: any ProgramLoop) throws(Failure) {
    try open(address) { arguments throws(DetachedProgram.Failure) in try loop.runOnTerminal(arguments) }
  }

  private func open(
    _ address: LinkAddress, _ start: ([String]) throws(DetachedProgram.Failure) -> Void
  ) throws(Failure) {
    do {
      try start(arguments(for: address))
    } catch {
      throw error.code == ENOENT ? .missing(name(for: address)) : .system(name(for: address), code: error.code)
    }
  }
}

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
