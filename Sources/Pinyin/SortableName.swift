/// What the section and the place of a contact depend on. Absent fields are "".
public struct SortableName: Hashable, Sendable {
  /// Whose name it is: only a person's begins with a surname.
  public enum Kind: Hashable, Sendable {
    /// A human being.
    case person
    /// A company, a shop, a service.
    case organization
  }

  /// Whose name it is.
  public var kind: Kind
  /// The name as the list shows it.
  public var displayName: String
  /// The family name, when it is known apart.
  public var family: String
  /// The given name, when it is known apart.
  public var given: String
  /// Phonetic family name, in Latin letters, pinyin or characters. It takes precedence over the name itself.
  public var phoneticFamily: String
  /// Phonetic given name.
  public var phoneticGiven: String
  /// The organization, which stands in for a missing name.
  public var organization: String
  /// The nickname, which stands in for a missing organization.
  public var nickname: String
  /// The first email address, which stands in for a missing nickname.
  public var email: String
  /// The first phone number, which stands in for a missing email address.
  public var phone: String

  /// A name of the fields given; the others are "".
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
