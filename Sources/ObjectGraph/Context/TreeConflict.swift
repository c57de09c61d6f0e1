/// An object with its parts, as a value.
public struct ObjectTree: Hashable, Sendable {
  /// The id of the object.
  public let object: ObjectID
  /// Attributes by name. Those that are read on demand may be missing.
  public let values: [String: Value]
  /// The parts in to-manys, by relationship and in order.
  public let parts: [String: [ObjectTree]]
}

/// All conflicts about an object and its parts, for the user to resolve.
public struct TreeConflict: Hashable, Sendable {
  /// The object that the parts belong to.
  public let object: ObjectID
  /// The object as the context last read or saved it, with parts that it has not read yet as they are now; after a
  /// refused undo or redo, the conflicting attributes are as the step left them.
  public let base: ObjectTree
  /// The object in the context; after a refused undo or redo, the conflicting attributes are as that would leave them.
  /// Nil if the object is deleted.
  public let mine: ObjectTree?
  /// The object in the store; nil if it was deleted there.
  public let theirs: ObjectTree?
  /// Key paths that both sides changed, such as `name` or `phones[1].value`. The path names the part as a whole, such
  /// as `phones[1]`, if one side deleted the part or its attributes are merged as one value. Empty if one side deleted
  /// the object.
  public let fields: [String]
}

extension ObjectContext {
  /// Returns the conflicts of a refused save, undo or redo, one for each object with its parts.
  /// - Throws: `store` if the objects cannot be read.
  public func treeConflicts(_ conflicts: [SaveConflict]) throws(ObjectGraphError) -> [TreeConflict] {
    var groups: [(root: ManagedObject, conflicts: [(object: ManagedObject, conflict: SaveConflict)])] = []
    for conflict in conflicts {
      guard let object = registered(conflict.object) else { continue }
      let root = object.root
      if let index = groups.firstIndex(where: { $0.root === root }) {
        groups[index].conflicts.append((object, conflict))
      } else {
        groups.append((root, [(object, conflict)]))
      }
    }
    return try translating {
      try groups.map { try TreeConflictBuilder(self, $0.conflicts).conflict(about: $0.root) }
    }
  }
}

private struct TreeConflictBuilder {
  private let context: ObjectContext
  private let conflicts: [(object: ManagedObject, conflict: SaveConflict)]

  init(_ context: ObjectContext, _ conflicts: [(object: ManagedObject, conflict: SaveConflict)]) {
    self.context = context
    self.conflicts = conflicts
  }

  func conflict(about root: ManagedObject) throws -> TreeConflict {
    let theirs = try context.source.snapshots(of: [root.objectID])[root.objectID].map(stored)
    let own = conflicts.first { $0.object === root }?.conflict
    let isDeletedHere = own?.deleted == .mine || (own?.deleted == nil && !root.state.isLive)
    let fields = theirs == nil || isDeletedHere || own?.deleted != nil ? [] : conflicts.flatMap(paths)
    return TreeConflict(
      object: root.objectID, base: try tree(root, committed: true),
      mine: isDeletedHere ? nil : try tree(root, committed: false), theirs: theirs,
      fields: fields.sorted { $0.order.lexicographicallyPrecedes($1.order) }.map(\.path))
  }

  /// Returns paths with their sort order: an object's own properties first, and then its parts by relationship and
  /// index.
  private func paths(
    _ object: ManagedObject, _ conflict: SaveConflict
  ) -> [(path: String, order: [Int])] {
    func order(_ name: String) -> Int {
      switch object.entity.property(named: name) {
      case .attribute(let attribute): attribute.index
      case .relationship(let relationship): object.entity.attributes.count + relationship.index
      case nil: 0
      }
    }
    var path = ""
    var position: [Int] = []
    for part in object.lineage.dropFirst() {
      guard let list = part.entity.owner?.inverse else { continue }
      let index = list.isToMany ? part.indexInOwner : 0
      path += (path.isEmpty ? "" : ".") + list.name + (list.isToMany ? "[\(index)]" : "")
      position += [list.index, index]
    }
    let isOne = conflict.deleted != nil || object.isInserted || object.entity.description.isAtomic
    if isOne, !path.isEmpty {
      return conflict.fields.isEmpty && conflict.deleted == nil && !object.isInserted ? [] : [(path, position)]
    }
    return conflict.fields.keys.map { (path.isEmpty ? $0 : "\(path).\($0)", position + [-1, order($0)]) }
  }

  // MARK: - Trees

  private func tree(_ object: ManagedObject, committed: Bool) throws -> ObjectTree {
    var values: [String: Value] = [:]
    for attribute in object.entity.attributes where object.state.values.indices.contains(attribute.index) {
      guard !object.state.unread.contains(attribute.index) else { continue }
      values[attribute.name] =
        committed ? object.state.committedValues[attribute.index] : object.state.values[attribute.index]
    }
    for (name, field) in conflicts.first(where: { $0.object === object })?.conflict.fields ?? [:]
    where object.entity.attribute(named: name) != nil {
      values[name] = committed ? field.base : field.mine
    }
    var parts: [String: [ObjectTree]] = [:]
    for list in object.entity.partLists {
      try context.loadList(object, list)
      let members = object.state.lists[list.index]
      var items =
        committed ? members.savedMembers(isOrdered: list.isOrdered) : members.items.filter(\.state.isLive)
      if !list.isOrdered { items.sort { $0.firstSave < $1.firstSave } }
      parts[list.name] = try items.map { try tree($0, committed: committed) }
    }
    return ObjectTree(object: object.objectID, values: values, parts: parts)
  }

  private func stored(_ snapshot: ObjectSnapshot) throws -> ObjectTree {
    var values: [String: Value] = [:]
    for attribute in snapshot.entity.attributes where !snapshot.unread.contains(attribute.index) {
      values[attribute.name] = snapshot.values[attribute.index]
    }
    var parts: [String: [ObjectTree]] = [:]
    for list in snapshot.entity.partLists {
      parts[list.name] = try (context.source.members(list, of: [snapshot.id])[snapshot.id] ?? []).map(stored)
    }
    return ObjectTree(object: snapshot.id, values: values, parts: parts)
  }
}

extension ManagedObject {
  /// Orders objects by their first saves, unsaved ones last.
  var firstSave: (Int64, Int) { (objectID.number ?? .max, insertionOrder) }

  /// The outermost object that this one is a part of, or itself.
  fileprivate var root: ManagedObject { lineage[0] }

  /// The objects that this one is a part of, outermost first, and the object itself.
  fileprivate var lineage: [ManagedObject] {
    var lineage = [self]
    var seen: Set = [ObjectIdentifier(self)]
    while let owner = lineage[0].entity.owner,
      let next = lineage[0].state.ones[owner.index] ?? lineage[0].state.committedOnes[owner.index],
      seen.insert(ObjectIdentifier(next)).inserted
    {
      lineage.insert(next, at: 0)
    }
    return lineage
  }

  /// The object's index in its owner's list, or its last index before it was removed elsewhere.
  fileprivate var indexInOwner: Int {
    guard let relationship = entity.owner,
      let owner = state.ones[relationship.index] ?? state.committedOnes[relationship.index]
    else { return 0 }
    return owner.state.lists[relationship.inverse.index].items.firstIndex { $0 === self } ?? previousIndex ?? 0
  }
}
