import Foundation
import Synchronization

/// One run of a screen or a command, as the history knows it: whose steps an undo takes back.
///
/// An undo on a screen takes back what was done on that screen, then what was in the history before it; never what another program
/// has written in the meantime, unless that is all that is asked for.
public final class EditSession: Sendable {
  /// What made the change: `screen`, or the name of a subcommand.
  public let program: String
  /// Who made it: the name of the user, or the number where there is no name.
  public let user: String
  let id = UUID().uuidString
  private let oldest = Mutex<Int64?>(nil)

  /// A session that begins now.
  public init(program: String) {
    self.program = program
    let names = ["LOGNAME", "USER"].lazy.compactMap { ProcessInfo.processInfo.environment[$0] }
    user = names.first { !$0.isEmpty } ?? String(getuid())
  }

  /// The newest step that was there when the session first asked: steps up to it are the session's to undo.
  func mark(newest: () throws -> Int64) rethrows -> Int64 {
    try oldest.withLock { oldest in
      if let oldest { return oldest }
      let mark = try newest()
      oldest = mark
      return mark
    }
  }
}
