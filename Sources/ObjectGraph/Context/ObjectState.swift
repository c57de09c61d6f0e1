/// The mutable state of an object as a value, so that a refused save can restore it.
struct ObjectState {
  /// Whether the source has the object, as far as the context knows.
  enum Existence {
    /// Not read yet: the object is a fault.
    case unknown
    /// The source has it.
    case exists
    /// The source does not have it, not yet or no longer.
    case absent
  }

  var existence = Existence.unknown
  /// False once the object is deleted, saved or not.
  var isLive = true
  /// True when the object was gone before it was first read; its values are defaults.
  var isMissing = false
  /// True while the object is deleted in the store and its row is still there, marked.
  var isMarked = false
  /// The version that was last read or saved.
  var version: Int64 = 0
  var committedValues: [Value] = []
  var values: [Value] = []
  /// Indexes of attributes that are read on demand and were not read yet; their values are null here.
  var unread: Set<Int> = []
  /// True when a save increments the object's version even if its row is unchanged, because its parts or members
  /// changed.
  var raisesVersion = false
  /// By the index of the relationship; nil for to-manys. Targets may be deleted objects, which readers see as nil.
  var committedOnes: [ManagedObject?]
  var ones: [ManagedObject?]
  /// By the index of the relationship; empty for to-ones.
  var lists: [MemberList]

  /// The arrays in the state of a fault. Contexts keep one for each entity, so that all faults share them.
  struct BlankArrays {
    let ones: [ManagedObject?]
    let lists: [MemberList]

    init(_ entity: Entity) {
      let count = entity.record.relationships.count
      ones = Array(repeating: nil, count: count)
      lists = Array(repeating: MemberList(), count: count)
    }
  }

  init(_ arrays: BlankArrays) {
    committedOnes = arrays.ones
    ones = arrays.ones
    lists = arrays.lists
  }

  /// Creates the state of a fault.
  init(_ entity: Entity) { self.init(BlankArrays(entity)) }

  /// Creates the state of an object that is not in the source: its lists are empty.
  init(inserted entity: Entity) {
    self.init(entity)
    existence = .absent
    values = entity.record.attributes.map(\.description.defaultValue)
    committedValues = values
    for index in lists.indices { lists[index].isLoaded = true }
  }
}

extension ObjectState {
  /// Drops all references to other objects.
  mutating func detach(with arrays: BlankArrays) {
    ones = arrays.ones
    committedOnes = arrays.ones
    lists = arrays.lists
  }
}

extension ManagedObject {
  /// True when the object's own row (its attributes and to-ones) differs from what was last read or saved, or its
  /// version has to be incremented.
  var isRowChanged: Bool {
    guard state.existence != .unknown else { return false }
    if state.raisesVersion || state.values != state.committedValues { return true }
    return entity.toOnes.contains { state.ones[$0.index]?.storable !== state.committedOnes[$0.index] }
  }

  /// True when the members or the order of a to-many differ from what was last read or saved.
  var isListChanged: Bool {
    zip(entity.record.relationships, state.lists).contains { relationship, list in
      guard relationship.description.isToMany else { return false }
      return list.hasDelta || (relationship.description.isOrdered && list.isReordered)
    }
  }

  /// True when a save has to write something for the object.
  var isChanged: Bool {
    switch state.existence {
    case .absent: state.isLive
    case .exists: !state.isLive || isRowChanged || isListChanged
    case .unknown: isListChanged
    }
  }

  /// The object; nil if it was deleted before its first save, because a reference to such an object is stored as nil.
  var storable: ManagedObject? {
    !state.isLive && state.existence == .absent && objectID.isTemporary ? nil : self
  }
}
