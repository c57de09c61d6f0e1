import Foundation

@testable import ObjectGraph

/// Values of the case file.
enum CaseValue {
  /// Returns a plain value, or that of `{"date": …}`, `{"data": …}` or `{"uuid": …}`. Returns nil for a list, for any
  /// other object, and for malformed data or a malformed UUID.
  static func value(_ json: JSONValue) -> Value? {
    switch json {
    case .null: return .null
    case .boolean(let flag): return .boolean(flag)
    case .integer(let number): return .integer(number)
    case .double(let number): return .double(number)
    case .string(let text): return .string(text)
    case .array: return nil
    case .object(let fields):
      if let date = fields["date"]?.text { return .date(self.date(date)) }
      if let data = fields["data"]?.text { return Data(base64Encoded: data).map(Value.data) }
      if let uuid = fields["uuid"]?.text { return UUID(uuidString: uuid).map(Value.uuid) }
      return nil
    }
  }

  /// Parses a date such as `2026-01-31T00:00:00.500Z`.
  static func date(_ text: String) -> Date {
    let parts = text.dropLast().split(separator: ".")
    let milliseconds = parts.count > 1 ? Double("0.\(parts[1])") ?? 0 : 0
    let whole = try? Date(String(parts[0]) + "Z", strategy: .iso8601)
    return (whole ?? .distantPast).addingTimeInterval(milliseconds)
  }

  /// Compares as the cases define it: numbers by value, with a tolerance of 1e-9 for doubles; dates to the millisecond.
  static func matches(_ actual: Value, _ expected: Value) -> Bool {
    switch (actual, expected) {
    case (.integer(let left), .integer(let right)): left == right
    case (.double(let left), .double(let right)): close(left, right)
    case (.double(let left), .integer(let right)): close(left, Double(right))
    case (.integer(let left), .double(let right)): close(Double(left), right)
    case (.date(let left), .date(let right)): abs(left.timeIntervalSince(right)) < 0.0005
    default: actual == expected
    }
  }

  private static func close(_ left: Double, _ right: Double) -> Bool {
    left == right || abs(left - right) <= 1e-9 * max(1, abs(right))
  }
}
