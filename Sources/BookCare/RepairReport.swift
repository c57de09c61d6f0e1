import AddressBookModel

/// What a repair did, and what is left.
public struct RepairReport: Hashable, Sendable {
  /// Something that was done.
  public struct Action: Hashable, Sendable {
    /// What was done. The raw value is part of the output as JSON.
    public enum Kind: String, Hashable, Sendable, CaseIterable {
      /// The original file, or a copy of it, was kept at ``RepairReport/Action/path``.
      case kept
      /// Contacts were read from a damaged file into a new book.
      case salvaged
      /// Contacts that could be read only in part.
      case salvagedInPart
      /// Contacts that could be neither read nor restored.
      case lost
      /// Missing contacts. Only their number is known.
      case lostUnnamed
      /// Contacts that lost some of their values.
      case partsLost
      /// Contacts were restored exactly as saved, as their checksums prove.
      case restored
      /// Lost contacts were taken from a backup, perhaps in an earlier state, as the user allowed.
      case restoredEarlier
      /// Contacts that could not be restored were accepted as they are.
      case accepted
      /// Photos were taken from a backup.
      case photosRestored
      /// Photos could not be restored.
      case photosAccepted
      /// Names of groups were restored.
      case groups
      /// Derived values, such as display names and sections, were recomputed.
      case derived
      /// Contacts were created for values whose contact was missing.
      case adopted
      /// Rows that referred to a missing contact, group or other row were removed.
      case orphansRemoved
      /// Damaged steps of the history were restored.
      case historyRestored
      /// Damaged steps of the history were removed.
      case historyRemoved
      /// Indexes and triggers were recreated.
      case schema
      /// Indexes were rebuilt.
      case reindexed
      /// Section counts and next ids were corrected.
      case counts
      /// Damaged cache files were removed.
      case cache
      /// Files and folders were made private again.
      case permissions
      /// Checksums were added to contacts that had none.
      case checked
    }

    /// What was done.
    public let kind: Kind
    /// How many contacts, values, files or other things were affected.
    public let count: Int
    /// The affected contacts, if any.
    public let contacts: [NamedContact]
    /// The path of the kept file, for ``Kind/kept``; otherwise empty.
    public let path: String

    init(_ kind: Kind, count: Int = 0, contacts: [NamedContact] = [], path: String = "") {
      self.kind = kind
      self.count = max(count, contacts.count)
      self.contacts = contacts
      self.path = path
    }

    /// True if the repair lost something, or could not restore it.
    public var isLoss: Bool {
      [.salvagedInPart, .lost, .lostUnnamed, .partsLost, .accepted, .photosAccepted, .historyRemoved, .orphansRemoved]
        .contains(kind)
    }
  }

  /// What was found before the repair.
  public let before: Examination
  /// What was done.
  public let actions: [Action]
  /// What was found after the repair.
  public let after: Examination
}

/// The actions of a repair so far.
final class RepairLog {
  private(set) var actions: [RepairReport.Action] = []

  func add(_ kind: RepairReport.Action.Kind, count: Int = 0, contacts: [NamedContact] = [], path: String = "") {
    let action = RepairReport.Action(kind, count: count, contacts: contacts, path: path)
    guard action.count > 0 || !path.isEmpty else { return }
    // Two parts of a repair may do the same thing.
    if path.isEmpty, let index = actions.firstIndex(where: { $0.kind == kind && $0.path.isEmpty }) {
      let first = actions[index]
      actions[index] = RepairReport.Action(
        kind, count: first.count + action.count, contacts: first.contacts + action.contacts)
    } else {
      actions.append(action)
    }
  }
}

/// Reports what the doctor is doing, and tells it when to stop.
public struct DoctorProgress {
  /// A stage of the work.
  public enum Stage: String, Sendable, CaseIterable {
    /// SQLite's check of the file.
    case structure
    /// Comparing contacts with their checksums, and checking derived values.
    case contacts
    /// The history.
    case history
    /// Reading a damaged file page by page, and copying its rows to a new book.
    case salvage
    /// Repairing damaged contacts.
    case repair
  }

  /// Called from time to time, on the working thread, with the completed fraction of the stage, 0 to 1; nil if unknown.
  public var onProgress: (Stage, Double?) -> Void
  /// Called often; true ends the work with `StoreError.cancelled`. A repair that is not complete then changes nothing,
  /// but an older book may have been migrated.
  public var isCancelled: () -> Bool

  /// Creates a value that ignores progress and never stops the work, unless functions are given.
  public init(
    onProgress: @escaping (Stage, Double?) -> Void = { _, _ in }, isCancelled: @escaping () -> Bool = { false }
  ) {
    self.onProgress = onProgress
    self.isCancelled = isCancelled
  }

  func check() throws { if isCancelled() { throw CancellationError() } }
}
