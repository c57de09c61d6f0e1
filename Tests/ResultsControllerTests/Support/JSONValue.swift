import Foundation

/// A JSON value without fractions, for case files whose arrays mix types.
enum JSONValue: Decodable, Hashable, CustomStringConvertible {
  case null, bool(Bool), number(Int64), text(String), array([JSONValue]), object([String: JSONValue])

  init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if container.decodeNil() {
      self = .null
    } else if let value = try? container.decode(Bool.self) {
      self = .bool(value)
    } else if let value = try? container.decode(Int64.self) {
      self = .number(value)
    } else if let value = try? container.decode(String.self) {
      self = .text(value)
    } else if let value = try? container.decode([JSONValue].self) {
      self = .array(value)
    } else {
      self = .object(try container.decode([String: JSONValue].self))
    }
  }

  subscript(key: String) -> JSONValue {
    if case .object(let members) = self { return members[key] ?? .null }
    return .null
  }

  subscript(index: Int) -> JSONValue { array[index] }

  var has: Bool { self != .null }
  var array: [JSONValue] { if case .array(let value) = self { value } else { [] } }
  var text: String? { if case .text(let value) = self { value } else { nil } }
  var int: Int { if case .number(let value) = self { Int(value) } else { -1 } }
  var int64: Int64 { if case .number(let value) = self { value } else { -1 } }
  var optionalInt64: Int64? { if case .number(let value) = self { value } else { nil } }
  var bool: Bool? { if case .bool(let value) = self { value } else { nil } }

  var description: String {
    switch self {
    case .null: "null"
    case .bool(let value): "\(value)"
    case .number(let value): "\(value)"
    case .text(let value): "\"\(value)\""
    case .array(let value): "\(value)"
    case .object(let value): "\(value)"
    }
  }
}

struct CaseFile {
  let header: JSONValue
  let cases: [JSONValue]

  init(path: String) throws {
    let file = try JSONDecoder().decode(JSONValue.self, from: Data(contentsOf: URL(fileURLWithPath: path)))
    header = file["header"]
    cases = file["cases"].array
  }

  /// The path of the cases in the repository.
  static var fixture: String {
    URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().appendingPathComponent("Fixtures/Results/results.json").path
  }
}
