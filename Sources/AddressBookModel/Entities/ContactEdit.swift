import Contacts

/// An edit of one contact that may take long, such as that of a form: what it began with, and what it leads to. Nothing is
/// locked meanwhile, so that others can write the contact too; ``BookContext/save(_:as:)`` puts both together.
public struct ContactEdit: Sendable {
  /// The contact as the edit began with it; its id is 0 for a contact that is to be added.
  public var base: Contact
  /// Its photo then, so that a photo that somebody else replaced can come back; nil if there was none.
  public var basePhoto: Photo?
  /// The contact as it is to be. Its photo counts for nothing, because ``photo`` says what becomes of it.
  public var mine: Contact
  /// What becomes of the photo.
  public var photo: PhotoChange
  /// True if a contact that was deleted meanwhile is to come back.
  public var bringsBack: Bool

  /// An edit.
  public init(
    of base: Contact, basePhoto: Photo? = nil, to mine: Contact, photo: PhotoChange = .keep, bringsBack: Bool = false
  ) {
    self.base = base
    self.basePhoto = basePhoto
    self.mine = mine
    self.photo = photo
    self.bringsBack = bringsBack
  }
}

/// What both sides of an edit changed: the edit, and somebody who saved the contact since it began.
public struct EditConflict: Sendable {
  /// The edit that was not saved.
  public let edit: ContactEdit
  /// The contact as it is in the book, deleted or not.
  public let theirs: Contact
  /// Both put together; where a conflict is open, as in the edit.
  public let merged: Contact
  /// What both changed.
  public let conflicts: [MergeConflict]

  /// The edit that saves what somebody decided about the conflicts, on top of what is in the book now. If the contact is
  /// written once more meanwhile, only what that changed can be in conflict again.
  /// - Parameter value: the value that was chosen for a conflict.
  public func settled(_ value: (MergeConflict) -> MergeConflict.Value) -> ContactEdit {
    var contact = merged
    for conflict in conflicts { contact.settle(conflict, as: value(conflict)) }
    return ContactEdit(
      of: theirs, basePhoto: edit.basePhoto, to: contact, photo: photoChange(to: contact.photo),
      bringsBack: edit.bringsBack)
  }

  /// What makes the photo in the book the one with this summary.
  private func photoChange(to summary: PhotoSummary?) -> PhotoChange {
    guard let summary else { return theirs.photo == nil ? .keep : .remove }
    if summary.sha256 == theirs.photo?.sha256 { return .keep }
    if case .set(let photo) = edit.photo, photo.summary.sha256 == summary.sha256 { return edit.photo }
    return edit.basePhoto.map { .set($0) } ?? .keep
  }
}

/// Why an edit of one contact was not saved. The book is as it was.
public enum EditError: Error {
  /// Others changed the same.
  case conflict(EditConflict)
  /// Somebody deleted the contact.
  case deleted
  /// The contact has another version than the one that was asked for.
  case otherVersion(VersionConflict)
  /// It could not be saved.
  case failed(SaveError)
}

/// A contact that has another version than the one for which an edit was meant.
public struct VersionConflict: Sendable {
  /// The contact as it was in that version; nil if the history does not know it.
  public let base: Contact?
  /// What the edit makes of that version, or, if it is not known, of the present one.
  public let mine: Contact
  /// The contact as it is in the book.
  public let theirs: Contact
  /// What both changed.
  public let conflicts: [MergeConflict]

  init(base: Contact?, theirs: Contact, _ change: (inout Contact) -> Void) {
    self.base = base
    self.theirs = theirs
    var mine = base ?? theirs
    change(&mine)
    self.mine = mine
    var merge = ThreeWayMerge(base: base ?? Contact(), mine: mine, theirs: theirs)
    _ = merge.run()
    conflicts = merge.conflicts
  }
}
