/// The description of an attribute of an entity.
public struct AttributeDescription: Codable, Hashable, Sendable {
  /// The key of the attribute.
  public var name: String
  /// The type of its values.
  public var type: AttributeType
  /// Whether a save accepts nil.
  public var isOptional = true
  /// The value in a new object.
  public var defaultValue = Value.null
  /// Whether the attribute lives only in the context, with undo and validation, and not in the store. Requests cannot
  /// use it.
  public var isTransient = false
  /// Whether the attribute is hidden from predicates and requests, for values that the program derives. It is stored
  /// like any other.
  @DefaultFalse public var isHidden = false
  /// The smallest number or date allowed.
  public var minimum: Value?
  /// The largest number or date allowed.
  public var maximum: Value?
  /// The minimum length of a string in Unicode scalars.
  public var minimumLength: Int?
  /// The maximum length of a string in Unicode scalars.
  public var maximumLength: Int?
  /// An ICU regular expression that the whole string must match.
  public var pattern: String?
  /// Conditions on the value.
  public var rules: [ValidationRule] = []
  /// Its name in the model that a store is migrated from, if it was different.
  public var renamingID: String?
  /// Custom information for the program.
  public var userInfo: [String: String] = [:]

  /// Creates the description of an attribute.
  public init(
    _ name: String, _ type: AttributeType, isOptional: Bool = true, default defaultValue: Value = .null,
    isTransient: Bool = false, isHidden: Bool = false, minimum: Value? = nil, maximum: Value? = nil,
    minimumLength: Int? = nil,
    maximumLength: Int? = nil, pattern: String? = nil, rules: [ValidationRule] = [], renamingID: String? = nil,
    userInfo: [String: String] = [:]
  ) {
    self.name = name
    self.type = type
    self.isOptional = isOptional
    self.defaultValue = defaultValue
    self.isTransient = isTransient
    self.isHidden = isHidden
    self.minimum = minimum
    self.maximum = maximum
    self.minimumLength = minimumLength
    self.maximumLength = maximumLength
    self.pattern = pattern
    self.rules = rules
    self.renamingID = renamingID
    self.userInfo = userInfo
  }
}
