import Contacts

/// An edit of one contact that may take a long time, such as one in a form: the contact before and after it. Nothing is
/// locked in the meantime, so others can write the contact too; ``BookContext/save(_:as:)-(ContactEdit,_)`` merges both.
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
  /// The edit that was not saved. Its base has the version 0 if the history lacks the version that the edit was meant for;
  /// the fields in conflict are then those with a value that the edit replaces.
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
