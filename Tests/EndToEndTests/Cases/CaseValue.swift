import Foundation

/// Comparison of JSON with what a case expects of it: a value, or `{"has": …}`, `{"lacks": …}`, `{"not": …}`,
/// `{"in": …}`, `{"count": …}`, `{"matches": …}`.
enum CaseValue {
  private static let operators: Set<String> = ["has", "lacks", "not", "in", "count", "matches"]

  /// Returns the values at a path: segments with dots between them, or a list of segments; `*` is any element.
  static func values(at path: Any, of document: Any) -> [Any] { all(at: path, of: document).compactMap { $0 } }

  /// Returns whether a value at the path is as expected; for `lacks` and `not`, all of them.
  static func holds(_ wanted: Any, at path: Any, of document: Any) throws(FormatCase.Failure) -> Bool {
    let values = all(at: path, of: document)
    let mustAll = comparison(wanted).map { ["lacks", "not"].contains($0.key) } ?? false
    let isAny = segments(path).contains("*")
    for value in values where try isSame(wanted, value) == !(mustAll || !isAny) { return !(mustAll || !isAny) }
    return mustAll || !isAny
  }

  static func matches(_ pattern: String, _ text: String) throws(FormatCase.Failure) -> Bool {
    let range = NSRange(text.startIndex..., in: text)
    do {
      let expression = try NSRegularExpression(pattern: pattern, options: [.anchorsMatchLines, .caseInsensitive])
      return expression.firstMatch(in: text, range: range) != nil
    } catch {
      throw FormatCase.Failure("\(pattern): \(error)")
    }
  }

  private static func segments(_ path: Any) -> [String] {
    if let list = path as? [Any] { return list.map { "\($0)" } }
    let text = path as? String ?? ""
    return text.isEmpty ? [] : text.components(separatedBy: ".")
  }

  /// Returns the values at the path; nil for one that is absent.
  private static func all(at path: Any, of document: Any) -> [Any?] {
    segments(path).reduce([document]) { values, segment in
      values.flatMap { value -> [Any?] in
        if segment == "*" {
          return (value as? [Any]).map { $0.map(Optional.some) }
            ?? (value as? [String: Any]).map { $0.values.map(Optional.some) } ?? []
        }
        if let list = value as? [Any], let index = Int(segment) {
          return [list.indices.contains(index) ? list[index] : nil]
        }
        return [(value as? [String: Any])?[segment]]
      }
    }
  }

  private static func comparison(_ wanted: Any) -> (key: String, value: Any)? {
    guard let object = wanted as? [String: Any], object.count == 1, let only = object.first,
      operators.contains(only.key)
    else { return nil }
    return (only.key, only.value)
  }

  private static func isSame(_ wanted: Any, _ found: Any?) throws(FormatCase.Failure) -> Bool {
    if let comparison = comparison(wanted) { return try compare(comparison, found) }
    if wanted is NSNull { return found == nil || found is NSNull }
    guard let found else { return false }
    if let object = wanted as? [String: Any] {
      guard let other = found as? [String: Any] else { return false }
      for (key, value) in object where try !isSame(value, other[key]) { return false }
      return true
    }
    if let list = wanted as? [Any] {
      guard let other = found as? [Any], list.count == other.count else { return false }
      for (one, two) in zip(list, other) where try !isSame(one, two) { return false }
      return true
    }
    if let text = wanted as? String { return (found as? String).map { $0.utf8.elementsEqual(text.utf8) } ?? false }
    guard let number = wanted as? NSNumber, let other = found as? NSNumber else { return false }
    return isBoolean(number) == isBoolean(other) && number == other
  }

  private static func isBoolean(_ number: NSNumber) -> Bool { String(cString: number.objCType) == "c" }

  private static func compare(_ wanted: (key: String, value: Any), _ found: Any?) throws(FormatCase.Failure) -> Bool {
    switch wanted.key {
    case "has": return try contains(wanted.value, found)
    case "lacks": return try !contains(wanted.value, found)
    case "not": return try !isSame(wanted.value, found)
    case "in":
      for value in wanted.value as? [Any] ?? [] where try isSame(value, found) { return true }
      return false
    case "matches":
      return try (found as? String).map { text throws(FormatCase.Failure) in
        try matches(wanted.value as? String ?? "", text)
      } ?? false
    default:
      let count =
        (found as? [Any])?.count ?? (found as? [String: Any])?.count ?? (found == nil || found is NSNull ? 0 : -1)
      return count == wanted.value as? Int
    }
  }

  private static func contains(_ wanted: Any, _ found: Any?) throws(FormatCase.Failure) -> Bool {
    if let text = found as? String {
      return (wanted as? String).map { text.range(of: $0, options: .literal) != nil } ?? false
    }
    if let list = found as? [Any] {
      for value in list where try isSame(wanted, value) { return true }
      return false
    }
    return (found as? [String: Any]).map { $0[wanted as? String ?? ""] != nil } ?? false
  }
}
