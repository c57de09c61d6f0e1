/// A field, or a whole contact, that both sides of a merge changed in different ways.
public struct MergeConflict: Hashable, Sendable {
  /// What both sides changed.
  public enum Subject: Hashable, Sendable {
    /// A field, or one value of a list.
    case field(ContactField)
    /// The whole contact, which one side deleted and the other changed.
    case contact
  }

  /// The subject as one side has it.
  public enum Value: Hashable, Sendable {
    /// Absent: no such value, no date, no photo.
    case none
    /// A text, empty if it is absent; also the name of a kind.
    case text(String)
    /// A birthday.
    case day(PartialDate)
    /// A labeled value of a list.
    case labeled(LabeledValue)
    /// A postal address.
    case address(PostalAddress)
    /// The photo.
    case photo(PhotoSummary)
    /// A contact that exists, unchanged.
    case present
    /// A contact that exists, changed.
    case changed
    /// A contact that is deleted.
    case deleted
  }

  /// How the merge resolved the conflict.
  public enum Kept: String, Hashable, Sendable {
    /// Unresolved: each side keeps its own.
    case each
    /// Both sides get mine.
    case mine
    /// Both sides get theirs.
    case theirs
  }

  /// What both sides changed.
  public var subject: Subject
  /// The value when both sides were last the same.
  public var base: Value
  /// The value on this side.
  public var mine: Value
  /// The value on the other side.
  public var theirs: Value
  /// How the merge resolved the conflict.
  public var kept: Kept

  /// The JSON key of the field, or `contact`.
  public var fieldName: String {
    switch subject {
    case .field(let field): field.jsonKey
    case .contact: "contact"
    }
  }
}

extension Contact.Kind {
  /// `person` or `organization`: its name in JSON.
  public var name: String { self == .person ? "person" : "organization" }
}

extension Contact {
  /// Resolves a conflict of the merge that produced this contact: sets the field to the chosen value.
  ///
  /// In a list, the value of the conflict is replaced or added; ``MergeConflict/Value/none`` removes it. For a photo,
  /// only the summary is set, because a contact does not hold the photo itself. A conflict about the whole contact
  /// changes nothing.
  /// - Parameters:
  ///   - conflict: one of the merge's conflicts; each can be resolved once.
  ///   - value: one of its three values, or another value of the same kind.
  public mutating func resolve(_ conflict: MergeConflict, as value: MergeConflict.Value) {
    guard case .field(let field) = conflict.subject else { return }
    switch (field, value) {
    case (.text(let text), .text(let words)): self[text] = words
    case (.text(let text), .none): self[text] = ""
    case (.values(let list), .labeled(let item)):
      replace(in: list.property, conflict, Self.labeled, list.key, with: item)
    case (.values(let list), .none):
      replace(in: list.property, conflict, Self.labeled, list.key, with: nil)
    case (.special(.addresses), .address(let address)):
      replace(in: \.addresses, conflict, Self.address, \.key, with: address)
    case (.special(.addresses), .none): replace(in: \.addresses, conflict, Self.address, \.key, with: nil)
    case (.special(.birthday), .day(let day)): birthday = day
    case (.special(.birthday), .none): birthday = nil
    case (.special(.photo), .photo(let summary)): photo = summary
    case (.special(.photo), .none): photo = nil
    case (.special(.kind), .text(let name)): kind = Kind.allCases.first { $0.name == name } ?? kind
    default: break
    }
  }

  private static func labeled(_ value: MergeConflict.Value) -> LabeledValue? {
    if case .labeled(let item) = value { item } else { nil }
  }

  private static func address(_ value: MergeConflict.Value) -> PostalAddress? {
    if case .address(let address) = value { address } else { nil }
  }

  /// Replaces, adds or removes a value of a list. All values of a conflict are the same value with different labels, so
  /// its key finds it.
  private mutating func replace<Value>(
    in property: WritableKeyPath<Contact, [Value]>, _ conflict: MergeConflict,
    _ content: (MergeConflict.Value) -> Value?, _ key: (Value) -> ValueKey, with value: Value?
  ) {
    let known = [conflict.mine, conflict.theirs, conflict.base].lazy.compactMap(content).first
    let index = known.flatMap { known in self[keyPath: property].firstIndex { key($0) == key(known) } }
    switch (index, value) {
    case (let index?, let value?): self[keyPath: property][index] = value
    case (let index?, nil): self[keyPath: property].remove(at: index)
    case (nil, let value?): self[keyPath: property].append(value)
    case (nil, nil): break
    }
  }

  /// Returns the fields that differ from another state of this contact, in the order of `fields`.
  public func changedFields(since before: Contact) -> [ContactField] {
    ContactFields.standard.all.filter { field in
      switch field {
      case .text(let text): self[text] != before[text]
      case .values(let list): self[keyPath: list.property] != before[keyPath: list.property]
      case .special(.kind): kind != before.kind
      case .special(.addresses): addresses != before.addresses
      case .special(.birthday): birthday != before.birthday
      case .special(.groups): Set(groups) != Set(before.groups)
      case .special(.photo): photo?.sha256 != before.photo?.sha256
      case .special(.cardLines): cardLines != before.cardLines
      }
    }
  }
}
