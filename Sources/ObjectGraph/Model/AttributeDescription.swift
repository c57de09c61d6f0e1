/// Describes an attribute of an entity.
public struct AttributeDescription: Codable, Hashable, Sendable {
  /// The key of the attribute.
  public var name: String
  /// What it holds.
  public var type: AttributeType
  /// Whether it may be nil when it is saved.
  public var isOptional = true
  /// Value of a new object.
  public var defaultValue = Value.null
  /// Transient attributes are kept in the context, with undo and validation, and not in the store. Predicates of requests do
  /// not know them.
  public var isTransient = false
  /// Hidden attributes are stored like others, but predicates and requests do not know them: what a program derives for itself.
  @LaterFlag public var isHidden = false
  /// The least number or date, which is allowed.
  public var minimum: Value?
  /// The greatest number or date, which is allowed.
  public var maximum: Value?
  /// The least length of a text in Unicode scalars.
  public var minimumLength: Int?
  /// The greatest length of a text in Unicode scalars.
  public var maximumLength: Int?
  /// An ICU regular expression for the whole text.
  public var pattern: String?
  /// Conditions on the value.
  public var rules: [ValidationRule] = []
  /// Its name in the model that a store is migrated from.
  public var renamingID: String?
  /// Whatever the program wants to say of it.
  public var userInfo: [String: String] = [:]

  /// An attribute.
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
