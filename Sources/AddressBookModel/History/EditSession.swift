import Foundation
import Synchronization

/// One run of a screen or a command, for the history: it decides which steps an undo reverses.
///
/// An undo on a screen reverses the changes of that screen, then those that were in the history before the first of
/// them or the first undo; never changes that another program made later, unless steps of all sessions are requested.
public final class EditSession: Sendable {
  /// The origin of the changes: `screen`, or `command` for the command line.
  public let program: String
  private let oldest = Mutex<Int64?>(nil)
  // Both are computed on first use: asking the system takes a dozen calls or more, and many sessions write nothing.
  private let knownUser = Mutex<String?>(nil)
  private let knownID = Mutex<String?>(nil)

  /// A session that begins now.
  public init(program: String) { self.program = program }

  /// The author of the changes: the name of the user, or the user ID if there is no name.
  public var user: String { Self.first(knownUser) { Self.userName } }

  var id: String { Self.first(knownID) { UUID().uuidString } }

  private static func first(_ known: borrowing Mutex<String?>, _ make: () -> String) -> String {
    known.withLock { known in
      if let known { return known }
      let made = make()
      known = made
      return made
    }
  }

  private static var userName: String {
    for name in ["LOGNAME", "USER"] {
      if let user = ProcessEnvironment[name], !user.isEmpty { return user }
    }
    return getpwuid(getuid()).map { String(cString: $0.pointee.pw_name) } ?? String(getuid())
  }

  /// The newest step at the first call. The session may undo steps of other sessions up to this step.
  func mark(newest: () throws -> Int64) rethrows -> Int64 {
    try oldest.withLock { oldest in
      if let oldest { return oldest }
      let mark = try newest()
      oldest = mark
      return mark
    }
  }
}
