/// What the user told apart, for undo and redo: the history of the book has only changes of contacts.
struct ApartHistory {
  /// Where the history of the book stands: while it is the same, nothing was done since.
  struct Moment: Equatable {
    /// The step that an undo reverses.
    let undo: Int64?
    /// The step that a redo reverses.
    let redo: Int64?
  }

  private var told: [(ids: [Int64], step: Int64?)] = []
  private var forgotten: [(ids: [Int64], moment: Moment)] = []

  /// Remembers what was just told apart.
  mutating func add(_ ids: [Int64], at moment: Moment) {
    told.append((ids, moment.undo))
    forgotten = []
  }

  /// What an undo takes back instead of a step; nil if the step came later.
  func toUndo(at moment: Moment) -> [Int64]? { told.last.flatMap { $0.step == moment.undo ? $0.ids : nil } }

  /// What a redo tells apart again instead of reversing a step.
  func toRedo(at moment: Moment) -> [Int64]? { forgotten.last.flatMap { $0.moment == moment ? $0.ids : nil } }

  /// What was told apart last is no longer.
  mutating func undo(at moment: Moment) { if let last = told.popLast() { forgotten.append((last.ids, moment)) } }

  /// It is again.
  mutating func redo() { if let last = forgotten.popLast() { told.append((last.ids, last.moment.undo)) } }
}
