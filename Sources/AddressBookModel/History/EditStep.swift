import GRDB
import Messages

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
