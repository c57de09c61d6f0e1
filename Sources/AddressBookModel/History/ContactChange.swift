import Contacts
import GRDB
import Messages

/// What one step did to one contact.
public struct ContactChange: Sendable {
  /// What became of the contact.
  public enum Kind: String, Sendable {
    /// It was new.
    case added
    /// Fields changed.
    case changed
    /// It was deleted.
    case deleted
    /// It was deleted, and came back.
    case restored
  }

  /// The step.
  public let step: EditStep
  /// What became of the contact.
  public let kind: Kind
  /// The fields that changed; the others are empty in ``before`` and ``after``.
  public let fields: [ContactField]
  /// The changed fields as they were before the step.
  public let before: Contact
  /// The changed fields as they were after the step.
  public let after: Contact
  /// The names of the contacts that were merged into this one.
  public let merged: [String]
  /// The folders, if the contact was moved.
  public let folders: FolderMove?
  /// The version of the contact before the step; 0 if it was new.
  public let versionBefore: Int
  /// The version of the contact after the step.
  public let version: Int

  /// The names of the folders of a contact before and after it was moved; an empty name means that the contact was only
  /// in the book. Folders that the book no longer has are left out.
  public struct FolderMove: Hashable, Sendable {
    /// The folders before.
    public let before: [String]
    /// The folders afterwards.
    public let after: [String]
  }

  fileprivate init(step: EditStep, _ entry: EditEntry, merged: [String], folderNames: [Int64: String]) throws {
    self.step = step
    self.merged = merged
    versionBefore = entry.versionBefore
    version = entry.version
    kind =
      switch (entry.wasThere, entry.isThere) {
      case (true, false): .deleted
      case (false, true): entry.versionBefore == 0 ? .added : .restored
      default: .changed
      }
    let changes = entry.changes ?? .nothing
    fields = ContactFields.standard.all.filter { changes.changes($0.name) }
    before = try changes.before(in: Contact())
    after = try changes.after(in: Contact())
    folders = try changes.movedFolders().map { moved in
      FolderMove(
        before: moved.before.compactMap { folderNames[$0] }, after: moved.after.compactMap { folderNames[$0] })
    }
  }

  /// Returns a contact in which one field has the value from before the step.
  public func before(_ field: ContactField, in contact: Contact) throws -> Contact {
    try ContactDelta(from: before, to: after).only(field.name).before(in: contact)
  }

  /// Returns the differences, as text for the user.
  public func differences(in localization: Localization) -> [FieldDifference] {
    let ofFields = fields.map { FieldDifference($0, from: before, to: after, in: localization) }
    return (ofFields + (folders.map { [FieldDifference($0, in: localization)] } ?? [])).filter { !$0.isEmpty }
  }
}

extension ContactChange {
  /// Returns what happened to the contact, in lower case: `added`, `imported from people.csv`, `merged into 李小龙`.
  public func heading(in localization: Localization) -> String {
    switch step.kind {
    case .undo: localization.text("Change/undo", localization.text("Change/\(kind)"))
    case .redo: localization.text("Change/redo", localization.text("Change/\(kind)"))
    case .change: origin(in: localization) ?? localization.text("Change/\(kind)")
    }
  }

  /// Returns the heading if it says where the change comes from, or else the names of the changed fields.
  public func summary(in localization: Localization) -> String {
    if step.kind == .change, let origin = origin(in: localization) { return origin }
    let titles = differences(in: localization).map(\.title)
    return kind != .changed || titles.isEmpty ? heading(in: localization) : localization.list(titles)
  }

  /// Returns the heading of an import, a merge or a sync; nil for any other change.
  private func origin(in localization: Localization) -> String? {
    switch step.name.action {
    case .merge where kind == .changed && !merged.isEmpty:
      return localization.text("Change/merge.changed", localization.list(merged))
    case .importing, .sync, .merge:
      let key = "Change/\(step.name.action.rawValue).\(kind)"
      return localization.has(key) && !step.name.subject.isEmpty ? localization.text(key, step.name.subject) : nil
    default: return nil
    }
  }
}

extension AddressBook {
  /// Returns the last change to each contact that the history has.
  public func lastChanges(ofContacts ids: [Int64]) throws(StoreError) -> [Int64: ContactChange] {
    try store.read { db in
      let folderNames = try ContactFolder.names(db)
      return try ids.reduce(into: [:]) { found, id in
        found[id] = try Self.changes(db, ofContact: id, limit: 1, folderNames).first
      }
    }
  }

  /// Returns the history of a contact, the newest change first. Changes that other programs made with SQL, and new
  /// names of the contact's groups, are not in it.
  public func changes(ofContact id: Int64) throws(StoreError) -> [ContactChange] {
    try store.read { try Self.changes($0, ofContact: id, ContactFolder.names($0)) }
  }

  /// Returns what a step did to its contacts, the first ones by their ids.
  /// - Parameters:
  ///   - step: the step.
  ///   - limit: the maximum number of contacts.
  public func changes(
    ofStep step: EditStep, limit: Int
  ) throws(StoreError) -> [(name: String, change: ContactChange)] {
    try store.read { db in
      let folderNames = try ContactFolder.names(db)
      let entries = try EditEntry.fetch(db, step: step.id, after: .min, limit: limit).flatMap { entry in
        (entry.contact...(entry.last ?? entry.contact)).prefix(limit).map { id in
          var entry = entry
          entry.contact = id
          return entry
        }
      }
      let merged = step.name.action == .merge ? try Self.mergedNames(db, step.id) : []
      return try entries.prefix(limit).map { entry in
        let name = try String.fetchOne(
          db.cachedStatement(sql: "SELECT display_name FROM contact WHERE id = ?"), arguments: [entry.contact])
        return (name ?? "", try ContactChange(step: step, entry, merged: merged, folderNames: folderNames))
      }
    }
  }

  /// Returns a contact as it was in an earlier version; nil if the history does not reach back to it without a gap.
  public func contact(_ id: Int64, version: Int) throws(StoreError) -> Contact? {
    try store.contact(id, version: version)
  }

  /// Returns the last changes to a contact, the newest first.
  /// - Parameter limit: the maximum number; negative for all.
  package static func changes(
    _ db: Database, ofContact id: Int64, limit: Int = -1, _ folderNames: [Int64: String] = [:]
  ) throws -> [ContactChange] {
    let steps = try Row.fetchAll(
      db.cachedStatement(
        sql: """
          SELECT \(EditStep.columns) FROM edit_step WHERE id IN (
            SELECT step_id FROM edit_entry WHERE contact_id = ?1 AND (changes IS NOT NULL OR NOT was_there OR NOT is_there)
            UNION SELECT step_id FROM edit_entry WHERE last_id >= ?1 AND contact_id <= ?1)
          ORDER BY id DESC LIMIT ?2
          """), arguments: [id, limit]
    ).map { EditStep($0) }
    return try steps.map { step in
      let entry = try EditEntry.fetch(db, step: step.id, contact: id)
      return try ContactChange(
        step: step, entry ?? EditEntry(contact: id, wasThere: false, isThere: true, version: 1),
        merged: step.name.action == .merge ? mergedNames(db, step.id) : [], folderNames: folderNames)
    }
  }

  /// The names of the contacts that a step merged into another one, those that are still among the deleted contacts.
  private static func mergedNames(_ db: Database, _ step: Int64) throws -> [String] {
    try String.fetchAll(
      db.cachedStatement(
        sql: """
          SELECT display_name FROM edit_entry JOIN contact ON contact.id = contact_id
          WHERE step_id = ? AND was_there AND NOT is_there AND display_name <> '' ORDER BY contact_id LIMIT 5
          """), arguments: [step])
  }
}

/// The change to one field, as text for the user.
public struct FieldDifference: Hashable, Sendable {
  /// The localized name of the field.
  public let title: String
  /// The values that were removed.
  public let removed: [String]
  /// The values that were added.
  public let added: [String]

  /// The difference of a field between two states of a contact.
  public init(_ field: ContactField, from old: Contact, to new: Contact, in localization: Localization) {
    title = Self.title(of: field, in: localization)
    let (before, after) = (Self.texts(field, old, localization), Self.texts(field, new, localization))
    let difference = after.difference(from: before)
    removed = difference.removals.compactMap { if case .remove(_, let text, _) = $0 { text } else { nil } }
    added = difference.insertions.compactMap { if case .insert(_, let text, _) = $0 { text } else { nil } }
  }

  init(_ move: ContactChange.FolderMove, in localization: Localization) {
    title = localization.propertyName("folders", entity: "Person")
    func texts(_ names: [String]) -> [String] { names.map { $0.isEmpty ? localization.text("Folder/onlyHere") : $0 } }
    (removed, added) = (texts(move.before), texts(move.after))
  }

  /// True if no displayed value changed.
  public var isEmpty: Bool { removed.isEmpty && added.isEmpty }

  /// Returns one line: `note: old → new`, or each value with a plus or minus sign.
  public func line(in localization: Localization) -> String {
    let values =
      removed.count == 1 && added.count == 1
      ? "\(removed[0]) → \(added[0])" : localization.list(removed.map { "− \($0)" } + added.map { "+ \($0)" })
    return localization.titled(title, values)
  }

  package static func title(of field: ContactField, in localization: Localization) -> String {
    localization.propertyName(property(field), entity: "Person")
  }

  private static func property(_ field: ContactField) -> String {
    if case .text(let text) = field { text.title } else { field.name }
  }

  private static func texts(_ field: ContactField, _ contact: Contact, _ localization: Localization) -> [String] {
    func labeled(_ label: String, _ value: String) -> String { localization.noted(value, localization.label(label)) }
    let texts: [String] =
      switch field {
      case .text(let text): [contact[text]]
      case .values(let values): contact[keyPath: values.property].map { labeled($0.label, $0.value) }
      case .special(.kind): [localization.text("Kind/" + (contact.kind == .person ? "person" : "organization"))]
      case .special(.birthday): [contact.birthday?.iso ?? ""]
      case .special(.addresses): contact.addresses.map { labeled($0.label, $0.joined(by: ", ")) }
      case .special(.groups): contact.groups
      case .special(.photo):
        contact.photo.map { [localization.text("Photo/bytes", localization.grouped($0.bytes))] } ?? []
      case .special(.cardLines): contact.linesWithoutField()
      }
    return texts.filter { !$0.isEmpty }
  }
}

extension Localization {
  /// Returns the name of a field of a contact.
  public func title(of field: ContactField) -> String { FieldDifference.title(of: field, in: self) }

  /// Returns the names of fields as a list.
  package func titles(_ fields: [ContactField]) -> String { list(fields.map { title(of: $0) }.sorted()) }
}
