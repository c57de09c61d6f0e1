/// One entry of the address book as a plain value: what the form edits, JSON shows, import reads and export writes.
///
/// It knows neither a database nor a context. `Person` is the managed object of the same entry.
public struct Contact: Hashable, Sendable, Identifiable {
  /// What an entry stands for.
  public enum Kind: Int, Hashable, Sendable, CaseIterable {
    /// A human being: a Han name begins with the family name.
    case person = 0
    /// A company, a club, an office.
    case organization = 1
  }

  /// The row's identity in the book; 0 for one that was never saved.
  public var id: Int64 = 0
  /// The identity in every book (vCard UID, exact text); empty until the first save gives one.
  public var uid = ""
  /// Person or organization.
  public var kind = Kind.person
  /// The full name where it differs from the name that the parts make (vCard FN); empty otherwise.
  public var formattedName = ""
  /// Honorific before the name, such as Dr.
  public var prefix = ""
  /// Given name.
  public var given = ""
  /// Middle or additional names.
  public var middle = ""
  /// Family name.
  public var family = ""
  /// After the name, such as Jr. or PhD.
  public var suffix = ""
  /// How the given name is said; it corrects section, order and search.
  public var phoneticGiven = ""
  /// Phonetic middle name.
  public var phoneticMiddle = ""
  /// Phonetic family name.
  public var phoneticFamily = ""
  /// What friends say.
  public var nickname = ""
  /// Company or other body that the person belongs to.
  public var organization = ""
  /// Part of the organization.
  public var department = ""
  /// Position in the organization.
  public var title = ""
  /// Day of birth, its year perhaps unknown.
  public var birthday: PartialDate?
  /// Free text, several lines.
  public var note = ""
  /// Telephone numbers in the person's order.
  public var phones: [LabelledValue] = []
  /// Email addresses in the person's order.
  public var emails: [LabelledValue] = []
  /// Postal addresses.
  public var addresses: [PostalAddress] = []
  /// Links.
  public var urls: [LabelledValue] = []
  /// Dates such as an anniversary; each value in the form of ``PartialDate/iso``.
  public var dates: [LabelledValue] = []
  /// Names in chat services and social networks.
  public var handles: [LabelledValue] = []
  /// Related people by name: spouse, assistant, child.
  public var related: [LabelledValue] = []
  /// Names of the groups it belongs to, in order of name.
  public var groups: [String] = []
  /// What is known of the picture, which is loaded apart.
  public var photo: PhotoSummary?
  /// vCard lines kept to the letter for export: unknown properties, and known ones that carry more than the model holds.
  public var cardLines: [String] = []
  /// Counts saves; a save says which one it was made from.
  public var version = 0
  /// First save, ISO 8601 in UTC; empty until then.
  public var created = ""
  /// Last save, ISO 8601 in UTC; empty until then.
  public var modified = ""

  /// An empty entry.
  public init() {}
}

/// What a list or JSON says of a picture without loading it.
public struct PhotoSummary: Hashable, Sendable, Codable {
  /// Its kind, such as `image/png`.
  public var mediaType: String
  /// Size of the stored picture in bytes.
  public var bytes: Int
  /// SHA-256 of the stored picture, in small hexadecimal letters.
  public var sha256: String

  /// A summary of a picture.
  public init(mediaType: String, bytes: Int, sha256: String) {
    self.mediaType = mediaType
    self.bytes = bytes
    self.sha256 = sha256
  }
}
