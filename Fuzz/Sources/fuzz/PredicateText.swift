import ObjectGraph

/// Writes a predicate in the format language; nil if it has a value without a literal, such as a date, or an invalid
/// part.
enum PredicateText {
  static func text(_ predicate: ObjectPredicate) -> String? {
    switch predicate {
    case .constant(let value): value ? "TRUEPREDICATE" : "FALSEPREDICATE"
    case .comparison(let comparison): text(comparison)
    case .not(let other): part(other).map { "NOT \($0)" }
    case .and(let terms): joined(terms, " AND ")
    case .or(let terms): joined(terms, " OR ")
    }
  }

  private static func joined(_ terms: [ObjectPredicate], _ joint: String) -> String? {
    let texts = terms.map { if case .not = $0 { text($0) } else { part($0) } }
    return texts.contains { $0 == nil } ? nil : texts.compactMap { $0 }.joined(separator: joint)
  }

  private static func part(_ predicate: ObjectPredicate) -> String? {
    switch predicate {
    case .constant, .comparison: text(predicate)
    default: text(predicate).map { "(\($0))" }
    }
  }

  private static func text(_ comparison: PredicateComparison) -> String? {
    guard let left = text(comparison.left), let right = text(comparison.right) else { return nil }
    let quantifier = comparison.quantifier.map { $0.rawValue.uppercased() + " " } ?? ""
    var options = ""
    if comparison.options.contains(.caseInsensitive) { options += "c" }
    if comparison.options.contains(.diacriticInsensitive) { options += "d" }
    if !options.isEmpty { options = "[\(options)]" }
    return "\(quantifier)\(left) \(sign(comparison.operator))\(options) \(right)"
  }

  private static func sign(_ comparison: PredicateComparison.Operator) -> String {
    switch comparison {
    case .equal: "=="
    case .notEqual: "!="
    case .less: "<"
    case .lessOrEqual: "<="
    case .greater: ">"
    case .greaterOrEqual: ">="
    default: comparison.rawValue.uppercased()
    }
  }

  private static func text(_ term: PredicateTerm) -> String? {
    switch term {
    case .constant(let constant): return text(constant)
    case .path(let path): return text(path)
    case .subquery(let subquery):
      guard let path = text(subquery.path), let predicate = text(subquery.predicate) else { return nil }
      return "SUBQUERY(\(path), $\(subquery.variable), \(predicate)).@count"
    case .function(let function, let terms, offset: _):
      let texts = terms.compactMap(text)
      guard texts.count == terms.count else { return nil }
      return function.rawValue.count == 1
        ? "(\(texts.joined(separator: " \(function.rawValue) ")))"
        : "\(function.rawValue):(\(texts.joined(separator: ", ")))"
    }
  }

  private static func text(_ path: PredicatePath) -> String? {
    var names: [String]
    switch path.root {
    case .object: names = ["SELF"]
    case .element(let name): names = ["$" + name]
    case .invalid: return nil
    }
    names += path.keys.map(\.name)
    if let aggregate = path.aggregate {
      names.append("@" + aggregate.function.rawValue)
      names += aggregate.keys.map(\.name)
    }
    return names.joined(separator: ".")
  }

  private static func text(_ constant: PredicateConstant) -> String? {
    switch constant {
    case .value(let value): return text(value)
    case .list(let elements):
      let texts = elements.map(text)
      return texts.contains { $0 == nil } ? nil : "{" + texts.compactMap { $0 }.joined(separator: ", ") + "}"
    case .variable(let name, _): return "$" + name
    case .element(let list, let index, offset: _):
      let position =
        switch index {
        case .number(let number): String(number)
        case .first: "FIRST"
        case .last: "LAST"
        case .size: "SIZE"
        }
      return text(list).map { "\($0)[\(position)]" }
    case .invalid: return nil
    }
  }

  private static func text(_ value: Value) -> String? {
    switch value {
    case .null: "nil"
    case .string(let string): quoted(string)
    case .integer(let integer): String(integer)
    case .double(let double): double.isFinite ? String(double) : double < 0 ? "-1e999" : "1e999"
    case .boolean(let boolean): boolean ? "TRUE" : "FALSE"
    default: nil
    }
  }

  private static func quoted(_ string: String) -> String {
    var result = "'"
    for scalar in string.unicodeScalars {
      if scalar == "'" || scalar == "\\" { result.unicodeScalars.append("\\") }
      result.unicodeScalars.append(scalar)
    }
    return result + "'"
  }
}
