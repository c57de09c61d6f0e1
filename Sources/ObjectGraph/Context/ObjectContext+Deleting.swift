/// Deleting by the rules of relationships.
extension ObjectContext {
  /// Deletes an object and, by the rules of its relationships, others; all at once, as one step of undo. A deleted object is
  /// passed over. A `deny` is checked by the save, together with everything else.
  /// - Throws: `store`, `foreignObject`.
  public func delete(_ object: ManagedObject) throws(ObjectGraphError) {
    guard object.context === self else { throw .foreignObject(object.objectID) }
    guard object.state.isLive else { return }
    try translating {
      try undoGroup { try deleteTree(object) }
    }
  }

  /// Level by level, so that a level is read together and a deep tree needs no deep stack.
  private func deleteTree(_ first: ManagedObject) throws {
    var level = [first]
    while !level.isEmpty {
      try fire(level.filter { $0.state.existence == .unknown })
      level = level.filter(\.state.isLive)
      for object in level { apply(.existence(object, isLive: false)) }
      var next: [ManagedObject] = []
      for (entity, group) in Dictionary(grouping: level, by: \.entity).sorted(by: { $0.key.index < $1.key.index }) {
        for relationship in entity.relationships where relationship.deleteRule != .noAction {
          if relationship.isToMany { try loadLists(of: group, relationship) }
          for object in group { next += try leave(object, relationship) }
        }
      }
      level = next
    }
  }

  /// Does what the rule of one relationship says; the objects to be deleted next.
  private func leave(_ object: ManagedObject, _ relationship: Relationship) throws -> [ManagedObject] {
    let others = object.references(by: relationship)
    switch relationship.deleteRule {
    case .deny, .noAction: return []
    case .cascade: return others.filter(\.state.isLive)
    case .nullify:
      let inverse = relationship.inverse
      for other in others {
        try fire(other)
        // The object itself keeps its references for the undo.
        if inverse.isToMany {
          try take(object, outOf: other, inverse)
        } else if other.state.ones[inverse.index] === object {
          point(other, inverse, to: nil)
        }
      }
      return []
    }
  }
}
