/// A contact as a plain value: edited by the form, represented in JSON, read by import and written by export.
///
/// It is independent of databases and contexts. `Person` is the corresponding managed object.
public struct Contact: Hashable, Sendable, Identifiable {
  /// The kind of contact.
  public enum Kind: Int, Hashable, Sendable, CaseIterable {
    /// A person, whose Han name begins with the family name.
    case person = 0
    /// A company, a club, an office.
    case organization = 1
  }

  /// The id in the book; 0 for a contact that was never saved.
  public var id: Int64 = 0
  /// The identity across books (vCard UID, verbatim); empty until the first save assigns one.
  public var uid = ""
  /// Person or organization.
  public var kind = Kind.person
  /// The full name (vCard FN), if it differs from the name made from the parts or, for an organization, from
  /// ``organization``; otherwise empty.
  public var formattedName = ""
  /// Honorific before the name, such as Dr.
  public var prefix = ""
  /// Given name.
  public var given = ""
  /// Middle or additional names.
  public var middle = ""
  /// Family name.
  public var family = ""
  /// Suffix after the name, such as Jr. or PhD.
  public var suffix = ""
  /// Phonetic given name; it affects section, order and search.
  public var phoneticGiven = ""
  /// Phonetic middle name.
  public var phoneticMiddle = ""
  /// Phonetic family name.
  public var phoneticFamily = ""
  /// Nickname.
  public var nickname = ""
  /// The person's company or other organization; for an organization, its own name.
  public var organization = ""
  /// Part of the organization.
  public var department = ""
  /// Job title.
  public var title = ""
  /// How others speak of the person: `she/her`.
  public var pronouns = ""
  /// The grammatical gender to address the contact with (RFC 9554, 3.2): `feminine`.
  public var grammaticalGender = ""
  /// Birthday, possibly without a year.
  public var birthday: PartialDate?
  /// Free text, several lines.
  public var note = ""
  /// Phone numbers, in the user's order.
  public var phones: [LabeledValue] = []
  /// Email addresses, in the user's order.
  public var emails: [LabeledValue] = []
  /// Postal addresses.
  public var addresses: [PostalAddress] = []
  /// Websites.
  public var urls: [LabeledValue] = []
  /// Dates such as an anniversary; each value in the form of ``PartialDate/iso``.
  public var dates: [LabeledValue] = []
  /// Social accounts: in chat services and social networks.
  public var handles: [LabeledValue] = []
  /// Related people by name: spouse, assistant, child.
  public var related: [LabeledValue] = []
  /// The languages to write or speak to the contact in, in their order: `de`, `zh-Hans`.
  public var languages: [LabeledValue] = []
  /// Fields of the user's own: each label is the name of a field (``CustomFields``).
  public var custom: [LabeledValue] = []
  /// Names of its groups, sorted.
  public var groups: [String] = []
  /// A summary of the photo, which is loaded separately.
  public var photo: PhotoSummary?
  /// The lines of the vCard that the contact came in, verbatim and in their order, so that it can be written again as
  /// it came. The version is first, unless it is 3.0. The line of a stored photo has its digest instead of its bytes.
  public var cardLines: [String] = []
  /// The number of saves; it tells which state of the contact an edit is based on.
  public var version = 0
  /// First save, ISO 8601 in UTC; empty until then.
  public var created = ""
  /// Last save, ISO 8601 in UTC; empty until then.
  public var modified = ""
  /// When the contact last wrote or was written to, ISO 8601 in UTC; empty if that is not known. A save does not change it.
  public var contacted = ""
  /// The values of fields that only a test adds to the table (`ContactFields.rows`), by their names; otherwise nil.
  var trial: [String: [LabeledValue]]?

  /// Creates an empty contact.
  public init() {}
}

/// The properties of a photo that lists and JSON use without loading it.
public struct PhotoSummary: Hashable, Sendable, Codable {
  /// Its media type, such as `image/png`.
  public var mediaType: String
  /// Size of the stored photo in bytes.
  public var bytes: Int
  /// SHA-256 of the stored photo, in lower-case hexadecimal.
  public var sha256: String

  /// Creates a summary of a photo.
  public init(mediaType: String, bytes: Int, sha256: String) {
    self.mediaType = mediaType
    self.bytes = bytes
    self.sha256 = sha256
  }
}
