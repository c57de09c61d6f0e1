/// An entry from a server, which may send anything: what exceeds the limits is left out.
struct LDAPEntry {
  /// The most that is read: values of an attribute, attributes, bytes of a value that is not a photo.
  static let limit = (values: 100, attributes: 500, text: 1 << 16)

  /// The DN.
  var name: String
  /// The names may have options after a semicolon.
  private(set) var attributes: [(name: String, values: [[UInt8]])] = []

  init(name: String) { self.name = name }

  /// Whether no more attributes are read.
  var isFull: Bool { attributes.count >= Self.limit.attributes }

  mutating func add(_ name: String, _ values: [[UInt8]]) { attributes.append((name, values)) }

  func texts(of name: String) -> [String] {
    attributes.filter { $0.name.lowercased() == name.lowercased() }.flatMap(\.values)
      .map { String(decoding: $0, as: UTF8.self) }
  }
}
