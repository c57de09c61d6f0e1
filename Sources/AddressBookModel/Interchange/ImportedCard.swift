import VCard

/// A vCard as the address book understands it.
public struct ImportedCard: Sendable {
  /// What a card stands for.
  public enum Kind: Hashable, Sendable {
    /// A person or an organisation.
    case contact
    /// A group by name, whose members are other cards by UID, to the letter; compare with ``UIDReference``.
    case group(name: String, memberUIDs: [String])
  }

  /// A picture of the card.
  public struct Photo: Hashable, Sendable {
    /// By the first bytes, whatever the card says: `image/jpeg`; empty when they are of no picture format that is known.
    public var mediaType: String
    /// The picture as it stands in the card.
    public var bytes: [UInt8]

    /// A picture of a type.
    public init(mediaType: String, bytes: [UInt8]) {
      self.mediaType = mediaType
      self.bytes = bytes
    }
  }

  /// Contact or group.
  public var kind = Kind.contact
  /// The entry; it holds no identity in the book, no photo summary and no times.
  public var contact = Contact()
  /// The first picture that stands in the card. Pictures elsewhere (`http:`, `file:`) are never fetched.
  public var photo: Photo?
  /// What was wrong, the findings of the reader first.
  public var diagnostics: [Diagnostic] = []
  /// Line of the input where the card begins.
  public var lineNumber = 0

  /// An empty entry.
  public init() {}
}

/// A UID as MEMBER and RELATED refer to it.
public enum UIDReference {
  /// The UID without `urn:uuid:` and in small letters, for comparing: programs write one identity in these forms
  /// (RFC 6350, 6.6.5 and 6.7.6). Never for storing.
  public static func normalized(_ uid: String) -> String {
    let text = uid.lowercased()
    return text.hasPrefix("urn:uuid:") ? String(text.dropFirst(9)) : text
  }
}
