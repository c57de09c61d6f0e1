import GRDB

/// One step of the history: what a save, a deletion, an import or an undo wrote, together.
public struct EditStep: Hashable, Sendable, Identifiable {
  /// What kind of step it is.
  public enum Kind: Int, Sendable {
    /// Something was changed.
    case change = 0
    /// An earlier step was undone.
    case undo = 1
    /// An undo was undone.
    case redo = 2
  }

  /// Its number; a later step has a greater one.
  public let id: Int64
  /// What kind of step it is.
  public let kind: Kind
  /// What was done; of an undo or a redo, what was undone or redone.
  public let name: StepName
  /// How many contacts it wrote.
  public let count: Int
  /// When, ISO 8601 in UTC.
  public let moment: String
  /// Who: the name of a user.
  public let user: String
  /// With what: `screen`, or the name of a subcommand.
  public let program: String
  /// True when a later step took it back.
  public let isReversed: Bool

  static let columns = "id, kind, action, subject, count, made_at, user, program, reversed_by IS NOT NULL"

  init(_ row: Row) {
    id = row[0]
    kind = Kind(rawValue: row[1]) ?? .change
    name = StepName(StepName.Action(rawValue: row[2]) ?? .edit, row[3])
    count = row[4]
    moment = row[5]
    user = row[6]
    program = row[7]
    isReversed = row[8]
  }

  /// The name in a language.
  public func text(in localization: Localization) -> String { name.text(in: localization, count: count) }
}
