import Synchronization

/// The value of a request's section key, which is a section's identity.
public enum SectionValue: Hashable, Sendable {
  /// SQL NULL, and the one section of an unsectioned list.
  case null
  /// An integer; a real number without a fraction counts as one too.
  case integer(Int64)
  /// A real number.
  case real(Double)
  /// Text, compared byte for byte.
  case text(String)
  /// Bytes.
  case blob([UInt8])
}

extension SectionValue {
  /// Compares texts byte for byte: Swift considers canonically equivalent strings equal even if their bytes differ.
  public static func == (left: SectionValue, right: SectionValue) -> Bool {
    switch (left, right) {
    case (.null, .null): true
    case (.integer(let left), .integer(let right)): left == right
    case (.real(let left), .real(let right)): left == right
    case (.text(let left), .text(let right)): left.utf8.elementsEqual(right.utf8)
    case (.blob(let left), .blob(let right)): left == right
    default: false
    }
  }

  /// Hashes what `==` compares.
  public func hash(into hasher: inout Hasher) {
    switch self {
    case .null: hasher.combine(0)
    case .integer(let value): hasher.combine(value)
    case .real(let value): hasher.combine(value)
    case .text(var value): value.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
    case .blob(let value): hasher.combine(value)
    }
  }
}

/// One section of a list.
public struct SectionInfo: Hashable, Sendable {
  /// The title that the controller's `titles` closure made from the value.
  public let title: String
  /// The section's identity.
  public let value: SectionValue
  /// The number of rows, at least 1 except in the one section of an empty unsectioned list.
  public let count: Int
}

extension SectionValue {
  /// The value as text; empty for NULL and blobs.
  public var plainTitle: String {
    switch self {
    case .null, .blob: ""
    case .integer(let value): String(value)
    case .real(let value): String(value)
    case .text(let value): value
    }
  }
}

/// Keeps one spelling for all strings that a section column's collation considers equal (NOCASE, RTRIM): the first one
/// seen. It is the section's value for the lifetime of the controller, whichever of its rows comes first.
final class SectionSpelling: Sendable {
  private let spellings = Mutex<[[UInt8]: SectionValue]>([:])

  /// The section of a string, for a column with a collation other than BINARY.
  func section(_ text: UnsafeBufferPointer<UInt8>, _ collation: FetchPlan.Collation) -> SectionValue {
    let key: [UInt8] =
      switch collation {
      case .binary: Array(text)
      case .noCase: text.map { $0 >= 0x41 && $0 <= 0x5A ? $0 | 0x20 : $0 }
      case .rightTrim: Array(text[..<((text.lastIndex { $0 != 0x20 } ?? -1) + 1)])
      }
    return spellings.withLock { spellings in
      if let known = spellings[key] { return known }
      let new = SectionValue.text(String(decoding: text, as: UTF8.self))
      spellings[key] = new
      return new
    }
  }
}
