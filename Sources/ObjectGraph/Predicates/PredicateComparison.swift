/// One comparison: `ANY courses.name BEGINSWITH[cd] 'ca'`.
public struct PredicateComparison: Codable, Hashable, Sendable {
  /// How many elements of a to-many path must pass.
  public enum Quantifier: String, Codable, Hashable, Sendable {
    /// At least one element; also written SOME.
    case any
    /// Every element; true if there are none.
    case all
    /// No element.
    case none
  }

  /// How the two sides are compared.
  public enum Operator: String, Codable, Hashable, Sendable, CaseIterable {
    /// `=` or `==`; with the constant nil: the value is absent.
    case equal
    /// `!=` or `<>`; with the constant nil: the value is present.
    case notEqual
    /// `<`
    case less
    /// `<=` or `=<`
    case lessOrEqual
    /// `>`
    case greater
    /// `>=` or `=>`
    case greaterOrEqual
    /// The left side is equal to an element of the right.
    case `in`
    /// The left string begins with the right.
    case beginsWith
    /// The left string ends with the right.
    case endsWith
    /// The left string contains the right, or the left to-many path contains the object on the right.
    case contains
    /// The whole left string matches the pattern on the right, with `*` and `?`.
    case like
    /// The whole left string matches the regular expression on the right.
    case matches
    /// Between the two bounds of the list on the right, inclusive.
    case between
  }

  /// The quantifier before a to-many left side, if any.
  public var quantifier: Quantifier?
  /// The offset of the quantifier.
  public var quantifierOffset = SourceOffset()
  /// The left side.
  public var left: PredicateTerm
  /// How the sides are compared.
  public var `operator`: Operator
  /// The offset of the operator.
  public var operatorOffset = SourceOffset()
  /// How strings are folded before they are compared.
  public var options: TextOptions
  /// The right side.
  public var right: PredicateTerm

  /// Creates a comparison without offsets.
  public init(
    _ left: PredicateTerm, _ operator: Operator, _ right: PredicateTerm, options: TextOptions = [],
    quantifier: Quantifier? = nil
  ) {
    self.left = left
    self.operator = `operator`
    self.right = right
    self.options = options
    self.quantifier = quantifier
  }
}
