/// The order of a merged list: mine's, or theirs' where only theirs moved values. Order is never a conflict.
struct ListOrder {
  private let base: [Place]
  private let mine: [Place]
  private let theirs: [Place]

  /// A value of a list and which of its copies.
  private struct Place: Hashable {
    let key: ValueKey
    let copy: Int
  }

  /// The values that are kept, with their indices in mine and theirs.
  typealias Survivor = (mine: Int?, theirs: Int?)

  init(base: [ValueKey], mine: [ValueKey], theirs: [ValueKey]) {
    self.base = Self.places(base)
    self.mine = Self.places(mine)
    self.theirs = Self.places(theirs)
  }

  /// The indices of the kept values, in the merged order.
  func order(of survivors: [Survivor]) -> [Int] {
    if Self.isMoved(theirs, from: base), !Self.isMoved(mine, from: base) {
      return Self.join(survivors.map { ($0.theirs, $0.mine) })
    }
    return Self.join(survivors.map { ($0.mine, $0.theirs) })
  }

  /// The leading list's order. What only the other list has is put in one by one: after the nearest value before it
  /// there, past values that only the leading list has; else before the nearest after it; else at the end.
  private static func join(_ survivors: [(leading: Int?, other: Int?)]) -> [Int] {
    var order = survivors.indices.filter { survivors[$0].leading != nil }
      .sorted { (survivors[$0].leading ?? 0) < (survivors[$1].leading ?? 0) }
    let others = survivors.indices.filter { survivors[$0].other != nil }
      .sorted { (survivors[$0].other ?? 0) < (survivors[$1].other ?? 0) }
    var isPlaced = survivors.map { $0.leading != nil }
    for (index, survivor) in others.enumerated() where survivors[survivor].leading == nil {
      if let before = others[..<index].last(where: { isPlaced[$0] }), let place = order.firstIndex(of: before) {
        var end = place + 1
        while end < order.count, survivors[order[end]].other == nil { end += 1 }
        order.insert(survivor, at: end)
      } else if let after = others[index...].first(where: { isPlaced[$0] }), let place = order.firstIndex(of: after) {
        order.insert(survivor, at: place)
      } else {
        order.append(survivor)
      }
      isPlaced[survivor] = true
    }
    return order
  }

  private static func places(_ keys: [ValueKey]) -> [Place] {
    var counts: [ValueKey: Int] = [:]
    return keys.map { key in
      defer { counts[key, default: 0] += 1 }
      return Place(key: key, copy: counts[key, default: 0])
    }
  }

  /// True when the values that both have are in a different order.
  private static func isMoved(_ places: [Place], from base: [Place]) -> Bool {
    let (held, known) = (Set(places), Set(base))
    return places.filter(known.contains) != base.filter(held.contains)
  }
}
