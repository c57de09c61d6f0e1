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
