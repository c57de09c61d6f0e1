/// The parsed and checked rules and patterns of a model.
struct CompiledRules: Sendable {
  struct Compiled: Sendable {
    let rule: ValidationRule
    let predicate: CheckedPredicate
  }

  /// By the index of the entity; the rules of its parent come first.
  private var ofEntities: [[Compiled]] = []
  /// By the indexes of the entity and the attribute.
  private var ofAttributes: [[[Compiled]]] = []
  private var patterns: [[TextPattern?]] = []

  /// - Throws: `badModel` for a rule that is not a predicate of its entity or attribute, or a pattern that is not a
  ///   regular expression.
  init(_ model: ObjectModel) throws(ObjectGraphError) {
    for entity in model.entities {
      ofEntities.append(try Self.compile(entity.rules, for: .rule(entity), entity, property: ""))
      var rules: [[Compiled]] = []
      var patterns: [TextPattern?] = []
      for attribute in entity.attributes {
        rules.append(
          try Self.compile(attribute.description.rules, for: .value(attribute.type), entity, property: attribute.name))
        let pattern = attribute.description.pattern.map { TextPattern($0) }
        if case .some(.none) = pattern { throw .badModel(entity: entity.name, property: attribute.name) }
        patterns.append(pattern ?? nil)
      }
      ofAttributes.append(rules)
      self.patterns.append(patterns)
    }
  }

  private static func compile(
    _ rules: [ValidationRule], for subject: PredicateSubject, _ entity: Entity, property: String
  ) throws(ObjectGraphError) -> [Compiled] {
    var compiled: [Compiled] = []
    for rule in rules {
      do throws(InvalidPredicate) {
        let predicate = try Predicate(rule.predicate).binding([:])
        compiled.append(Compiled(rule: rule, predicate: try CheckedPredicate(predicate, for: subject)))
      } catch {
        throw .badModel(entity: entity.name, property: property)
      }
    }
    return compiled
  }

  func rules(of entity: Entity) -> [Compiled] { ofEntities[entity.index] }

  func rules(of attribute: Attribute) -> [Compiled] { ofAttributes[attribute.entity.index][attribute.index] }

  func pattern(of attribute: Attribute) -> TextPattern? { patterns[attribute.entity.index][attribute.index] }
}
