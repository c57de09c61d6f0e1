import Contacts

/// An edit of one contact that may take a long time, such as one in a form: the contact before and after it. Nothing is
/// locked in the meantime, so others can write the contact too; ``BookContext/save(_:as:)`` merges both.
public struct ContactEdit: Sendable {
  /// The contact when the edit began; its id is 0 for a contact to add.
  public var base: Contact
  /// Its photo at that time, for restoring it if others replaced it, or removed the contact for good; nil if there was
  /// none.
  public var basePhoto: Photo?
  /// The contact after the edit. Its photo is ignored: ``photo`` has the change.
  public var mine: Contact
  /// The change to the photo.
  public var photo: PhotoChange
  /// True to restore a contact that was deleted in the meantime.
  public var restoresDeleted: Bool

  /// An edit from one state of a contact to another.
  public init(
    of base: Contact, basePhoto: Photo? = nil, to mine: Contact, photo: PhotoChange = .keep,
    restoresDeleted: Bool = false
  ) {
    self.base = base
    self.basePhoto = basePhoto
    self.mine = mine
    self.photo = photo
    self.restoresDeleted = restoresDeleted
  }
}

/// The fields that both an edit and others changed: others have saved the contact since the edit began.
public struct EditConflict: Sendable {
  /// The edit that was not saved.
  public let edit: ContactEdit
  /// The contact as it is in the book, deleted or not.
  public let theirs: Contact
  /// The result of merging `edit` and `theirs`; fields in conflict have the values of the edit.
  public let merged: Contact
  /// The fields that both sides changed.
  public let conflicts: [MergeConflict]

  /// Returns the edit that saves the user's decisions about the conflicts, on top of the contact in the book. If
  /// others write the contact again in the meantime, only the fields that they change then can be in conflict.
  /// - Parameter value: the value that was chosen for a conflict.
  public func resolved(_ value: (MergeConflict) -> MergeConflict.Value) -> ContactEdit {
    var contact = merged
    for conflict in conflicts { contact.resolve(conflict, as: value(conflict)) }
    return ContactEdit(
      of: theirs, basePhoto: edit.basePhoto, to: contact, photo: photoChange(to: contact.photo),
      restoresDeleted: edit.restoresDeleted)
  }

  /// Returns the change that gives the contact the photo with this summary.
  private func photoChange(to summary: PhotoSummary?) -> PhotoChange {
    guard let summary else { return theirs.photo == nil ? .keep : .remove }
    if summary.sha256 == theirs.photo?.sha256 { return .keep }
    if case .set(let photo) = edit.photo, photo.summary.sha256 == summary.sha256 { return edit.photo }
    return edit.basePhoto.map { .set($0) } ?? .keep
  }
}

/// Why an edit of one contact was not saved. The book is unchanged.
public enum EditError: Error {
  /// Others changed the same fields.
  case conflict(EditConflict)
  /// The contact was deleted, or the book has none with this id.
  case deleted
  /// The contact does not have the requested version.
  case otherVersion(VersionConflict)
  /// The edit could not be saved.
  case failed(SaveError)
}

/// A contact that no longer has the version that an edit was meant for.
public struct VersionConflict: Sendable {
  /// The contact as it was in that version; nil if the history does not have it.
  public let base: Contact?
  /// The result of the edit for that version or, if it is unknown, for the current one.
  public let mine: Contact
  /// The contact as it is in the book.
  public let theirs: Contact
  /// The fields that both sides changed; if the base is unknown, those with a value that the edit replaces.
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
