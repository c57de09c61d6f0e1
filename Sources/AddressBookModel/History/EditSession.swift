import Foundation
import Synchronization
import SystemCalls

/// One run of a screen or a command, for the history: it decides which steps an undo reverses.
///
/// An undo on a screen reverses the changes of that screen, then those made before it was opened. It reverses changes
/// that another program made later only if steps of all sessions are requested.
public final class EditSession: Sendable {
  /// The origin of the changes: `screen`, or `command` for the command line.
  public let program: String
  /// When the session began. Looking up the newest step then would delay the first frame of a screen.
  private let began: ContinuousClock.Instant
  private let oldest = Mutex<Int64?>(nil)
  // The user and the id are computed on first use: it takes a dozen system calls or more, and many sessions write
  // nothing.
  private let knownUser = Mutex<String?>(nil)
  private let knownID = Mutex<String?>(nil)

  /// A session that begins now.
  public convenience init(program: String) { self.init(program: program, began: .now) }

  init(program: String, began: ContinuousClock.Instant) {
    self.program = program
    self.began = began
  }

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

  /// Returns the number of the step that was the newest when the session began. The session may undo steps of other
  /// sessions up to that one.
  /// - Parameter newest: finds the newest step made at or before a time. It is called only once, at the first write, or
  ///   when a step to undo or redo is first looked up.
  func mark(newest: (_ time: String) throws -> Int64) rethrows -> Int64 {
    try oldest.withLock { oldest in
      if let oldest { return oldest }
      // The system's clock may have been set since.
      let elapsed = (ContinuousClock.now - began) / .seconds(1)
      let mark = try newest(Timestamp.text(secondsSince1970: Int(Timestamp.seconds() - elapsed)))
      oldest = mark
      return mark
    }
  }
}
