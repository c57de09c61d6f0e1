import Contacts

/// Saves one contact without overwriting what others wrote: the edit is merged with the contact in the book, and
/// written only if the contact is unchanged when the write begins; otherwise the edit is merged again.
extension BookContext {
  /// How many times an edit is tried while others keep saving the same contact between reading and writing.
  private static let maximumAttempts = 16

  /// Saves an edit, merged with what others wrote since it began, as one step of the history. The context must have no
  /// other changes.
  /// - Parameter name: the name of the step; nil to derive it from the changes.
  /// - Returns: the id of the contact.
  public func save(_ edit: ContactEdit, as name: StepName? = nil) throws(EditError) -> Int64 {
    try trying { () throws(EditError) in
      guard edit.base.id != 0 else { return try add(edit, as: name) }
      try failing { () throws(StoreError) in try refresh() }
      if let person = try failing({ () throws(StoreError) in try person(edit.base.id) }) {
        return try merge(edit, into: person, as: name)
      }
      guard edit.restoresDeleted else { throw .deleted }
      guard let person = try failing({ () throws(StoreError) in try deletedPerson(edit.base.id) }) else {
        return try add(edit, as: name)
      }
      try failing { () throws(StoreError) in try restore(person) }
      return try merge(edit, into: person, as: name)
    }
  }

  /// Changes a contact as it is in the book now, as one step of the history. If others save it in between, the change
  /// is applied again, to their version.
  /// - Parameters:
  ///   - version: the version that the change is meant for; nil for any.
  ///   - change: makes the change; called for each try.
  /// - Returns: the id of the contact.
  public func edit(
    _ id: Int64, ifVersion version: Int? = nil, as name: StepName? = nil, _ change: (inout Contact) -> Void
  ) throws(EditError) -> Int64 {
    try trying { () throws(EditError) in
      try failing { () throws(StoreError) in try refresh() }
      guard let person = try failing({ () throws(StoreError) in try person(id) }) else { throw .deleted }
      let present = try failing { () throws(StoreError) in try person.contact }
      if let version, version != present.version {
        let base = try failing { () throws(StoreError) in try objects.store.contact(id, version: version) }
        throw .otherVersion(VersionConflict(base: base, theirs: present, change))
      }
      var contact = present
      change(&contact)
      return try write(contact, photo: .keep, to: person, as: name)
    }
  }

  // MARK: - One try

  private func add(_ edit: ContactEdit, as name: StepName?) throws(EditError) -> Int64 {
    // A contact whose row is gone is restored with the photo that it had.
    var photo = edit.photo
    if photo == .keep, let known = edit.basePhoto { photo = .set(known) }
    return try write(edit.mine, photo: photo, to: insertPerson(), as: name)
  }

  private func merge(_ edit: ContactEdit, into person: Person, as name: StepName?) throws(EditError) -> Int64 {
    let theirs = try failing { () throws(StoreError) in try person.contact }
    var mine = edit.mine
    mine.photo = edit.photo.summary(present: edit.base.photo)
    // Merge even if the version is the same: a program may have bypassed the triggers that increment it.
    var merge = ThreeWayMerge(base: edit.base, mine: mine, theirs: theirs)
    var merged = merge.run()
    if mine.uid != edit.base.uid { merged.uid = mine.uid }
    guard merge.conflicts.isEmpty else {
      rollback()
      throw .conflict(EditConflict(edit: edit, theirs: theirs, merged: merged, conflicts: merge.conflicts))
    }
    let hasTheirPhoto = merged.photo?.sha256 == theirs.photo?.sha256
    return try write(merged, photo: hasTheirPhoto ? .keep : edit.photo, to: person, as: name)
  }

  private func write(
    _ contact: Contact, photo: PhotoChange, to person: Person, as name: StepName?
  ) throws(EditError) -> Int64 {
    try failing { () throws(StoreError) in
      try person.apply(contact)
      switch photo {
      case .keep: if !person.isInserted { try objects.store.removePhotoMetadata(of: person) }
      case .remove: try person.setPhoto(nil)
      case .set(let photo): try person.setPhoto(photo)
      }
    }
    guard hasChanges else { return person.id }
    let policy = mergePolicy
    mergePolicy = .error
    defer { mergePolicy = policy }
    do {
      try save(as: name)
    } catch {
      rollback()
      throw .failed(error)
    }
    return person.id
  }

  private func trying(_ body: () throws(EditError) -> Int64) throws(EditError) -> Int64 {
    for _ in 1..<Self.maximumAttempts {
      do {
        return try body()
      } catch {
        // A save is refused with a conflict only if others saved the contact after it was read.
        guard case .failed(.conflict) = error else { throw error }
      }
    }
    return try body()
  }

  private func failing<Value>(_ body: () throws(StoreError) -> Value) throws(EditError) -> Value {
    do {
      return try body()
    } catch {
      rollback()
      throw .failed(.store(error))
    }
  }
}
