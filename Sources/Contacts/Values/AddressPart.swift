/// The parts of a postal address, in the order in which a form asks for them.
public enum AddressPart: String, CaseIterable, Sendable {
  case street, extended, poBox, city, region, postalCode, country

  /// In the order of vCard's ADR (RFC 6350, 6.3.1), which JSON and the columns of an address have too.
  public static let inCardOrder: [AddressPart] = [.poBox, .extended, .street, .city, .region, .postalCode, .country]

  /// Column of the table of addresses.
  public var column: String {
    switch self {
    case .poBox: "po_box"
    case .postalCode: "postal_code"
    default: rawValue
    }
  }
}

extension PostalAddress {
  /// The text of a part.
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

  /// An address of these texts, each part by itself.
  public init(label: String = "", _ text: (AddressPart) throws -> String) rethrows {
    self.init(label: label)
    for part in AddressPart.inCardOrder { self[part] = try text(part) }
  }

  /// True when no part holds text; the label does not count.
  public var isEmpty: Bool { AddressPart.inCardOrder.allSatisfy { self[$0].isEmpty } }

  /// The parts that hold text in the order of ``AddressPart/inCardOrder``, with a text between them.
  public func joined(by separator: String = " ") -> String {
    AddressPart.inCardOrder.map { self[$0] }.filter { !$0.isEmpty }.joined(separator: separator)
  }
}
