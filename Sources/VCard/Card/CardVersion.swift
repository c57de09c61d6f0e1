/// A version of the vCard format that this module reads and writes.
public enum CardVersion: String, Sendable, Hashable, CaseIterable {
  /// vCard 2.1 of the versit Consortium (1996): bare types, quoted-printable, a charset for each property.
  case v21 = "2.1"
  /// RFC 2426 (1998), what most programs exchange.
  case v30 = "3.0"
  /// RFC 6350 (2011).
  case v40 = "4.0"
}
