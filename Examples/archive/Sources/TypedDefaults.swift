import Foundation

/// A type that user defaults hold.
protocol DefaultsValue: Sendable {}
extension String: DefaultsValue {}
extension Int: DefaultsValue {}
extension Double: DefaultsValue {}
extension Bool: DefaultsValue {}
extension Date: DefaultsValue {}
extension Data: DefaultsValue {}
extension Array: DefaultsValue where Element: DefaultsValue {}

/// The name of a value with its type, and what it is when nobody has set it.
struct DefaultsKey<Value: DefaultsValue>: Sendable {
  let name: String
  let registered: Value

  init(_ name: String, registered: Value) {
    self.name = name
    self.registered = registered
  }
}

/// User defaults that are read and written by typed keys: no text is mistyped, and no value has another type.
struct TypedDefaults {
  private let defaults: UserDefaults

  init(_ defaults: UserDefaults) { self.defaults = defaults }

  /// What holds until somebody sets something. It is in no file: every start registers it.
  func register<each Value>(_ keys: repeat DefaultsKey<each Value>) {
    for key in repeat each keys { defaults.register(defaults: [key.name: key.registered]) }
  }

  /// The value; the registered one where nobody set any, or something of another type.
  subscript<Value>(_ key: DefaultsKey<Value>) -> Value {
    get { defaults.object(forKey: key.name) as? Value ?? key.registered }
    nonmutating set { defaults.set(newValue, forKey: key.name) }
  }

  /// Back to what is registered.
  func reset<Value>(_ key: DefaultsKey<Value>) { defaults.removeObject(forKey: key.name) }
}
