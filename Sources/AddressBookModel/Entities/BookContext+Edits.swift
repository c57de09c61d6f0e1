import Contacts
import ObjectGraph

/// Saves one contact without overwriting what others wrote: the edit is merged with the contact in the transaction that
/// writes it.
extension BookContext {
  /// Saves an edit, merged with what others wrote since it began, as one step of the history. The context must have no
  /// other changes.
  /// - Parameters:
  ///   - edit: the edit.
  ///   - name: the name of the step; nil to derive it from the changes.
  /// - Returns: the id of the contact.
  public func save(_ edit: ContactEdit, as name: StepName? = nil) throws(EditError) -> Int64 {
    try saving(as: name) { keepsMetadata in
      try refresh()
      return try apply(edit, keepsMetadata)
    }.id
  }

  /// Saves edits of different contacts as ``save(_:as:)-(ContactEdit,_)`` does, all or none.
  /// - Returns: the ids of the contacts.
  public func save(_ edits: [ContactEdit], as name: StepName? = nil) throws(EditError) -> [Int64] {
    try saving(as: name) { keepsMetadata in
      try refresh()
      return try edits.map { try apply($0, keepsMetadata) }
    }.map(\.id)
  }

  /// Changes a contact as it is in the book now, as one step of the history.
  /// - Parameters:
  ///   - id: the contact.
  ///   - version: the version that the change is meant for; nil for any.
  ///   - name: the name of the step; nil to derive it from the change.
  ///   - change: makes the change; if the contact has another version, it is called again for the conflict.
  /// - Returns: the id of the contact.
  public func edit(
    _ id: Int64, ifVersion version: Int? = nil, as name: StepName? = nil, _ change: (inout Contact) -> Void
  ) throws(EditError) -> Int64 {
    var theirs: Contact?
    do throws(EditError) {
      return try saving(as: name) { keepsMetadata -> Person in
        try refresh()
        guard let person = try person(id) else { throw EditError.missing(String(id)) }
        var contact = try person.contact
        if let version, version != contact.version {
          theirs = contact
          throw EditError.conflict(nil)
        }
        present[id] = contact
        change(&contact)
        try write(contact, .keep, to: person, keepsMetadata)
        return person
      }.id
    } catch {
      guard let theirs, let version else { throw error }
      throw .conflict(try conflict(with: theirs, since: version, change))
    }
  }

  /// Returns the conflict of a change that was meant for another version of a contact.
  private func conflict(
    with theirs: Contact, since version: Int, _ change: (inout Contact) -> Void
  ) throws(EditError) -> EditConflict {
    let base: Contact
    do {
      base = try objects.store.contact(theirs.id, version: version) ?? Contact()
    } catch {
      throw .store(error)
    }
    var mine = base.version == 0 ? theirs : base
    change(&mine)
    var merge = ThreeWayMerge(base: base, mine: mine, theirs: theirs)
    let merged = merge.run()
    return EditConflict(
      edit: ContactEdit(of: base, to: mine), theirs: theirs, merged: merged, conflicts: merge.conflicts)
  }

  // MARK: - In the transaction

  /// - Parameter change: changes contacts. Its argument tells whether the book keeps the metadata of
  ///   photos.
  private func saving<Value>(as name: StepName?, _ change: (Bool) throws -> Value) throws(EditError) -> Value {
    do {
      let keepsMetadata = try objects.store.read(PhotoMetadataChoice.isKept)
      return try save(as: name) { try change(keepsMetadata) }
    } catch {
      throw editError(error)
    }
  }

  private func apply(_ edit: ContactEdit, _ keepsMetadata: Bool) throws -> Person {
    var person = edit.base.id == 0 ? nil : try person(edit.base.id)
    if person == nil, edit.base.id != 0 {
      guard edit.restoresDeleted else { throw EditError.missing(String(edit.base.id)) }
      person = try deletedPerson(edit.base.id)
      if let person { try restore(person) }
    } else if let person {
      present[person.id] = try person.contact
    }
    guard let person else { return try add(edit) }
    let merge = try merged(edit, with: try present[person.id] ?? person.contact)
    try write(merge.contact, merge.photo, to: person, keepsMetadata)
    return person
  }

  private func add(_ edit: ContactEdit) throws -> Person {
    // A contact whose row is gone is restored with the photo that it had.
    var photo = edit.photo
    if photo == .keep, let known = edit.basePhoto { photo = .set(known) }
    let person = insertPerson()
    try write(edit.mine, photo, to: person, true)
    return person
  }

  private func merged(_ edit: ContactEdit, with theirs: Contact) throws -> (contact: Contact, photo: PhotoChange) {
    var mine = edit.mine
    mine.photo = edit.photo.summary(present: edit.base.photo)
    // Merge even if the version is the same: a program may have bypassed the triggers that increment it.
    var merge = ThreeWayMerge(base: edit.base, mine: mine, theirs: theirs)
    var merged = merge.run()
    if mine.uid != edit.base.uid { merged.uid = mine.uid }
    guard merge.conflicts.isEmpty else {
      throw EditError.conflict(EditConflict(edit: edit, theirs: theirs, merged: merged, conflicts: merge.conflicts))
    }
    return (merged, merged.photo?.sha256 == theirs.photo?.sha256 ? .keep : edit.photo)
  }

  private func write(_ contact: Contact, _ photo: PhotoChange, to person: Person, _ keepsMetadata: Bool) throws {
    try person.apply(contact)
    switch photo {
    case .keep: if !keepsMetadata { try person.removePhotoMetadata() }
    case .remove: try person.setPhoto(nil)
    case .set(let photo): try person.setPhoto(photo)
    }
  }
}
