extension DuplicateMerge {
  /// A part that a merged contact has only once. It can be taken from any of the contacts.
  ///
  /// Notes are joined, so there is nothing to choose. A photo cannot be chosen: the first contact's photo would be
  /// lost, because a note cannot hold it.
  public enum Part: Hashable, Sendable {
    /// Person or organization.
    case kind
    /// All parts of the name, the full name and the phonetic names.
    case name
    /// Organization, department and job title.
    case employment
    /// One other text, such as the nickname.
    case text(ContactField.Text)
    /// The birthday.
    case birthday

    /// Creates the part that a field belongs to; nil for lists, notes, groups, the photo and the lines of the card.
    public init?(_ field: ContactField) {
      switch field {
      case .special(.kind): self = .kind
      case .special(.birthday): self = .birthday
      case .special, .values: return nil
      case .text(let text):
        switch text.role {
        case .namePart, .fullName, .phonetic: self = .name
        case .employment: self = .employment
        case .detail: self = .text(text)
        case .prose: return nil
        }
      }
    }
  }
}

extension Contact {
  mutating func copy(_ part: DuplicateMerge.Part, from other: Contact) {
    switch part {
    case .kind: kind = other.kind
    case .birthday: birthday = other.birthday
    case .name, .employment, .text:
      for text in ContactFields.standard.texts where DuplicateMerge.Part(.text(text)) == part {
        self[text] = other[text]
      }
    }
  }
}
