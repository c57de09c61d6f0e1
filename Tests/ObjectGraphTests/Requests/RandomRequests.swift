import Foundation
import SeededRandom

@testable import ObjectGraph

/// Random objects, edits, predicates and requests of one model with a parent and children, to-ones, to-manys,
/// many-to-manys and a one-to-one with itself. Some references dangle.
struct RandomRequests {
  var random: SeededGenerator

  static let model: ObjectModel? = try? ObjectModel(entities: [
    EntityDescription(
      "Thing", isAbstract: true,
      attributes: [
        AttributeDescription("title", .string), AttributeDescription("count", .integer),
        AttributeDescription("price", .double), AttributeDescription("active", .boolean),
        AttributeDescription("made", .date), AttributeDescription("blob", .data), AttributeDescription("code", .uuid),
      ],
      relationships: [
        .toOne("category", "Category", inverse: "things"), .toMany("tags", "Tag", inverse: "things"),
        .toOne("twin", "Thing", inverse: "twin"),
      ]),
    EntityDescription("Item", parent: "Thing", attributes: [AttributeDescription("order", .integer)]),
    EntityDescription("Note", parent: "Thing", attributes: [AttributeDescription("text", .string)]),
    EntityDescription(
      "Category", attributes: [AttributeDescription("name", .string), AttributeDescription("rank", .integer)],
      relationships: [
        .toOne("parent", "Category", inverse: "children"), .toMany("children", "Category", inverse: "parent"),
        .toMany("things", "Thing", inverse: "category"),
      ]),
    EntityDescription(
      "Tag", attributes: [AttributeDescription("name", .string), AttributeDescription("weight", .double)],
      relationships: [
        .toMany("things", "Thing", inverse: "tags"), .toMany("friends", "Tag", inverse: "friends", isOrdered: true),
      ]),
  ])

  mutating func pick<Element>(_ elements: [Element]) -> Element {
    elements[Int.random(in: 0..<elements.count, using: &random)]
  }

  mutating func chance(_ percent: Int) -> Bool { Int.random(in: 0..<100, using: &random) < percent }

  // MARK: Values

  private static let texts = [
    "", "a", "A", "ab", "Ab", "äb", "a\u{308}b", "Straße", "STRASSE", "日本", "日", "😀", "a*b", "a?b", "x\ny", "\u{FFFF}z",
  ]
  private static let integers: [Int64] = [-5, 0, 1, 2, 3, 7, 100, .max, .min, 9_007_199_254_740_993]
  private static let doubles = [-1.5, 0, 0.1, 0.2, 0.3, 1, 2.75, 3, 1e300, 9_007_199_254_740_992, 0x1p63]
  private static let dates = [0.0, 0.5, 791_510_400, -1e9].map { Date(timeIntervalSinceReferenceDate: $0) }
  private static let uuids = (1...3).compactMap { UUID(uuidString: "00000000-0000-4000-8000-00000000000\($0)") }

  mutating func value(_ type: AttributeType) -> Value {
    if chance(20) { return .null }
    switch type {
    case .string: return .string(pick(Self.texts))
    case .integer: return .integer(pick(Self.integers))
    case .double: return .double(pick(Self.doubles))
    case .boolean: return .boolean(chance(50))
    case .date: return .date(pick(Self.dates))
    case .data: return .data(Data((0..<Int.random(in: 0..<4, using: &random)).map { _ in pick([0, 1, 0x61, 0xFF]) }))
    case .uuid: return .uuid(pick(Self.uuids))
    }
  }

  // MARK: Graphs

  mutating func graph() throws -> SampleGraph? {
    guard let model = Self.model else { return nil }
    var graph = SampleGraph(model)
    for _ in 0..<Int.random(in: 0..<16, using: &random) {
      _ = try insert(into: &graph, isTemporary: false)
    }
    for _ in 0..<40 { try relate(&graph) }
    // Dangling references.
    if chance(30), let id = graph.order.randomElement(using: &random) { try graph.delete(id, nullifying: false) }
    return graph
  }

  mutating func insert(into graph: inout SampleGraph, isTemporary: Bool) throws -> ObjectID {
    let id = try graph.insert(pick(["Item", "Item", "Note", "Category", "Tag"]), isTemporary: isTemporary)
    for attribute in try graph.model.entity(id.entity).attributes {
      try graph.set(attribute.name, of: id, to: value(attribute.type))
    }
    return id
  }

  private mutating func relate(_ graph: inout SampleGraph) throws {
    guard let id = graph.order.randomElement(using: &random),
      let relationship = try graph.model.entity(id.entity).relationships.randomElement(using: &random),
      let other = graph.order.filter(relationship.destination.covers).randomElement(using: &random)
    else { return }
    try graph.relate(id, relationship.name, other)
  }

  /// Edits a saved graph at random, and returns the result and the changes.
  mutating func edit(_ saved: SampleGraph) throws -> (graph: SampleGraph, pending: PendingChanges) {
    var graph = saved
    for _ in 0..<Int.random(in: 1..<6, using: &random) {
      guard let id = graph.order.randomElement(using: &random) else { break }
      switch Int.random(in: 0..<5, using: &random) {
      case 0: _ = try insert(into: &graph, isTemporary: true)
      case 1: try graph.delete(id, nullifying: chance(70))
      case 2, 3: try relate(&graph)
      default:
        if let attribute = try graph.model.entity(id.entity).attributes.randomElement(using: &random) {
          try graph.set(attribute.name, of: id, to: value(attribute.type))
        }
      }
    }
    return (graph, graph.changes(from: saved))
  }

  // MARK: Predicates

  /// Returns a predicate of an entity, as a text with arguments.
  mutating func predicate(_ entity: Entity, _ graph: SampleGraph) -> (text: String, arguments: [PredicateConstant]) {
    var writer = RandomPredicate(requests: self, graph: graph)
    let text = writer.predicate(entity, prefix: "", depth: 3)
    random = writer.requests.random
    return (text, writer.arguments)
  }

  // MARK: Requests

  mutating func request(_ entity: Entity, _ graph: SampleGraph) throws -> ObjectFetchRequest {
    var request = ObjectFetchRequest(entity.name)
    if chance(85) {
      let (text, arguments) = predicate(entity, graph)
      request.predicate = try ObjectPredicate(text, arguments: arguments)
    }
    request.includesSubentities = chance(90)
    if chance(40) { request.limit = Int.random(in: 0..<6, using: &random) }
    if chance(40) { request.offset = Int.random(in: 0..<4, using: &random) }
    let paths = Self.paths(entity)
    request.result = pick([.objects, .objects, .count, .dictionaries, .dictionaries])
    guard request.result == .dictionaries else {
      for path in paths.shuffled(using: &random).prefix(Int.random(in: 0..<3, using: &random)) where path.isOrdered {
        request.sort.append(sortKey(path))
      }
      return request
    }
    let columns = paths.shuffled(using: &random).prefix(Int.random(in: 1..<4, using: &random))
    if chance(50) { request.groupBy = columns.map(\.name) }
    request.isDistinct = chance(40)
    let isFunctional = request.groupBy.isEmpty ? chance(20) : chance(80)
    if !isFunctional || !request.groupBy.isEmpty { request.properties = columns.map { .keyPath($0.name) } }
    if isFunctional {
      for (index, path) in paths.shuffled(using: &random).prefix(3).enumerated() {
        let functions = AggregateFunction.allCases.filter { $0 == .count || path.type.map($0.accepts) == true }
        request.properties.append(.function(name: "f\(index)", pick(functions), keyPath: path.name))
      }
      if chance(40) {
        let (text, arguments) = predicate(entity, graph)
        request.properties.append(.count(name: "true", where: try ObjectPredicate(text, arguments: arguments)))
      }
      if !request.groupBy.isEmpty, chance(40) { request.having = try ObjectPredicate("f0 != nil AND NOT f0 == 3") }
    }
    if request.having != nil,
      case .function(_, let function, let path)? = request.properties.last(where: { $0.name == "f0" })
    {
      let type = function == .count ? .integer : paths.first { $0.name == path }?.type
      if type.map({ ValueKind($0) }) != .number { request.having = try ObjectPredicate("f0 != nil") }
    }
    if !isFunctional, request.groupBy.isEmpty, let path = Self.membersPaths(entity).randomElement(using: &random) {
      request.properties.append(.members(name: "members", keyPath: path))
    }
    if !request.isDistinct, !isFunctional, request.groupBy.isEmpty {
      for path in paths.shuffled(using: &random).prefix(2) where path.isOrdered { request.sort.append(sortKey(path)) }
    } else if let path = columns.first, path.isOrdered, request.properties.contains(.keyPath(path.name)) {
      request.sort.append(sortKey(path))
    }
    return request
  }

  private mutating func sortKey(_ path: Path) -> SortKey {
    let fold: TextOptions = path.type == .string ? pick([[], .caseInsensitive, .diacriticInsensitive]) : []
    return SortKey(path.name, ascending: chance(50), fold: fold)
  }

  /// Returns the to-manys of an entity and of what its to-ones lead to.
  private static func membersPaths(_ entity: Entity) -> [String] {
    entity.relationships.flatMap { relationship in
      relationship.isToMany
        ? [relationship.name]
        : relationship.destination.relationships.filter(\.isToMany).map { "\(relationship.name).\($0.name)" }
    }
  }

  struct Path {
    let name: String
    let type: AttributeType?

    var isOrdered: Bool { type?.isOrdered == true }
  }

  static func paths(_ entity: Entity) -> [Path] {
    entity.attributes.map { Path(name: $0.name, type: $0.type) }
      + entity.relationships.filter { !$0.isToMany }.flatMap { relationship in
        [Path(name: relationship.name, type: nil)]
          + relationship.destination.attributes.map { Path(name: "\(relationship.name).\($0.name)", type: $0.type) }
      }
  }
}

extension SampleGraph {
  /// Returns the changes that a context would report as unsaved, including both ends of changed relationships.
  func changes(from saved: SampleGraph) -> PendingChanges {
    var pending = PendingChanges(inserted: order.filter { saved.objects[$0] == nil })
    pending.deleted = saved.order.filter { objects[$0] == nil }
    pending.changed = order.filter { id in
      guard let old = saved.objects[id], let new = objects[id] else { return false }
      return old.values != new.values || old.references != new.references || old.members != new.members
    }
    return pending
  }
}
