/// A phone number, an email address, a link …: a value with the label that says which one it is.
public struct LabelledValue: Hashable, Sendable, Codable {
  /// What kind of value it is to the person: `mobile`, `home`, `work`, or a label of their own. Empty when there is none.
  ///
  /// The standard labels are stored in English and in small letters, and shown in the person's language.
  public var label: String
  /// The value as it was typed.
  public var value: String

  /// A value with its label.
  public init(label: String = "", value: String) {
    self.label = label
    self.value = value
  }
}

/// A postal address in the parts of vCard's ADR (RFC 6350, 6.3.1), with a label.
public struct PostalAddress: Hashable, Sendable, Codable {
  /// `home`, `work` or a label of the person's own; empty when there is none.
  public var label: String
  /// Post office box.
  public var poBox: String
  /// Apartment, suite; RFC 6350 advises against it but old cards hold it.
  public var extended: String
  /// Street and number; may hold several lines.
  public var street: String
  /// City or locality.
  public var city: String
  /// State, province or prefecture.
  public var region: String
  /// Postal code.
  public var postalCode: String
  /// Country by name.
  public var country: String

  /// An address with these parts.
  public init(
    label: String = "", poBox: String = "", extended: String = "", street: String = "", city: String = "",
    region: String = "", postalCode: String = "", country: String = ""
  ) {
    self.label = label
    self.poBox = poBox
    self.extended = extended
    self.street = street
    self.city = city
    self.region = region
    self.postalCode = postalCode
    self.country = country
  }
}
