struct StoreAssignment {
  /// The index of the store by the index of the entity.
  let indexes: [Int]

  init(model: ObjectModel, stores: [StoreDescription]) throws(ObjectGraphError) {
    var named: [String: Int] = [:]
    for (index, store) in stores.enumerated() {
      for name in store.entities ?? [] {
        named[try model.entity(name).root.name] = index
      }
    }
    let rest = stores.firstIndex { $0.entities == nil }
    var indexes: [Int] = []
    for entity in model.entities {
      guard let index = named[entity.root.name] ?? rest else { throw .badModel(entity: entity.name, property: nil) }
      indexes.append(index)
    }
    for relationship in model.entities.flatMap(\.relationships)
    where indexes[relationship.entity.index] != indexes[relationship.destination.index] {
      throw .badModel(entity: relationship.entity.name, property: relationship.name)
    }
    self.indexes = indexes
  }
}
