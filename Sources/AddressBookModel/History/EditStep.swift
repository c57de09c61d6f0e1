import Foundation
import GRDB
import Messages
import Synchronization
import SystemCalls

/// One step of the history: everything that a save, a deletion, an import or an undo wrote together.
public struct EditStep: Hashable, Sendable, Identifiable {
  /// The kinds of steps.
  public enum Kind: Int, Sendable {
    /// A change.
    case change = 0
    /// The undo of an earlier step.
    case undo = 1
    /// The redo of an undone step.
    case redo = 2
  }

  /// Its number; later steps have higher numbers.
  public let id: Int64
  /// The kind of step.
  public let kind: Kind
  /// The change; for an undo or a redo, the change that was undone or redone.
  public let name: StepName
  /// The number of contacts it wrote.
  public let count: Int
  /// The time, ISO 8601 in UTC.
  public let moment: String
  /// The name of the user, or the user ID if there is no name.
  public let user: String
  /// The origin: `screen`, or `command` for the command line.
  public let program: String
  /// True if a later step reversed it.
  public let isReversed: Bool

  static let columns = "id, kind, action, subject, count, made_at, user, program, reversed_by IS NOT NULL"

  init(_ row: Row) {
    id = row.integer(0)
    kind = Kind(rawValue: row.number(1)) ?? .change
    name = StepName(StepName.Action(rawValue: row.text(2)) ?? .edit, row.text(3))
    count = row.number(4)
    moment = row.text(5)
    user = row.text(6)
    program = row.text(7)
    isReversed = row.integer(8) != 0
  }

  /// When it was made, in local time, such as `2026-03-01 10:30`.
  public var localTime: String { Timestamp.local(moment) }

  /// Returns the name in a language.
  public func text(in localization: Localization) -> String { name.text(in: localization, count: count) }
}

/// What a step did, for display: an action and its subject. The stored form does not depend on a language; the name is
/// displayed in that of the user who reads the history.
public struct StepName: Hashable, Sendable {
  /// The action. The raw value is stored in the book.
  public enum Action: String, Sendable, CaseIterable {
    /// Contacts were added.
    case add
    /// Contacts were edited.
    case edit
    /// Contacts were deleted.
    case delete
    /// Deleted contacts were restored.
    case restore
    /// Contacts were merged into one.
    case merge
    /// Contacts were added to a group, or removed from one.
    case join, leave
    /// A group was made.
    case addGroup
    /// A group was renamed.
    case renameGroup
    /// A group was deleted.
    case deleteGroup
    /// The rule of a smart group was changed.
    case changeGroup
    /// A group was merged into another one, which is the subject.
    case mergeGroups
    /// Contacts were moved to a folder, which is the subject; it is empty if they were moved out of all folders.
    case move
    /// An import; the subject is the paths of the files, or the host of the directory.
    case importing = "import"
    /// Sample contacts were added.
    case samples
    /// A sync with a folder; the subject is its path.
    case sync

    /// True if the subject is the name of a contact.
    var namesContact: Bool {
      switch self {
      case .add, .edit, .delete, .restore, .merge: true
      case .join, .leave, .addGroup, .renameGroup, .deleteGroup, .changeGroup, .mergeGroups, .move, .importing,
        .samples, .sync:
        false
      }
    }
  }

  /// The action.
  public let action: Action
  /// The name of the contact, group or folder, or the source of an import or sync; empty for several contacts. See
  /// ``Action``.
  public let subject: String

  /// The name of a step with this action and subject.
  public init(_ action: Action, _ subject: String = "") {
    self.action = action
    self.subject = subject
  }

  /// Returns the localized name, such as “Delete 李小龙” or “Delete 3 contacts”.
  /// - Parameters:
  ///   - localization: the language.
  ///   - count: the number of contacts that the step wrote.
  public func text(in localization: Localization, count: Int) -> String {
    switch action {
    case .add, .edit, .delete, .restore, .merge:
      subject.isEmpty
        ? localization.plural("Step/\(action.rawValue).many", count: count)
        : localization.text("Step/\(action.rawValue)", subject)
    case .move: subject.isEmpty ? localization.text("Step/move.out") : localization.text("Step/move", subject)
    case .samples: localization.text("Step/samples")
    case .join, .leave, .addGroup, .renameGroup, .changeGroup, .deleteGroup, .mergeGroups, .importing, .sync:
      localization.text("Step/\(action.rawValue)", subject)
    }
  }
}

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
