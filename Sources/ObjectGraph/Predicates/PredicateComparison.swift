/// One comparison: `ANY courses.name BEGINSWITH[cd] 'ca'`.
public struct PredicateComparison: Codable, Hashable, Sendable {
  /// How many of the elements of a to-many path must pass.
  public enum Quantifier: String, Codable, Hashable, Sendable {
    /// At least one element; also written SOME.
    case any
    /// Every element, so also no element.
    case all
    /// No element.
    case none
  }

  /// What is asked of the two sides.
  public enum Operator: String, Codable, Hashable, Sendable, CaseIterable {
    /// `=` or `==`; with the constant nil: there is no value.
    case equal
    /// `!=` or `<>`; with the constant nil: there is a value.
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
    /// The left text begins with the right.
    case beginsWith
    /// The left text ends with the right.
    case endsWith
    /// The left text contains the right, or the left to-many path has the object on the right.
    case contains
    /// The whole left text matches `*` and `?` of the right.
    case like
    /// The whole left text matches the regular expression on the right.
    case matches
    /// Between the two bounds of the list on the right, which count.
    case between
  }

  /// For a to-many left side; nil for one value.
  public var quantifier: Quantifier?
  /// Where the quantifier stands.
  public var quantifierOffset = SourceOffset()
  /// The left side.
  public var left: PredicateTerm
  /// What is asked.
  public var `operator`: Operator
  /// Where the operator stands.
  public var operatorOffset = SourceOffset()
  /// How texts are folded first.
  public var options: TextOptions
  /// The right side.
  public var right: PredicateTerm

  /// A comparison without offsets.
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
