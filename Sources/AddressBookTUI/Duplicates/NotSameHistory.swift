/// Undo and redo of marking contacts as not the same. The book's history has no such steps, only changes to contacts
/// and groups.
struct NotSameHistory {
  /// A position in the book's history; while it is unchanged, this session has not made, undone or redone a step.
  struct Moment: Equatable {
    /// The step that an undo would reverse.
    let undo: Int64?
    /// The step that a redo would reverse.
    let redo: Int64?
  }

  private var marked: [(ids: [Int64], step: Int64?)] = []
  private var unmarked: [(ids: [Int64], moment: Moment)] = []

  /// Records contacts that were just marked as not the same.
  mutating func add(_ ids: [Int64], at moment: Moment) {
    marked.append((ids, moment.undo))
    unmarked = []
  }

  /// Returns the contacts whose mark an undo removes instead of reversing a step; nil if there is none, or if a newer
  /// step is to be undone first.
  func toUndo(at moment: Moment) -> [Int64]? { marked.last.flatMap { $0.step == moment.undo ? $0.ids : nil } }

  /// Returns the contacts that a redo marks again instead of reversing a step; nil if there are none, or if a step was
  /// made, undone or redone since the undo.
  func toRedo(at moment: Moment) -> [Int64]? { unmarked.last.flatMap { $0.moment == moment ? $0.ids : nil } }

  /// Records that the newest mark was removed.
  mutating func undo(at moment: Moment) { if let last = marked.popLast() { unmarked.append((last.ids, moment)) } }

  /// Records that the most recently removed mark was set again.
  mutating func redo() { if let last = unmarked.popLast() { marked.append((last.ids, last.moment.undo)) } }
}
