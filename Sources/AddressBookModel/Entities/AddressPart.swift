/// The parts of a postal address, in the order in which a form asks for them.
public enum AddressPart: String, CaseIterable, Sendable {
  case street, extended, poBox, city, region, postalCode, country

  /// Where the address keeps it.
  public var keyPath: WritableKeyPath<PostalAddress, String> {
    switch self {
    case .street: \.street
    case .extended: \.extended
    case .poBox: \.poBox
    case .city: \.city
    case .region: \.region
    case .postalCode: \.postalCode
    case .country: \.country
    }
  }
}
