/// One end of a to-many relationship, as a context sees it.
///
/// A list that is not loaded yet holds the members known from edits and from objects that were read, so both ends agree
/// before and after it is loaded. Members may be deleted objects; readers skip them.
struct MemberList {
  /// Whether the list has all members.
  var isLoaded = false
  private(set) var items: [ManagedObject] = []
  /// Nil for most lists, which makes it faster to copy them with the state of their object.
  private var details: Details?

  private struct Details {
    var committed: [ManagedObject] = []
    var added: [ObjectIdentifier: ManagedObject] = [:]
    var removed: [ObjectIdentifier: ManagedObject] = [:]
    var indexes: [ObjectIdentifier: Int]?

    var isEmpty: Bool { committed.isEmpty && added.isEmpty && removed.isEmpty && indexes == nil }
  }

  /// The members last read or saved, in order. Only valid for ordered lists that are loaded.
  private(set) var committed: [ManagedObject] {
    get { details?.committed ?? [] }
    set { change { $0.committed = newValue } }
  }
  /// Members that were added since the list was last read or saved.
  private(set) var added: [ObjectIdentifier: ManagedObject] {
    get { details?.added ?? [:] }
    set { change { $0.added = newValue } }
  }
  /// Members that were removed since the list was last read or saved.
  private(set) var removed: [ObjectIdentifier: ManagedObject] {
    get { details?.removed ?? [:] }
    set { change { $0.removed = newValue } }
  }
  /// The index of each item; built on first use, for long lists only.
  private var indexes: [ObjectIdentifier: Int]? {
    get { details?.indexes }
    set { change { $0.indexes = newValue } }
  }

  /// Changes the details in place, without copying their collections.
  private mutating func change<Result>(_ body: (inout Details) -> Result) -> Result {
    var changed = details ?? Details()
    details = nil
    defer { if !changed.isEmpty { details = changed } }
    return body(&changed)
  }

  /// True when members were added or removed. For the order, see ``isReordered``.
  var hasDelta: Bool { !added.isEmpty || !removed.isEmpty }

  /// True when the order differs from what was last read or saved. Only valid for ordered lists.
  var isReordered: Bool {
    isLoaded && !items.elementsEqual(committed, by: ===)
  }

  /// Returns the members last read or saved; in order if the list is ordered and loaded.
  func savedMembers(isOrdered: Bool) -> [ManagedObject] {
    isOrdered && isLoaded ? committed : items.filter { added[ObjectIdentifier($0)] == nil } + removed.values
  }

  mutating func index(of member: ManagedObject) -> Int? {
    if items.count <= 16 { return items.firstIndex { $0 === member } }
    if details?.indexes != nil { return details?.indexes?[ObjectIdentifier(member)] }
    let built = Dictionary(
      items.enumerated().map { (ObjectIdentifier($1), $0) }, uniquingKeysWith: { first, _ in first })
    indexes = built
    return built[ObjectIdentifier(member)]
  }

  mutating func contains(_ member: ManagedObject) -> Bool { index(of: member) != nil }

  // MARK: - Edits

  /// Inserts an object that is not a member yet.
  mutating func insert(_ member: ManagedObject, at index: Int?) {
    put(member, at: index)
    let id = ObjectIdentifier(member)
    change { if $0.removed.removeValue(forKey: id) == nil { $0.added[id] = member } }
  }

  /// - Parameter keepsOrder: whether the other members keep their order.
  mutating func remove(_ member: ManagedObject, keepsOrder: Bool) {
    removeItem(member, keepsOrder: keepsOrder)
    let id = ObjectIdentifier(member)
    change { if $0.added.removeValue(forKey: id) == nil { $0.removed[id] = member } }
  }

  // MARK: - Saved state

  /// Records that the source has a member.
  /// - Parameter isOrdered: false only if the list is known to be unordered.
  mutating func commitInsertion(_ member: ManagedObject, isOrdered: Bool = true) {
    if isOrdered { change { $0.committed.append(member) } }
    let wasAdded = !added.isEmpty && change { $0.added.removeValue(forKey: ObjectIdentifier(member)) } != nil
    if !wasAdded, !contains(member) { put(member, at: nil) }
  }

  /// Records that a member was removed elsewhere.
  mutating func commitRemoval(_ member: ManagedObject, keepsOrder: Bool) {
    let id = ObjectIdentifier(member)
    if let index = index(of: member) { member.previousIndex = index }
    change { $0.committed.removeAll { $0 === member } }
    if change({ $0.removed.removeValue(forKey: id) }) == nil, added[id] == nil {
      removeItem(member, keepsOrder: keepsOrder)
    }
  }

  /// Loads the members that the source has. Other members that are already known follow them.
  mutating func load(_ members: [ManagedObject], isOrdered: Bool) {
    let known = items
    let ids = Set(members.map(ObjectIdentifier.init))
    items =
      members.filter { removed[ObjectIdentifier($0)] == nil } + known.filter { !ids.contains(ObjectIdentifier($0)) }
    // A member that the source already has is no longer an addition.
    if !added.isEmpty { change { for id in ids { $0.added[id] = nil } } }
    let added = added
    committed =
      isOrdered
      ? members + known.filter { !ids.contains(ObjectIdentifier($0)) && added[ObjectIdentifier($0)] == nil } : []
    indexes = nil
    isLoaded = true
  }

  /// Makes the current state the saved one.
  mutating func commit(isOrdered: Bool) {
    guard details != nil || isOrdered else { return }
    added = [:]
    removed = [:]
    committed = isOrdered && isLoaded ? items : []
  }

  /// Goes back to the saved state.
  mutating func revert(isOrdered: Bool) {
    guard hasDelta || isOrdered else { return }
    items = savedMembers(isOrdered: isOrdered)
    added = [:]
    removed = [:]
    indexes = nil
  }

  /// Makes all members count as added, because the owner will be inserted again.
  mutating func markAllAdded() {
    added = Dictionary(items.map { (ObjectIdentifier($0), $0) }, uniquingKeysWith: { first, _ in first })
    removed = [:]
    committed = []
  }

  /// Sets both the current and the saved order. Does nothing if members were added or removed.
  mutating func setCommittedOrder(_ order: [ManagedObject]) {
    guard !hasDelta else { return }
    items = order
    committed = order
    indexes = nil
  }

  /// Adopts an order that was saved elsewhere, unless this context has reordered the list. Members that only this
  /// context has keep their indexes where possible.
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
      details?.indexes?[ObjectIdentifier(member)] = items.count
      items.append(member)
    }
  }

  private mutating func removeItem(_ member: ManagedObject, keepsOrder: Bool) {
    guard let index = index(of: member) else { return }
    if index == items.count - 1 {
      items.removeLast()
      details?.indexes?[ObjectIdentifier(member)] = nil
    } else if keepsOrder {
      items.remove(at: index)
      indexes = nil
    } else {
      items[index] = items[items.count - 1]
      items.removeLast()
      details?.indexes?[ObjectIdentifier(member)] = nil
      details?.indexes?[ObjectIdentifier(items[index])] = index
    }
  }
}
