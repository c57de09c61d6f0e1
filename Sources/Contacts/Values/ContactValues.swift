/// A value with a label, such as a phone number, an email address or a website.
public struct LabeledValue: Hashable, Sendable, Codable {
  /// The kind of value: `mobile`, `home`, `work`, or a custom label. Empty if there is none.
  ///
  /// The standard labels are stored in English and in lower case, and displayed in the user's language.
  public var label: String
  /// The value as typed.
  public var value: String

  /// Creates a value with its label.
  public init(label: String = "", value: String) {
    self.label = label
    self.value = value
  }
}

/// A postal address in the parts of vCard's ADR (RFC 6350, 6.3.1), with a label.
public struct PostalAddress: Hashable, Sendable, Codable {
  /// The labels that a new address can have.
  public static let labels = ["home", "work", "school", "other"]

  /// `home`, `work` or a custom label; empty if there is none.
  public var label: String
  /// Post office box.
  public var poBox: String
  /// Apartment, suite; RFC 6350 advises against it, but old cards use it.
  public var extended: String
  /// Street and number; may have several lines.
  public var street: String
  /// City or locality.
  public var city: String
  /// State, province or prefecture.
  public var region: String
  /// Postal code.
  public var postalCode: String
  /// Name of the country.
  public var country: String

  /// Creates an address with these parts.
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

/// The parts of a postal address, in the order of a form.
public enum AddressPart: String, CaseIterable, Sendable {
  case street, extended, poBox, city, region, postalCode, country

  /// The parts in the order of vCard's ADR (RFC 6350, 6.3.1), which JSON and the columns of an address share.
  public static let inCardOrder: [AddressPart] = [.poBox, .extended, .street, .city, .region, .postalCode, .country]

  /// Column of the addresses table.
  public var column: String {
    switch self {
    case .poBox: "po_box"
    case .postalCode: "postal_code"
    default: rawValue
    }
  }
}

extension PostalAddress {
  /// Accesses the text of a part.
  public subscript(part: AddressPart) -> String {
    get {
      switch part {
      case .street: street
      case .extended: extended
      case .poBox: poBox
      case .city: city
      case .region: region
      case .postalCode: postalCode
      case .country: country
      }
    }
    set {
      switch part {
      case .street: street = newValue
      case .extended: extended = newValue
      case .poBox: poBox = newValue
      case .city: city = newValue
      case .region: region = newValue
      case .postalCode: postalCode = newValue
      case .country: country = newValue
      }
    }
  }

  /// Creates an address whose parts come from a closure.
  public init(label: String = "", _ text: (AddressPart) throws -> String) rethrows {
    self.init(label: label)
    for part in AddressPart.inCardOrder { self[part] = try text(part) }
  }

  /// Whether no part contains text; the label is ignored.
  public var isEmpty: Bool { AddressPart.inCardOrder.allSatisfy { self[$0].isEmpty } }

  /// Returns the non-empty parts in the order of ``AddressPart/inCardOrder``, joined by a separator.
  public func joined(by separator: String = " ") -> String {
    AddressPart.inCardOrder.map { self[$0] }.filter { !$0.isEmpty }.joined(separator: separator)
  }
}
