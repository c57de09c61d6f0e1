import AddressBookModel
import AddressBookTUI
import AvatarImage

/// Opens the screen: the only place where the command uses the screens of `AddressBookTUI`.
enum Screen {
  /// - Parameters:
  ///   - path: the book; nil for the user's default book.
  ///   - tracesSQL: true to print each statement.
  static func open(_ path: String?, tracesSQL: Bool = false) throws { try show(path, tracesSQL, nil) }

  /// Lets the user choose.
  /// - Returns: what was chosen; nothing if the user quit.
  static func pick(_ kind: ScreenPick.Kind, from path: String?, tracesSQL: Bool) throws -> [ScreenPick.Choice] {
    // The command runs on the main thread, and nothing else has used the main actor.
    let pick = MainActor.assumeIsolated { ScreenPick(kind) }
    try show(path, tracesSQL, pick)
    return MainActor.assumeIsolated { pick.choices }
  }

  private static func show(_ path: String?, _ tracesSQL: Bool, _ pick: ScreenPick?) throws {
    do {
      try MainActor.assumeIsolated {
        try AddressBookApp.run(
          pictureDecoder: .ofProgram(), pick: pick, locate: { try BookOptions.resolve(path) }
        ) {
          try BookOptions.open(path, tracesSQL: tracesSQL, .readWrite)
        }
      }
    } catch AddressBookApp.Failure.terminal(let reason) {
      throw CommandFailure(.misuse, reason)
    }
  }

  /// Handles the most common command lines without the parser, because setting up all commands takes a third of the
  /// time to the first row.
  /// - Returns: false if the arguments contain more than the book to open; nothing was done then.
  static func openAtOnce(_ arguments: [String]) throws -> Bool {
    var path: String?
    switch arguments.count {
    case 0: break
    case 2 where arguments[0] == "--book" && !arguments[1].isEmpty && !arguments[1].hasPrefix("-"): path = arguments[1]
    default: return false
    }
    try open(path)
    return true
  }
}
