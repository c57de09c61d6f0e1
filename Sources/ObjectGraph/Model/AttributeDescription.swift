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

/// The type of an attribute.
public enum AttributeType: String, Codable, Hashable, Sendable, CaseIterable {
  /// A string of Unicode scalars.
  case string
  /// A 64-bit integer.
  case integer
  /// A floating-point number.
  case double
  /// A Boolean.
  case boolean
  /// A point in time, with the full precision of `Date`.
  case date
  /// Bytes.
  case data
  /// A universally unique identifier.
  case uuid

  /// Whether values of the type are ordered, as all are except UUIDs. Data is compared byte by byte.
  public var isOrdered: Bool { self != .uuid }

  /// Converts a value to this type: nil stays nil, and an integer becomes a double; nothing else is converted.
  /// - Returns: nil when the value is of another type, or NaN.
  public func converted(_ value: Value) -> Value? {
    switch (self, value) {
    case (_, .null), (.string, .string), (.integer, .integer), (.boolean, .boolean), (.date, .date), (.data, .data),
      (.uuid, .uuid):
      return value
    case (.double, .double(let number)): return number.isNaN ? nil : value
    case (.double, .integer(let number)): return .double(Double(number))
    default: return nil
    }
  }
}

/// A condition that must not be false when an object is saved.
public struct ValidationRule: Codable, Hashable, Sendable {
  /// The condition in the format language. SELF is the object in an entity's rule, and the value in an attribute's
  /// rule.
  public var predicate: String
  /// The key of the user-visible message, below `ErrorString/`.
  public var message: String

  /// Creates a rule with its message.
  public init(_ predicate: String, message: String) {
    self.predicate = predicate
    self.message = message
  }
}

/// A flag that decodes as false if its key is missing, as in data encoded by older versions of this library.
@propertyWrapper
public struct DefaultFalse: Codable, Hashable, Sendable {
  /// Whether the flag is set.
  public var wrappedValue: Bool

  /// Creates a flag with an initial value.
  public init(wrappedValue: Bool) { self.wrappedValue = wrappedValue }

  /// Reads what ``encode(to:)`` wrote.
  public init(from decoder: any Decoder) throws {
    wrappedValue = try decoder.singleValueContainer().decode(Bool.self)
  }

  /// Writes a Boolean.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(wrappedValue)
  }
}

extension KeyedDecodingContainer {
  /// Decodes a flag; synthesized code calls this overload.
  func decode(_ type: DefaultFalse.Type, forKey key: Key) throws -> DefaultFalse {
    try decodeIfPresent(type, forKey: key) ?? DefaultFalse(wrappedValue: false)
  }
}
