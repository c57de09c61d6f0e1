/// The value of a request's section key, which is a section's identity.
public enum SectionValue: Hashable, Sendable {
  /// SQL NULL, and the one section of an unsectioned list.
  case null
  /// A whole number; a real number without a fraction counts as one too.
  case integer(Int64)
  /// A real number.
  case real(Double)
  /// Text, compared byte for byte.
  case text(String)
  /// Bytes.
  case blob([UInt8])
}

/// One section of a list.
public struct SectionInfo: Hashable, Sendable {
  /// What the controller's `titles` closure makes of the value.
  public let title: String
  /// The section's identity.
  public let value: SectionValue
  /// The number of rows, at least 1 except in the one section of an empty unsectioned list.
  public let count: Int
}

extension SectionValue {
  /// The value as text: nothing for NULL and blobs.
  public var plainTitle: String {
    switch self {
    case .null, .blob: ""
    case .integer(let value): String(value)
    case .real(let value): String(value)
    case .text(let value): value
    }
  }
}
