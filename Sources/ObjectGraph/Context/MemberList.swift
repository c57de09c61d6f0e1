/// One end of a to-many relationship, as a context has it.
///
/// A list that was not read yet holds the members that are known anyhow: by to-ones that were read, or by edits. So both ends
/// agree before and after it is read. Members may be deleted objects (`deny`, `noAction`); readers pass them over.
struct MemberList {
  /// Whether the members in the source were read.
  var isLoaded = false
  private(set) var items: [ManagedObject] = []
  /// What was read or saved last, in order. Kept for ordered lists that are loaded.
  private(set) var committed: [ManagedObject] = []
  /// Members now that were not when it was read or saved last.
  private(set) var added: [ObjectIdentifier: ManagedObject] = [:]
  /// Members then that are none now.
  private(set) var removed: [ObjectIdentifier: ManagedObject] = [:]
  /// Where the items are; built when asked of a long list.
  private var indexes: [ObjectIdentifier: Int]?

  /// True when members came or went; an order is compared by ``isReordered``.
  var hasDelta: Bool { !added.isEmpty || !removed.isEmpty }

  /// True when the order is not what was read or saved last. Asked of ordered lists.
  var isReordered: Bool {
    isLoaded && !items.elementsEqual(committed, by: ===)
  }

  /// True when it holds on to nobody.
  var isEmpty: Bool { items.isEmpty && committed.isEmpty && added.isEmpty && removed.isEmpty }

  mutating func index(of member: ManagedObject) -> Int? {
    if items.count <= 16 { return items.firstIndex { $0 === member } }
    if let indexes { return indexes[ObjectIdentifier(member)] }
    let built = Dictionary(
      items.enumerated().map { (ObjectIdentifier($1), $0) }, uniquingKeysWith: { first, _ in first })
    indexes = built
    return built[ObjectIdentifier(member)]
  }

  mutating func contains(_ member: ManagedObject) -> Bool { index(of: member) != nil }

  // MARK: - Edits

  /// Puts in a member who is not there.
  mutating func insert(_ member: ManagedObject, at index: Int?) {
    put(member, at: index)
    let id = ObjectIdentifier(member)
    if removed.removeValue(forKey: id) == nil { added[id] = member }
  }

  /// Takes out a member who is there.
  /// - Parameter keepsOrder: whether the others stay in their order.
  mutating func remove(_ member: ManagedObject, keepsOrder: Bool) {
    take(member, keepsOrder: keepsOrder)
    let id = ObjectIdentifier(member)
    if added.removeValue(forKey: id) == nil { removed[id] = member }
  }

  // MARK: - What was read or saved

  /// Somebody else put in a member.
  mutating func commitInsertion(_ member: ManagedObject) {
    let id = ObjectIdentifier(member)
    committed.append(member)
    if added.removeValue(forKey: id) == nil, !contains(member) { put(member, at: nil) }
  }

  /// Somebody else took out a member.
  mutating func commitRemoval(_ member: ManagedObject, keepsOrder: Bool) {
    let id = ObjectIdentifier(member)
    if let index = index(of: member) { member.formerIndex = index }
    committed.removeAll { $0 === member }
    if removed.removeValue(forKey: id) == nil, added[id] == nil { take(member, keepsOrder: keepsOrder) }
  }

  /// Takes over what the source has; known members stay behind.
  mutating func load(_ members: [ManagedObject], isOrdered: Bool) {
    let known = items
    let ids = Set(members.map(ObjectIdentifier.init))
    items =
      members.filter { removed[ObjectIdentifier($0)] == nil } + known.filter { !ids.contains(ObjectIdentifier($0)) }
    // What the source has already is no addition any more.
    for id in ids { added[id] = nil }
    committed =
      isOrdered
      ? members + known.filter { !ids.contains(ObjectIdentifier($0)) && added[ObjectIdentifier($0)] == nil } : []
    indexes = nil
    isLoaded = true
  }

  /// Everything is saved as it is now.
  mutating func commit(isOrdered: Bool) {
    added = [:]
    removed = [:]
    committed = isOrdered && isLoaded ? items : []
  }

  /// Goes back to what was read or saved last.
  mutating func revert(isOrdered: Bool) {
    guard hasDelta || isOrdered else { return }
    if isOrdered && isLoaded {
      items = committed
    } else {
      items = items.filter { added[ObjectIdentifier($0)] == nil } + Array(removed.values)
    }
    added = [:]
    removed = [:]
    indexes = nil
  }

  /// All members count as added: the owner will be inserted again.
  mutating func uncommit() {
    added = Dictionary(items.map { (ObjectIdentifier($0), $0) }, uniquingKeysWith: { first, _ in first })
    removed = [:]
    committed = []
  }

  /// Puts the members that the order names first, in that order.
  mutating func reorderCommitted(_ order: [ManagedObject]) {
    guard !hasDelta else { return }
    items = order
    committed = order
    indexes = nil
  }

  /// Somebody else saved this order. Unless this context has another, the members are in it, and those that only this context
  /// has stay at their indexes.
  mutating func mergeOrder(_ order: [ManagedObject]) {
    let present = Set(items.map(ObjectIdentifier.init))
    let before = committed.filter { present.contains(ObjectIdentifier($0)) }
    let known = Set(before.map(ObjectIdentifier.init))
    let isReordered = !items.filter { known.contains(ObjectIdentifier($0)) }.elementsEqual(before, by: ===)
    committed = order
    guard !isReordered else { return }
    let saved = Set(order.map(ObjectIdentifier.init))
    var merged = order.filter { present.contains(ObjectIdentifier($0)) }
    for (index, item) in items.enumerated() where !saved.contains(ObjectIdentifier(item)) {
      merged.insert(item, at: min(index, merged.count))
    }
    items = merged
    indexes = nil
  }

  private mutating func put(_ member: ManagedObject, at index: Int?) {
    if let index, index < items.count {
      items.insert(member, at: index)
      indexes = nil
    } else {
      indexes?[ObjectIdentifier(member)] = items.count
      items.append(member)
    }
  }

  private mutating func take(_ member: ManagedObject, keepsOrder: Bool) {
    guard let index = index(of: member) else { return }
    if index == items.count - 1 {
      items.removeLast()
      indexes?[ObjectIdentifier(member)] = nil
    } else if keepsOrder {
      items.remove(at: index)
      indexes = nil
    } else {
      items[index] = items[items.count - 1]
      items.removeLast()
      indexes?[ObjectIdentifier(member)] = nil
      indexes?[ObjectIdentifier(items[index])] = index
    }
  }
}
