struct MemoryGraphReader: StoreReader {
  let graph: MemoryGraph
  let model: ObjectModel

  func rows(_ numbers: [Int64], of root: Entity) throws -> [StoredRow] {
    numbers.compactMap { row($0, of: root) }
  }

  func versions(_ numbers: [Int64], of root: Entity) throws -> [Int64: Int64] {
    guard let table = graph.tables[root.name] else { return [:] }
    return Dictionary(
      numbers.compactMap { number in table.rows[number].map { (number, $0.version) } },
      uniquingKeysWith: { first, _ in first })
  }

  func members(_ relationship: Relationship, of owners: [Int64]) throws -> [Int64: [StoredRow]] {
    let lists = graph.lists[MemoryGraph.ListName(relationship)] ?? [:]
    let root = relationship.destination.root
    return Dictionary(
      owners.map { owner in
        let members = (lists[owner] ?? [])
        return (owner, (relationship.isOrdered ? members : members.sorted()).compactMap { row($0, of: root) })
      }, uniquingKeysWith: { first, _ in first })
  }

  func numbers(of entities: [Entity]) throws -> [(number: Int64, entity: Entity)] {
    guard let table = entities.first.flatMap({ graph.tables[$0.root.name] }) else { return [] }
    let byName = Dictionary(entities.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
    return table.rows.compactMap { number, row in byName[row.entity].map { (number, $0) } }.sorted {
      $0.number < $1.number
    }
  }

  func row(_ number: Int64, of root: Entity) -> StoredRow? {
    guard let row = graph.tables[root.name]?.rows[number], let entity = model.entity(named: row.entity) else {
      return nil
    }
    let references = entity.relationships.map { relationship in
      row.references[relationship.index].map { reference(relationship, $0) }
    }
    return StoredRow(
      number: number, entity: entity, version: row.version, values: row.values, references: references)
  }

  private func reference(_ relationship: Relationship, _ number: Int64) -> StoredReference {
    let row = graph.tables[relationship.destination.root.name]?.rows[number]
    return StoredReference(number: number, entity: row.flatMap { model.entity(named: $0.entity) })
  }
}

/// Applies the changes of a write transaction to a memory graph.
final class MemoryGraphWriter: StoreWriter {
  private(set) var graph: MemoryGraph
  private let model: ObjectModel
  var reader: any StoreReader { MemoryGraphReader(graph: graph, model: model) }

  init(_ graph: MemoryGraph, model: ObjectModel) {
    self.graph = graph
    self.model = model
  }

  func reserve(_ count: Int, of root: Entity) throws -> Int64 {
    let first = (graph.tables[root.name]?.sequence ?? 0) + 1
    graph.tables[root.name, default: MemoryGraph.Table()].sequence += Int64(count)
    return first
  }

  func apply(_ changes: StoreChanges) throws { graph.apply(changes) }
}
