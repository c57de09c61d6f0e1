import Contacts
import Messages

extension AddressBook {
  /// Returns what ``merge(_:choices:in:localization:)`` would make of the contacts now.
  /// - Parameters:
  ///   - ids: the ids of two or more different contacts; the others are merged into the first.
  ///   - choices: for each part that is chosen, the id of the contact that it is taken from.
  ///   - localization: the language of the lines that the merge adds to the note.
  public func mergePreview(
    _ ids: [Int64], choices: [DuplicateMerge.Part: Int64] = [:], localization: Localization = .shared
  ) throws(EditError) -> DuplicateMerge {
    try store.editing {
      let contacts = Dictionary(try contacts(ids: ids).map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
      return try Self.merge(ids, choices, localization) { contacts[$0] }
    }
  }

  /// Merges contacts into the first one and deletes the others, as one step of the history. `DuplicateMerge`
  /// says which values are kept.
  /// - Parameters:
  ///   - ids: the ids of two or more different contacts.
  ///   - choices: for each part that is chosen, the id of the contact that it is taken from.
  ///   - session: the session of the new step.
  ///   - localization: the language of the labels that the merge adds.
  public func merge(
    _ ids: [Int64], choices: [DuplicateMerge.Part: Int64] = [:], in session: EditSession? = nil,
    localization: Localization = .shared
  ) throws(EditError) {
    try store.editing {
      let name = try ids.first.flatMap { try contact(id: $0)?.displayName } ?? ""
      try bulkWrite(groups: .replace, as: StepName(.merge, name), in: session) { writer in
        let merge = try Self.merge(ids, choices, localization) { id in
          guard let state = try writer.state(of: id), !state.isDeleted else { return nil }
          return try writer.content(of: id)
        }
        let taken = merge.photoSource.flatMap { $0 == merge.merged.id ? nil : $0 }
        try writer.write(merge.merged, photo: try taken.flatMap(writer.photo))
        try Self.mergeLastContact(of: Array(ids.dropFirst()), into: ids[0], writer.db)
        for id in ids.dropFirst() { try writer.delete(id) }
      }
    }
  }

  private static func merge(
    _ ids: [Int64], _ choices: [DuplicateMerge.Part: Int64], _ localization: Localization,
    _ contact: (Int64) throws -> Contact?
  ) throws -> DuplicateMerge {
    let contacts = try ids.map { id in
      guard let found = try contact(id) else { throw EditError.missing(String(id)) }
      return found
    }
    guard let first = contacts.first else { throw EditError.missing("0") }
    return DuplicateMerge(first, Array(contacts.dropFirst()), choices: choices) { field, value in
      localization.text("Merge/noteLine", localization.name(of: field), value)
    }
  }
}

extension Localization {
  /// Returns the localized name of a field.
  public func name(of field: ContactField) -> String {
    switch field {
    case .text(let text): propertyName(text.title, entity: "Person")
    case .values(let values): propertyName(values.name, entity: "Person")
    case .special(let special): propertyName(special.rawValue, entity: "Person")
    }
  }

  /// Returns the localized name of what two contacts share.
  public func name(of reason: DuplicateReason) -> String {
    switch reason {
    case .name: propertyName("name", entity: "Person")
    case .email: propertyName("emails.one", entity: "Person")
    case .phone: propertyName("phones.one", entity: "Person")
    case .handle: propertyName("handles.one", entity: "Person")
    case .link: propertyName("urls.one", entity: "Person")
    case .address: propertyName("addresses.one", entity: "Person")
    case .organization: propertyName("organizationName", entity: "Person")
    case .birthday: propertyName("birthday", entity: "Person")
    }
  }
}
