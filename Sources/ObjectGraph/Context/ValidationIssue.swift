/// One reason why an object cannot be saved.
public struct ValidationIssue: Hashable, Sendable {
  /// What is wrong with a value.
  public enum Rule: Hashable, Sendable {
    /// Nil, or an empty to-many, where a value is needed.
    case missing
    /// Below the least value.
    case tooSmall(Value)
    /// Above the greatest value.
    case tooLarge(Value)
    /// Fewer Unicode scalars than these.
    case tooShort(Int)
    /// More Unicode scalars than these.
    case tooLong(Int)
    /// The text does not match the attribute's pattern.
    case pattern
    /// Fewer objects than these.
    case tooFew(Int)
    /// More objects than these.
    case tooMany(Int)
    /// The object is deleted, and so many objects still refer to it by a relationship that denies that.
    case denied(Int)
    /// A rule of the model is false; this is its message.
    case rule(String)
  }

  /// The object.
  public let object: ObjectID
  /// The property; empty for a rule of the entity.
  public let property: String
  /// What is wrong.
  public let rule: Rule
}

extension ValidationIssue.Rule {
  /// The key of the message below `ErrorString/`: `missing`, `tooLong` …, or the message of a rule.
  public var message: String {
    switch self {
    case .missing: "missing"
    case .tooSmall: "tooSmall"
    case .tooLarge: "tooLarge"
    case .tooShort: "tooShort"
    case .tooLong: "tooLong"
    case .pattern: "pattern"
    case .tooFew: "tooFew"
    case .tooMany: "tooMany"
    case .denied: "denied"
    case .rule(let message): message
    }
  }

  /// The bound that was passed, or the number of objects that are left.
  public var argument: Value? {
    switch self {
    case .missing, .pattern, .rule: nil
    case .tooSmall(let bound), .tooLarge(let bound): bound
    case .tooShort(let bound), .tooLong(let bound), .tooFew(let bound), .tooMany(let bound), .denied(let bound):
      .integer(Int64(bound))
    }
  }
}
