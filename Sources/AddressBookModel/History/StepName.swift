import Messages

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
  /// - Parameter count: the number of contacts that the step wrote.
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
