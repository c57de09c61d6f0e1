import SeededRandom

@testable import ObjectGraph

/// A model of a few entities with random relationships between them and to themselves.
struct RandomModel {
  let model: ObjectModel
  let entities: [Entity]

  init(_ random: inout SeededGenerator, rules: [DeleteRule] = [.nullify, .cascade]) throws {
    let names = (0..<Int.random(in: 2...4, using: &random)).map { "E\($0)" }
    var descriptions = names.map {
      EntityDescription(
        $0, attributes: [AttributeDescription("text", .string), AttributeDescription("number", .integer)])
    }
    // In some models, the last entity is a child of the first, and inherits its properties.
    if names.count > 2, Bool.random(using: &random) { descriptions[names.count - 1].parent = names[0] }
    if descriptions.last?.parent != nil {
      descriptions[names.count - 1].attributes = [AttributeDescription("own", .double)]
    }
    func end(_ name: String, _ destination: String, _ inverse: String) -> RelationshipDescription {
      let rule = rules.randomElement(using: &random) ?? .nullify
      if Bool.random(using: &random) { return .toOne(name, destination, inverse: inverse, deleteRule: rule) }
      return .toMany(
        name, destination, inverse: inverse, isOrdered: Bool.random(using: &random), deleteRule: rule)
    }
    for number in 0..<Int.random(in: 2...5, using: &random) {
      let source = Int.random(in: 0..<names.count, using: &random)
      if Int.random(in: 0..<4, using: &random) == 0 {
        descriptions[source].relationships.append(end("r\(number)", names[source], "r\(number)"))
        continue
      }
      let target = Int.random(in: 0..<names.count, using: &random)
      descriptions[source].relationships.append(end("r\(number)", names[target], "i\(number)"))
      descriptions[target].relationships.append(end("i\(number)", names[source], "r\(number)"))
    }
    model = try ObjectModel(entities: descriptions)
    entities = model.entities
  }
}
