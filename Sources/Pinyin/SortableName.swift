/// The fields that a contact's section and position depend on. Absent fields are "".
public struct SortableName: Hashable, Sendable {
  /// The kind of contact: only a person's name begins with a surname.
  public enum Kind: Hashable, Sendable {
    /// A person.
    case person
    /// A company, a shop, a service.
    case organization
  }

  /// The kind of contact.
  public var kind: Kind
  /// The name as displayed in the list.
  public var displayName: String
  /// The family name, if it is known separately.
  public var family: String
  /// The given name, if it is known separately.
  public var given: String
  /// Phonetic family name, in Latin letters, pinyin or characters. It takes precedence over the name itself.
  public var phoneticFamily: String
  /// Phonetic given name.
  public var phoneticGiven: String
  /// The organization, used if there is no name.
  public var organization: String
  /// The nickname, used if there is no organization.
  public var nickname: String
  /// The first email address, used if there is no nickname.
  public var email: String
  /// The first phone number, used if all others are empty.
  public var phone: String

  /// Creates a name with the given fields; the others are "".
  public init(
    kind: Kind = .person, displayName: String = "", family: String = "", given: String = "",
    phoneticFamily: String = "",
    phoneticGiven: String = "", organization: String = "", nickname: String = "", email: String = "", phone: String = ""
  ) {
    self.kind = kind
    self.displayName = displayName
    self.family = family
    self.given = given
    self.phoneticFamily = phoneticFamily
    self.phoneticGiven = phoneticGiven
    self.organization = organization
    self.nickname = nickname
    self.email = email
    self.phone = phone
  }
}
