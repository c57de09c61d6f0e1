import Foundation
import Glibc
import Synchronization

/// What a save demands of an attribute, and how it is stored.
public struct AttributeOption: Sendable {
  let apply: @Sendable (inout AttributeDescription) -> Void

  /// The length of a string, in Unicode scalars.
  public static func length(_ range: some LengthRange) -> AttributeOption {
    AttributeOption {
      $0.minimumLength = range.bounds.lower
      $0.maximumLength = range.bounds.upper
    }
  }

  /// The smallest and the largest value of a number or date.
  public static func range<Bound: AttributeValue & Sendable>(_ range: ClosedRange<Bound>) -> AttributeOption {
    AttributeOption {
      $0.minimum = range.lowerBound.attributeValue
      $0.maximum = range.upperBound.attributeValue
    }
  }

  /// The smallest value of a number or date.
  public static func minimum<Bound: AttributeValue & Sendable>(_ value: Bound) -> AttributeOption {
    AttributeOption { $0.minimum = value.attributeValue }
  }

  /// The largest value of a number or date.
  public static func maximum<Bound: AttributeValue & Sendable>(_ value: Bound) -> AttributeOption {
    AttributeOption { $0.maximum = value.attributeValue }
  }

  /// An ICU regular expression that the whole string must match.
  public static func matches(_ pattern: String) -> AttributeOption { AttributeOption { $0.pattern = pattern } }

  /// A condition on the value; see ``ValidationRule``.
  public static func rule(_ rule: ValidationRule) -> AttributeOption { AttributeOption { $0.rules.append(rule) } }

  /// A save refuses nil.
  public static let required = AttributeOption { $0.isOptional = false }

  /// The attribute lives only in the context, not in the store.
  public static let transient = AttributeOption { $0.isTransient = true }

  /// The name of the attribute in the model that a store is migrated from.
  public static func renamed(from name: String) -> AttributeOption { AttributeOption { $0.renamingID = name } }
}

/// A range of lengths: `1...`, `...20` or `1...20`.
public protocol LengthRange: Sendable {
  /// The smallest and the largest length; nil for none.
  var bounds: (lower: Int?, upper: Int?) { get }
}

extension PartialRangeFrom: LengthRange where Bound == Int {
  /// The lower bound.
  public var bounds: (lower: Int?, upper: Int?) { (lowerBound, nil) }
}

extension PartialRangeThrough: LengthRange where Bound == Int {
  /// The upper bound.
  public var bounds: (lower: Int?, upper: Int?) { (nil, upperBound) }
}

extension ClosedRange: LengthRange where Bound == Int {
  /// Both bounds.
  public var bounds: (lower: Int?, upper: Int?) { (lowerBound, upperBound) }
}

/// A property wrapper that declares a property.
protocol DeclaredProperty {
  /// What it declares, in a prototype; nil in any other object, where it would only take memory.
  var declaration: Declaration? { get }
}

/// What a property wrapper declares.
final class Declaration: Sendable {
  enum Kind: Sendable {
    case attribute(AttributeType, isOptional: Bool, Value, [AttributeOption])
    case toOne(Object.Type, Inverse?, DeleteRule, isRequired: Bool)
    case toMany(Object.Type, Inverse?, DeleteRule, isOrdered: Bool, ClosedRange<Int>?)

    static func attribute<Stored: AttributeValue>(
      _ type: Stored.Type, _ value: Value, _ options: [AttributeOption?]
    ) -> Kind {
      .attribute(
        Stored.attributeType, isOptional: Stored(attributeValue: .null) != nil, value, options.compactMap { $0 })
    }
  }

  let kind: Kind

  private init(_ kind: Kind) { self.kind = kind }

  /// The thread that makes a prototype; 0 for none.
  static let describingThread = Atomic<UInt>(0)

  /// A declaration while a prototype is made; nil for all other objects.
  static func current(_ kind: () -> Kind) -> Declaration? {
    let thread = describingThread.load(ordering: .relaxed)
    guard thread != 0, thread == UInt(pthread_self()) else { return nil }
    return Declaration(kind())
  }
}

/// The other side of a relationship.
enum Inverse: Sendable {
  case itself
  /// Its name. Its class is described only when a model is made: two classes may name each other.
  case named(@Sendable () -> String?)

  init<Destination: Object, Side>(_ keyPath: KeyPath<Destination, Side>) {
    nonisolated(unsafe) let keyPath = keyPath
    self = .named { KeyPathRecorder.names(of: keyPath).first }
  }

  /// The name of the other side of a relationship with this name.
  func name(of relationship: String) -> String? {
    switch self {
    case .itself: relationship
    case .named(let name): name()
    }
  }
}

/// Writes down which declared properties a key path goes through, when it is followed from a prototype.
final class KeyPathRecorder: Sendable {
  private struct Step {
    let name: String
    /// The value that the property had; nil for a relationship.
    let value: Value?
    let isToOne: Bool
  }

  @TaskLocal private static var current: KeyPathRecorder?
  private let steps = Mutex<[Step]>([])
  private let values: [Value]

  private init(_ values: [Value]) { self.values = values }

  static func record(_ name: String, isToOne: Bool = false) {
    current?.steps.withLock { $0.append(Step(name: name, value: nil, isToOne: isToOne)) }
  }

  /// Records an attribute, and returns the value that it has for the key path; nil if it has none that is known.
  static func recordAttribute<Stored: AttributeValue>(_ name: String, _ type: Stored.Type) -> Stored? {
    guard let current else { return nil }
    let stored = current.values.lazy.compactMap { Stored(attributeValue: $0) }.first { !$0.attributeValue.isNull }
    current.steps.withLock { $0.append(Step(name: name, value: stored?.attributeValue, isToOne: false)) }
    return stored
  }

  /// The names of the properties that a key path goes through: `class`, `name` for `\Student.class?.name`. A property
  /// that is computed from declared ones gives a name that no entity has. It is recognized by its values: those of an
  /// attribute come back as they are.
  static func names<Root: Object, Side>(of keyPath: KeyPath<Root, Side>) -> [String] {
    let unknown = ["\(keyPath)"]
    guard let prototype = Prototype.of(Root.self).object as? Root else { return unknown }
    var names: [String] = []
    for values in sampleValues {
      let recorder = KeyPathRecorder(values)
      let result = $current.withValue(recorder) { prototype[keyPath: keyPath] }
      let steps = recorder.steps.withLock { $0 }
      guard let last = steps.last, steps.dropLast().allSatisfy(\.isToOne) else { return unknown }
      if let value = last.value, (result as? any AttributeValue)?.attributeValue != value { return unknown }
      names = steps.map(\.name)
    }
    return names
  }

  /// Two different values of each type.
  private static let sampleValues: [[Value]] = [false, true].map { flag in
    let byte: UInt8 = flag ? 2 : 1
    return [
      .string(flag ? "\u{F8FF}ax" : "\u{F8FF}bY"), .integer(flag ? 1_000_003 : 1_000_033),
      .double(flag ? 1_000_003.25 : 1_000_033.5), .boolean(flag),
      .date(Date(timeIntervalSinceReferenceDate: flag ? 1_000_003 : 1_000_033)), .data(Data([byte])),
      .uuid(UUID(uuid: (byte, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, byte))),
    ]
  }
}
