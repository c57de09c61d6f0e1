/// Validation of everything that changed, before a save.
extension ObjectContext {
  /// - Throws: `validation` with every issue of the objects.
  func validate(_ objects: [ManagedObject]) throws {
    var issues: [ValidationIssue] = []
    // Objects that were not read may have gained or lost members.
    try fire(objects.filter { $0.state.existence == .unknown })
    for object in objects {
      if !object.isUnreachable {
        issues += try ObjectValidator(object, self).issues()
      } else if !object.state.isLive, object.state.existence == .exists {
        issues += try deniedIssues(object)
      }
    }
    guard issues.isEmpty else { throw ObjectGraphError.validation(issues) }
  }

  /// Returns every issue, apart from conflicts, for which a save of the object as it is now would be refused. Use
  /// it for a form that shows issues early.
  /// - Throws: `store` if the objects cannot be read.
  public func validationIssues(of object: ManagedObject) throws(ObjectGraphError) -> [ValidationIssue] {
    try translating {
      try fire(object)
      if !object.isUnreachable { return try ObjectValidator(object, self).issues() }
      return object.state.isLive ? [] : try deniedIssues(object)
    }
  }

  private func deniedIssues(_ object: ManagedObject) throws -> [ValidationIssue] {
    try object.entity.relationships.filter { $0.deleteRule == .deny }.compactMap { relationship in
      if relationship.isToMany { try loadList(object, relationship) }
      let inverse = relationship.inverse
      // A deleted object keeps its references, for the undo; the other end of a one-to-one may have moved on.
      let left = object.references(by: relationship).filter {
        $0.state.isLive && (relationship.isToMany || inverse.isToMany || $0.state.ones[inverse.index] === object)
      }
      guard !left.isEmpty else { return nil }
      return ValidationIssue(object: object.objectID, property: relationship.name, rule: .denied(left.count))
    }
  }

  /// Returns the rules of the object's entity that are broken. A rule whose result is unknown, because something is
  /// nil, is not broken.
  func failedRules(of object: ManagedObject) throws -> [ValidationRule] {
    let rules = model.rules?.rules(of: object.entity) ?? []
    if rules.isEmpty { return [] }
    let reader = ContextReader(self)
    return try rules.filter { try $0.predicate.evaluate(object.objectID, in: reader) == false }.map(\.rule)
  }

  /// Returns the rules of an attribute that a value breaks.
  func failedRules(of attribute: EntityAttribute, _ value: Value) throws -> [ValidationRule] {
    try (model.rules?.rules(of: attribute) ?? []).filter { try $0.predicate.evaluate(value) == false }.map(\.rule)
  }
}

/// Finds every issue of one live object.
struct ObjectValidator {
  private let object: ManagedObject
  private let context: ObjectContext

  init(_ object: ManagedObject, _ context: ObjectContext) {
    self.object = object
    self.context = context
  }

  func issues() throws -> [ValidationIssue] {
    var issues: [ValidationIssue] = []
    func add(_ property: String, _ rule: ValidationIssue.Rule) {
      issues.append(ValidationIssue(object: object.objectID, property: property, rule: rule))
    }
    for (index, value) in object.state.values.enumerated() where !object.state.unread.contains(index) {
      let attribute = EntityAttribute(entity: object.entity, index: index)
      for rule in try rules(attribute, value) { add(attribute.name, rule) }
    }
    for index in object.entity.record.relationships.indices {
      let relationship = Relationship(entity: object.entity, index: index)
      for rule in try rules(relationship) { add(relationship.name, rule) }
    }
    for rule in try context.failedRules(of: object) { add("", .rule(rule.message)) }
    return issues
  }

  private func rules(_ attribute: EntityAttribute, _ value: Value) throws -> [ValidationIssue.Rule] {
    let record = attribute.record
    guard !value.isNull else { return record.description.isOptional ? [] : [.missing] }
    var rules: [ValidationIssue.Rule] = []
    if let minimum = record.description.minimum, value.isLess(than: minimum) { rules.append(.tooSmall(minimum)) }
    if let maximum = record.description.maximum, maximum.isLess(than: value) { rules.append(.tooLarge(maximum)) }
    if case .string(let text) = value {
      let length = text.unicodeScalars.count
      if let minimum = record.description.minimumLength, length < minimum { rules.append(.tooShort(minimum)) }
      if let maximum = record.description.maximumLength, length > maximum { rules.append(.tooLong(maximum)) }
      if let pattern = context.model.rules?.pattern(of: attribute), !pattern.matches(text) { rules.append(.pattern) }
    }
    for rule in try context.failedRules(of: attribute, value) { rules.append(.rule(rule.message)) }
    return rules
  }

  private func rules(_ relationship: Relationship) throws -> [ValidationIssue.Rule] {
    if !relationship.isToMany {
      let isMissing = object.state.ones[relationship.index]?.state.isLive != true
      return isMissing && !relationship.record.description.isOptional ? [.missing] : []
    }
    let description = relationship.description
    guard !description.isOptional || description.minimumCount > 0 || description.maximumCount > 0 else { return [] }
    try context.loadList(object, relationship)
    let count = object.state.lists[relationship.index].items.count { $0.state.isLive }
    guard count > 0 else { return description.isOptional ? [] : [.missing] }
    var rules: [ValidationIssue.Rule] = []
    if count < description.minimumCount { rules.append(.tooFew(description.minimumCount)) }
    if description.maximumCount > 0, count > description.maximumCount {
      rules.append(.tooMany(description.maximumCount))
    }
    return rules
  }
}

extension Value {
  /// Compares two integers, two doubles or two dates; false for other values.
  fileprivate func isLess(than other: Value) -> Bool {
    switch (self, other) {
    case (.integer(let left), .integer(let right)): left < right
    case (.double(let left), .double(let right)): left < right
    case (.date(let left), .date(let right)): left < right
    default: false
    }
  }
}

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
        if case .some(.none) = pattern {
          throw .badModel(
            entity: entity.name, property: attribute.name, reason: "its pattern is not a regular expression")
        }
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
        let predicate = try ObjectPredicate(rule.predicate).binding([:])
        compiled.append(Compiled(rule: rule, predicate: try CheckedPredicate(predicate, for: subject)))
      } catch {
        let reason = "the rule \"\(rule.predicate)\": \(error.localizedDescription)"
        throw .badModel(entity: entity.name, property: property, reason: reason)
      }
    }
    return compiled
  }

  func rules(of entity: Entity) -> [Compiled] { ofEntities[entity.index] }

  func rules(of attribute: EntityAttribute) -> [Compiled] { ofAttributes[attribute.entity.index][attribute.index] }

  func pattern(of attribute: EntityAttribute) -> TextPattern? { patterns[attribute.entity.index][attribute.index] }
}
