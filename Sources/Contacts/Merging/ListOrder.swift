/// The order of a merged list: that of mine, or that of theirs if only theirs moved values. Order is never a conflict.
struct ListOrder {
  private let base: [Occurrence]
  private let mine: [Occurrence]
  private let theirs: [Occurrence]

  /// A value of a list, and the number of the copy, from 0, if it occurs more than once.
  private struct Occurrence: Hashable {
    let key: ValueKey
    let copy: Int
  }

  /// The values that are kept, with their indexes in mine and theirs.
  typealias Survivor = (mine: Int?, theirs: Int?)

  init(base: [ValueKey], mine: [ValueKey], theirs: [ValueKey]) {
    self.base = Self.occurrences(base)
    self.mine = Self.occurrences(mine)
    self.theirs = Self.occurrences(theirs)
  }

  /// Returns the indexes of the kept values, in the merged order.
  func order(of survivors: [Survivor]) -> [Int] {
    if Self.isMoved(theirs, from: base), !Self.isMoved(mine, from: base) {
      return Self.join(survivors.map { ($0.theirs, $0.mine) })
    }
    return Self.join(survivors.map { ($0.mine, $0.theirs) })
  }

  /// Returns the order of the leading list. Values that only the other list has are inserted one by one: after the
  /// nearest placed value before them there, and after any values that only the leading list has at that point; or else
  /// before the nearest placed value after them; or else at the end.
  private static func join(_ survivors: [(leading: Int?, other: Int?)]) -> [Int] {
    var order = survivors.indices.filter { survivors[$0].leading != nil }
      .sorted { (survivors[$0].leading ?? 0) < (survivors[$1].leading ?? 0) }
    let others = survivors.indices.filter { survivors[$0].other != nil }
      .sorted { (survivors[$0].other ?? 0) < (survivors[$1].other ?? 0) }
    var isPlaced = survivors.map { $0.leading != nil }
    for (index, survivor) in others.enumerated() where survivors[survivor].leading == nil {
      if let before = others[..<index].last(where: { isPlaced[$0] }), let position = order.firstIndex(of: before) {
        var end = position + 1
        while end < order.count, survivors[order[end]].other == nil { end += 1 }
        order.insert(survivor, at: end)
      } else if let after = others[index...].first(where: { isPlaced[$0] }), let position = order.firstIndex(of: after)
      {
        order.insert(survivor, at: position)
      } else {
        order.append(survivor)
      }
      isPlaced[survivor] = true
    }
    return order
  }

  private static func occurrences(_ keys: [ValueKey]) -> [Occurrence] {
    var counts: [ValueKey: Int] = [:]
    return keys.map { key in
      defer { counts[key, default: 0] += 1 }
      return Occurrence(key: key, copy: counts[key, default: 0])
    }
  }

  /// Returns whether the values that both have are in a different order.
  private static func isMoved(_ occurrences: [Occurrence], from base: [Occurrence]) -> Bool {
    let (held, known) = (Set(occurrences), Set(base))
    return occurrences.filter(known.contains) != base.filter(held.contains)
  }
}

/// An element of a list, as the merge of lists sees it.
struct MergedItem<Value> {
  /// What a merge needs to know about a value. It is not a protocol, because the key of a labeled value depends on its
  /// field.
  struct Kind {
    let key: (Value) -> ValueKey
    let label: (Value) -> String
    let relabeled: (Value, String) -> Value
    let isExact: (Value, Value) -> Bool
  }

  let value: Value
  let key: ValueKey
  /// The label, regardless of case.
  let label: String

  init(_ value: Value, _ kind: Kind) {
    self.value = value
    key = kind.key(value)
    label = SameText.folded(kind.label(value))
  }
}

extension MergedItem<LabeledValue>.Kind {
  static func values(of field: ContactField.Values) -> Self {
    Self(
      key: field.key, label: \.label, relabeled: { LabeledValue(label: $1, value: $0.value) },
      isExact: { SameText.isExact($0.label, $1.label) && SameText.isExact($0.value, $1.value) })
  }
}

extension MergedItem<PostalAddress>.Kind {
  static var addresses: Self {
    Self(
      key: \.key, label: \.label,
      relabeled: { address, label in
        var address = address
        address.label = label
        return address
      },
      isExact: { one, other in
        SameText.isExact(one.label, other.label)
          && AddressPart.inCardOrder.allSatisfy { SameText.isExact(one[$0], other[$0]) }
      })
  }
}

extension MergedItem<CardLineUnit>.Kind {
  static var units: Self {
    Self(key: \.key, label: { _ in "" }, relabeled: { unit, _ in unit }, isExact: { $0.isExact($1) })
  }
}
