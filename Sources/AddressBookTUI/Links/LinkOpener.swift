import Glibc
import TerminalKit

/// Opens an address in another program, without a shell and without waiting for it.
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
  let command: [String]
  /// Looks up an environment variable.
  private let variable: @Sendable (String) -> String?
  private let start: Start

  /// Starts a program; tests use a function that only records the call.
  typealias Start =
    @Sendable (_ arguments: [String], _ failed: @escaping @Sendable (Int32) -> Void) throws(DetachedProgram.Failure) ->
    Void

  /// - Parameter command: nil for the desktop's default.
  init(
    command: [String]? = nil,
    variable: @escaping @Sendable (String) -> String? = { getenv($0).map { String(cString: $0) } },
    start: @escaping Start = DetachedProgram.start
  ) {
    self.command = command ?? Self.standard
    self.variable = variable
    self.start = start
  }

  var name: String { command.first ?? "" }

  func arguments(for address: LinkAddress) -> [String] {
    guard command.dropFirst().contains(where: { $0.contains(Self.placeholder) }) else {
      return command + [address.text]
    }
    return command.prefix(1) + command.dropFirst().map { $0.replacing(Self.placeholder, with: address.text) }
  }

  /// Starts the program.
  /// - Parameter failed: called on another thread with the exit status, if it is from 1 to 127.
  func open(_ address: LinkAddress, failed: @escaping @Sendable (Int32) -> Void) throws(Failure) {
    // Without a display, `xdg-open` can still start the terminal program that `BROWSER` names.
    let variables = ["DISPLAY", "WAYLAND_DISPLAY", "BROWSER"]
    if command == Self.standard, variables.allSatisfy({ (variable($0) ?? "").isEmpty }) { throw .noDisplay }
    do {
      try start(arguments(for: address), failed)
    } catch {
      throw error.code == ENOENT ? .missing(name) : .system(name, code: error.code)
    }
  }
}
