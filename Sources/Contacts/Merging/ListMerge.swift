/// A merge of three states of a list of labeled values, which is a multiset: a value may occur more than once, and the
/// order is the user's.
///
/// Two values are the same when their keys are equal. A value that occurs at most once in each state is merged with its
/// label like a field of its own. If a value occurs more than once, the copies with each label are counted.
struct ListMerge<Value> {
  typealias Item = MergedItem<Value>

  /// A value that both sides changed, as it is in each state; nil where it is missing.
  struct Conflict {
    let base: Value?
    let mine: Value?
    let theirs: Value?
    let kept: MergeConflict.Kept
  }

  /// The merged list. A value to which the sides gave different labels has the label of mine.
  private(set) var merged: [Value] = []
  /// The merged list, but with the value of theirs where a conflict is open.
  private(set) var counterpart: [Value] = []
  private(set) var conflicts: [Conflict] = []

  private let kind: Item.Kind
  private let base: [Item]
  private let mine: [Item]
  private let theirs: [Item]

  init(base: [Value], mine: [Value], theirs: [Value], kind: Item.Kind) {
    self.kind = kind
    self.base = base.map { Item($0, kind) }
    self.mine = mine.map { Item($0, kind) }
    self.theirs = theirs.map { Item($0, kind) }
    if Self.isExact(mine, base, kind) {
      (merged, counterpart) = (theirs, theirs)
    } else if Self.isExact(theirs, base, kind) || Self.isExact(mine, theirs, kind) {
      (merged, counterpart) = (mine, mine)
    } else {
      mergeByValue()
      reachStableOrder()
    }
  }

  /// Merges again until the order no longer changes, at most four times. If values were both moved and removed, or
  /// occur more than once, merging mine with the result could otherwise give another order.
  private mutating func reachStableOrder() {
    for _ in 0..<4 {
      var again = Self(items: self.base, self.mine, counterpart.map { Item($0, kind) }, kind)
      again.mergeByValue()
      if Self.isExact(again.merged, merged, kind), Self.isExact(again.counterpart, counterpart, kind) { return }
      (merged, counterpart) = (again.merged, again.counterpart)
    }
  }

  private init(items base: [Item], _ mine: [Item], _ theirs: [Item], _ kind: Item.Kind) {
    self.base = base
    self.mine = mine
    self.theirs = theirs
    self.kind = kind
  }

  static func isExact(_ one: [Value], _ other: [Value], _ kind: Item.Kind) -> Bool {
    one.count == other.count && zip(one, other).allSatisfy(kind.isExact)
  }

  private mutating func mergeByValue() {
    let bases = Dictionary(grouping: base.indices) { base[$0].key }
    let mineByKey = Dictionary(grouping: mine.indices) { mine[$0].key }
    let others = Dictionary(grouping: theirs.indices) { theirs[$0].key }
    var survivors: [Survivor] = []
    for key in keysInOrder() {
      let (b, m, t) = (bases[key] ?? [], mineByKey[key] ?? [], others[key] ?? [])
      if b.count <= 1, m.count <= 1, t.count <= 1 {
        if let survivor = single(b.first, m.first, t.first) { survivors.append(survivor) }
      } else {
        survivors += copies(b, m, t)
      }
    }
    let order = ListOrder(base: base.map(\.key), mine: mine.map(\.key), theirs: theirs.map(\.key))
      .order(of: survivors.map { ($0.mine, $0.theirs) })
    merged = order.map { survivors[$0].value }
    counterpart = order.map { survivors[$0].counterpart ?? survivors[$0].value }
  }

  /// A value that is kept, and its index on each side.
  private struct Survivor {
    let value: Value
    var counterpart: Value?
    let mine: Int?
    let theirs: Int?
  }

  private func keysInOrder() -> [ValueKey] {
    var seen: Set<ValueKey> = []
    return (base + mine + theirs).map(\.key).filter { seen.insert($0).inserted }
  }

  // MARK: A value that occurs at most once

  private mutating func single(_ b: Int?, _ m: Int?, _ t: Int?) -> Survivor? {
    switch (b, m, t) {
    case (_, let m?, let t?): return onBothSides(b, m, t)
    case (nil, let m?, nil): return Survivor(value: mine[m].value, mine: m, theirs: nil)
    case (nil, nil, let t?): return Survivor(value: theirs[t].value, mine: nil, theirs: t)
    case (let b?, let m?, nil):
      if mine[m].label == base[b].label { return nil }
      conflicts.append(Conflict(base: base[b].value, mine: mine[m].value, theirs: nil, kept: .mine))
      return Survivor(value: mine[m].value, mine: m, theirs: nil)
    case (let b?, nil, let t?):
      if theirs[t].label == base[b].label { return nil }
      conflicts.append(Conflict(base: base[b].value, mine: nil, theirs: theirs[t].value, kept: .theirs))
      return Survivor(value: theirs[t].value, mine: nil, theirs: t)
    case (_, nil, nil): return nil
    }
  }

  private mutating func onBothSides(_ b: Int?, _ m: Int, _ t: Int) -> Survivor {
    let (my, their) = (mine[m], theirs[t])
    let known = b.map { base[$0] }
    var label: String?
    if my.label == their.label {
      // If mine did not respell the label, theirs may have.
      let isRespelled = known.map { SameText.isExact(kind.label($0.value), kind.label(my.value)) } ?? false
      label = kind.label(isRespelled ? their.value : my.value)
    } else if let known {
      if my.label == known.label { label = kind.label(their.value) }
      if their.label == known.label { label = kind.label(my.value) }
    } else if my.label.isEmpty {
      label = kind.label(their.value)
    } else if their.label.isEmpty {
      label = kind.label(my.value)
    }
    guard let label else {
      conflicts.append(Conflict(base: known?.value, mine: my.value, theirs: their.value, kept: .each))
      return Survivor(value: my.value, counterpart: their.value, mine: m, theirs: t)
    }
    return Survivor(value: kind.relabeled(spelling(my, their, known), label), mine: m, theirs: t)
  }

  /// Returns mine's spelling of a value, unless only theirs changed it.
  private func spelling(_ my: Item, _ their: Item, _ known: Item?) -> Value {
    guard let known else { return my.value }
    let isUnchanged = kind.isExact(kind.relabeled(my.value, ""), kind.relabeled(known.value, ""))
    return isUnchanged ? their.value : my.value
  }

  // MARK: A value that occurs more than once

  private func copies(_ b: [Int], _ m: [Int], _ t: [Int]) -> [Survivor] {
    var labels: [String] = []
    for label in m.map({ mine[$0].label }) + t.map({ theirs[$0].label }) where !labels.contains(label) {
      labels.append(label)
    }
    let stay = labels.flatMap { label -> [Survivor] in
      let pairs = pairs(m.filter { mine[$0].label == label }, t.filter { theirs[$0].label == label })
      let (bCount, mCount, tCount) = (
        b.count { base[$0].label == label }, pairs.count { $0.mine != nil }, pairs.count { $0.theirs != nil }
      )
      let count =
        if mCount == bCount {
          tCount
        } else if tCount == bCount {
          mCount
        } else if mCount > bCount || tCount > bCount {
          max(mCount, tCount)
        } else {
          min(mCount, tCount)
        }
      return pairs.prefix(count).compactMap(copy)
    }
    // The sides removed different duplicates: the value must not be lost.
    if stay.isEmpty, !m.isEmpty, !t.isEmpty { return m.map { Survivor(value: mine[$0].value, mine: $0, theirs: nil) } }
    return stay
  }

  private typealias Pair = (mine: Int?, theirs: Int?)

  /// Returns the copies of one label on both sides: first those that are spelled alike, then the others in their order,
  /// then the surplus of one side.
  private func pairs(_ m: [Int], _ t: [Int]) -> [Pair] {
    var (m, t) = (m, t)
    var pairs: [Pair] = []
    for index in m {
      guard let other = t.firstIndex(where: { kind.isExact(mine[index].value, theirs[$0].value) }) else { continue }
      pairs.append((index, t.remove(at: other)))
      m.removeAll { $0 == index }
    }
    let shared = min(m.count, t.count)
    pairs += zip(m, t).map { ($0, $1) }
    return pairs + m.dropFirst(shared).map { ($0, nil) } + t.dropFirst(shared).map { (nil, $0) }
  }

  /// Returns the copy in mine's spelling if mine has it, because it is unknown which of several copies was respelled.
  private func copy(_ pair: Pair) -> Survivor? {
    if let m = pair.mine { return Survivor(value: mine[m].value, mine: m, theirs: pair.theirs) }
    return pair.theirs.map { Survivor(value: theirs[$0].value, mine: nil, theirs: $0) }
  }
}
