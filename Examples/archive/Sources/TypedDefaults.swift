import Foundation

/// A type that user defaults can store.
protocol DefaultsValue: Sendable {}
extension String: DefaultsValue {}
extension Int: DefaultsValue {}
extension Double: DefaultsValue {}
extension Bool: DefaultsValue {}
extension Date: DefaultsValue {}
extension Data: DefaultsValue {}
extension Array: DefaultsValue where Element: DefaultsValue {}

/// The name of a value with its type and its default.
struct DefaultsKey<Value: DefaultsValue>: Sendable {
  let name: String
  let registered: Value

  init(_ name: String, registered: Value) {
    self.name = name
    self.registered = registered
  }
}

/// User defaults with typed keys: names cannot be mistyped, and values always have the right type.
struct TypedDefaults {
  private let defaults: UserDefaults

  init(_ defaults: UserDefaults) { self.defaults = defaults }

  /// Registers the defaults. They are not stored, so a program must register them each time it starts.
  func register<each Value>(_ keys: repeat DefaultsKey<each Value>) {
    for key in repeat each keys { defaults.register(defaults: [key.name: key.registered]) }
  }

  /// The value; the registered one if none was set, or if the stored one has another type.
  subscript<Value>(_ key: DefaultsKey<Value>) -> Value {
    get { defaults.object(forKey: key.name) as? Value ?? key.registered }
    nonmutating set { defaults.set(newValue, forKey: key.name) }
  }

  /// Removes the value, so that the registered one applies again.
  func reset<Value>(_ key: DefaultsKey<Value>) { defaults.removeObject(forKey: key.name) }
}
