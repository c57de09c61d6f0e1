import Foundation
import SeededRandom

@testable import ObjectGraph

/// Writes random predicates in the format language.
struct RandomPredicate {
  var requests: RandomRequests
  let graph: SampleGraph
  private(set) var arguments: [PredicateConstant] = []
  private var variables = 0

  init(requests: RandomRequests, graph: SampleGraph) {
    self.requests = requests
    self.graph = graph
  }

  private struct Side {
    let text: String
    let type: AttributeType?
  }

  mutating func predicate(_ entity: Entity, prefix: String, depth: Int) -> String {
    if depth > 0, requests.chance(45) {
      let parts = (0..<Int.random(in: 1..<4, using: &requests.random)).map { _ in
        predicate(entity, prefix: prefix, depth: depth - 1)
      }
      let joined = "(\(parts.joined(separator: requests.pick([" AND ", " OR "]))))"
      return requests.chance(30) ? "NOT \(joined)" : joined
    }
    if requests.chance(2) { return requests.pick(["TRUEPREDICATE", "FALSEPREDICATE"]) }
    switch Int.random(in: 0..<10, using: &requests.random) {
    case 0, 1: return quantified(entity, prefix)
    case 2: return subquery(entity, prefix, depth)
    case 3: return aggregate(entity, prefix)
    case 4: return membership(entity, prefix)
    default: return comparison(single(entity, prefix, hops: 2))
    }
  }

  // MARK: Paths

  private mutating func single(_ entity: Entity, _ prefix: String, hops: Int) -> Side {
    let ones = entity.relationships.filter { !$0.isToMany }
    if hops > 0, !ones.isEmpty, requests.chance(40) {
      let relationship = requests.pick(ones)
      return single(relationship.destination, "\(prefix)\(relationship.name).", hops: hops - 1)
    }
    if requests.chance(15) { return Side(text: prefix.isEmpty ? "SELF" : String(prefix.dropLast()), type: nil) }
    let attribute = requests.pick(entity.attributes)
    return Side(text: prefix + attribute.name, type: attribute.type)
  }

  /// Returns a to-many, perhaps behind a to-one.
  private mutating func many(_ entity: Entity, _ prefix: String) -> (path: String, destination: Entity) {
    var (entity, prefix) = (entity, prefix)
    if requests.chance(25), let one = entity.relationships.filter({ !$0.isToMany }).first {
      (entity, prefix) = (one.destination, "\(prefix)\(one.name).")
    }
    let relationship = requests.pick(entity.relationships.filter(\.isToMany))
    return (prefix + relationship.name, relationship.destination)
  }

  // MARK: To-many

  private mutating func quantified(_ entity: Entity, _ prefix: String) -> String {
    var (path, destination) = many(entity, prefix)
    if requests.chance(20) { (path, destination) = many(destination, "\(path).") }
    let quantifier = requests.pick(["ANY", "SOME", "ALL", "NONE"])
    return "\(quantifier) \(comparison(single(destination, "\(path).", hops: 1), isComputed: false))"
  }

  private mutating func subquery(_ entity: Entity, _ prefix: String, _ depth: Int) -> String {
    var (path, destination) = many(entity, prefix)
    if requests.chance(15), let one = destination.relationships.first(where: { !$0.isToMany }) {
      (path, destination) = ("\(path).\(one.name)", one.destination)
    }
    variables += 1
    let variable = "$v\(variables)"
    let inner = predicate(destination, prefix: "\(variable).", depth: depth - 1)
    return "SUBQUERY(\(path), \(variable), \(inner)).@count \(order()) \(requests.pick(["0", "1", "2"]))"
  }

  private mutating func aggregate(_ entity: Entity, _ prefix: String) -> String {
    let (path, destination) = many(entity, prefix)
    let attribute = requests.pick(destination.attributes)
    let functions = AggregateFunction.allCases.filter { $0 == .count || $0.accepts(attribute.type) }
    let function = requests.pick(functions)
    if function == .count { return "\(path).@count \(order()) \(requests.pick(["0", "1", "2"]))" }
    let type = function == .average ? .double : attribute.type
    return comparison(Side(text: "\(path).@\(function.rawValue).\(attribute.name)", type: type))
  }

  private mutating func membership(_ entity: Entity, _ prefix: String) -> String {
    let (path, destination) = many(entity, prefix)
    if requests.chance(50) { return "\(path) CONTAINS \(object())" }
    let attribute = requests.pick(destination.attributes)
    return "\(constant(attribute.type)) IN \(path).\(attribute.name)"
  }

  // MARK: Comparisons

  /// Returns a value that is computed from another one, perhaps.
  private mutating func computed(_ side: Side) -> Side {
    guard let type = side.type, requests.chance(25) else { return side }
    switch ValueKind(type) {
    case .number where requests.chance(70):
      let sign = requests.pick(["+", "-", "*", "/"])
      let other = constant(requests.pick([.integer, .double, .boolean]))
      return Side(
        text: requests.chance(50) ? "(\(side.text) \(sign) \(other))" : "\(side.text) \(sign) (\(other))", type: .double
      )
    case .number: return Side(text: "sum:(\(side.text), \(constant(.double)))", type: .double)
    case .text where requests.chance(60):
      return Side(text: "\(requests.pick(["lowercase", "uppercase"])):(\(side.text))", type: type)
    case .uuid, .object: return side
    default: return Side(text: "\(requests.pick(["max", "min"])):({\(side.text), \(constant(type))})", type: type)
    }
  }

  private mutating func comparison(_ side: Side, isComputed: Bool = true) -> String {
    let left = isComputed ? computed(side) : side
    guard let type = left.type else {
      if requests.chance(25) { return "\(left.text) \(requests.pick(["==", "!="])) nil" }
      if requests.chance(25) { return "\(left.text) IN {\(object()), \(object())}" }
      return "\(left.text) \(requests.pick(["==", "!="])) \(object())"
    }
    if requests.chance(10) { return "\(left.text) \(requests.pick(["==", "!="])) nil" }
    if requests.chance(15) {
      let list = (0..<Int.random(in: 0..<4, using: &requests.random)).map { _ in constant(type) }
      return "\(left.text) IN {\(list.joined(separator: ", "))}"
    }
    if requests.chance(10), type.isOrdered { return "\(left.text) BETWEEN {\(constant(type)), \(constant(type))}" }
    if type == .string { return textComparison(left) }
    let signs = type.isOrdered ? ["==", "!=", "<", "<=", ">", ">="] : ["==", "!="]
    // Numbers of all types are compared with one another.
    let other: AttributeType = ValueKind(type) == .number ? requests.pick([.integer, .double, .boolean]) : type
    return "\(left.text) \(requests.pick(signs)) \(constant(other))"
  }

  private mutating func textComparison(_ left: Side) -> String {
    let option = requests.pick(["", "", "[c]", "[d]", "[cd]"])
    let sign = requests.pick([
      "==", "!=", "<", "<=", ">", ">=", "BEGINSWITH", "ENDSWITH", "CONTAINS", "LIKE", "MATCHES", "BEGINSWITH",
    ])
    switch sign {
    case "LIKE":
      return "\(left.text) LIKE\(option) '\(requests.pick(["*", "a*", "?b", "A\\\\*b", "stra*", "", "*日*"]))'"
    case "MATCHES":
      return "\(left.text) MATCHES\(option) '\(requests.pick([".*", "a.", "[a-z]+", "(a|日)+", "\\\\S\\\\S"]))'"
    default: return "\(left.text) \(sign)\(option) \(constant(.string))"
    }
  }

  private mutating func order() -> String { requests.pick(["==", "!=", "<", "<=", ">", ">="]) }

  private mutating func constant(_ type: AttributeType) -> String {
    arguments.append(.value(requests.value(type)))
    return "%@"
  }

  private mutating func object() -> String {
    let known = graph.order.randomElement(using: &requests.random)
    arguments.append(requests.chance(90) ? .value(known.map { .object($0) } ?? .null) : nil)
    return "%@"
  }
}
