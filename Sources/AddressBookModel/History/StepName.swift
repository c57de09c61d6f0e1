/// What a step did, for people: an action and whom or what it was done to. It is stored without words, and shown in the language
/// of whoever reads the history.
public struct StepName: Hashable, Sendable {
  /// What was done. The raw value is what the book stores.
  public enum Action: String, Sendable, CaseIterable {
    case add, edit, delete, restore, merge
    /// Contacts were added to a group, or removed from one.
    case join, leave
    case addGroup, renameGroup, deleteGroup
    /// From a file; the subject is its path.
    case importing = "import"
    case samples
  }

  /// What was done.
  public let action: Action
  /// The name of the contact, the group or the file; empty when there are several contacts.
  public let subject: String

  /// A name.
  public init(_ action: Action, _ subject: String = "") {
    self.action = action
    self.subject = subject
  }

  /// The name in a language, such as “Delete 李小龙” or “Delete 3 contacts”.
  /// - Parameter count: how many contacts the step wrote.
  public func text(in localization: Localization, count: Int) -> String {
    switch action {
    case .add, .edit, .delete, .restore, .merge:
      subject.isEmpty
        ? localization.plural("Step/\(action.rawValue).many", count: count)
        : localization.text("Step/\(action.rawValue)", subject)
    case .samples: localization.text("Step/samples")
    case .join, .leave, .addGroup, .renameGroup, .deleteGroup, .importing:
      localization.text("Step/\(action.rawValue)", subject)
    }
  }
}
