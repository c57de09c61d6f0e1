import Contacts

/// The conflicts of one contact, and the user's decision about each.
struct ConflictModel {
  /// A version to choose from.
  enum Side: CaseIterable {
    case base, mine, theirs

    /// The name of the side in string keys.
    var name: String {
      switch self {
      case .base: "base"
      case .mine: "mine"
      case .theirs: "theirs"
      }
    }
  }

  /// The user's decision.
  enum Decision: Hashable {
    case side(Side)
    /// Another value, entered by the user; in a list, a value with another label.
    case own(MergeConflict.Value)
  }

  /// A conflict, with the user's decision.
  struct Row {
    let conflict: MergeConflict
    fileprivate(set) var decision: Decision?

    func value(of side: Side) -> MergeConflict.Value {
      switch side {
      case .base: conflict.base
      case .mine: conflict.mine
      case .theirs: conflict.theirs
      }
    }

    /// The chosen value; nil while the conflict is open.
    var decided: MergeConflict.Value? {
      switch decision {
      case .side(let side): value(of: side)
      case .own(let value): value
      case nil: nil
      }
    }

    /// The value that the user entered; nil if the user did not enter one.
    var own: MergeConflict.Value? {
      if case .own(let value) = decision { value } else { nil }
    }
  }

  private(set) var rows: [Row]
  /// The index of the row that keys apply to.
  private(set) var focus = 0

  /// - Parameter decided: earlier decisions about the same conflicts.
  init(_ conflicts: [MergeConflict], decided: [MergeConflict: Decision] = [:]) {
    rows = conflicts.map { conflict in
      let kept: Decision? =
        switch conflict.kept {
        case .each: nil
        case .mine: .side(.mine)
        case .theirs: .side(.theirs)
        }
      return Row(conflict: conflict, decision: decided[conflict] ?? kept)
    }
    focus = firstOpen ?? 0
  }

  var focused: Row { rows[focus] }

  var openCount: Int { rows.count { $0.decision == nil } }

  private var firstOpen: Int? { rows.firstIndex { $0.decision == nil } }

  var decisions: [MergeConflict: Decision] {
    Dictionary(rows.compactMap { row in row.decision.map { (row.conflict, $0) } }, uniquingKeysWith: { $1 })
  }

  /// Moves the focus by `offset` rows, at most to the first or the last.
  mutating func moveFocus(by offset: Int) { setFocus(focus + offset) }

  mutating func setFocus(_ row: Int) { focus = min(max(0, row), rows.count - 1) }

  /// Moves the focus to the first row that is still open, if there is one.
  mutating func focusOpen() { focus = firstOpen ?? focus }

  mutating func decide(_ decision: Decision) { rows[focus].decision = decision }
}
