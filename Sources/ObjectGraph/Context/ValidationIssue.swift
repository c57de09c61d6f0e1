/// One reason why an object cannot be saved.
public struct ValidationIssue: Hashable, Sendable {
  /// The rule that is broken.
  public enum Rule: Hashable, Sendable {
    /// Nil, or an empty to-many, where a value is required.
    case missing
    /// Less than the minimum.
    case tooSmall(Value)
    /// Greater than the maximum.
    case tooLarge(Value)
    /// Fewer Unicode scalars than this minimum.
    case tooShort(Int)
    /// More Unicode scalars than this maximum.
    case tooLong(Int)
    /// The text does not match the attribute's pattern.
    case pattern
    /// Fewer objects than this minimum.
    case tooFew(Int)
    /// More objects than this maximum.
    case tooMany(Int)
    /// The object cannot be deleted, because a relationship with the rule `deny` still has this many objects.
    case denied(Int)
    /// A rule of the model is broken; this is its message.
    case rule(String)
  }

  /// The object that cannot be saved.
  public let object: ObjectID
  /// The property; empty for a rule of the entity.
  public let property: String
  /// The rule that is broken.
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

  /// The bound of the rule, or the number of objects for `denied`; nil for `missing`, `pattern` and `rule`.
  public var argument: Value? {
    switch self {
    case .missing, .pattern, .rule: nil
    case .tooSmall(let bound), .tooLarge(let bound): bound
    case .tooShort(let bound), .tooLong(let bound), .tooFew(let bound), .tooMany(let bound), .denied(let bound):
      .integer(Int64(bound))
    }
  }
}
