import Contacts
import VCard

/// A plan for writing the values of a list: the kept line of each value, and the position of its new line.
struct ListPlan {
  /// Where the line of a value is written.
  enum Position {
    /// Instead of a kept line.
    case line(Int)
    /// After a kept line, or at the beginning (-1).
    case after(Int)
    /// At the usual position of the field.
    case anywhere
  }

  /// The index of the kept line of each value; nil for a new value.
  private(set) var partner: [Int?]
  private var slots: [Int?]
  private let kept: ParsedCard
  private let indices: [Int]

  /// - Parameters:
  ///   - now: the values, in the contact's order.
  ///   - indices: the indices of the kept lines of the list.
  init(_ now: [CardField], _ kept: ParsedCard, _ indices: [Int]) {
    self.kept = kept
    self.indices = indices
    var partner: [Int?] = Array(repeating: nil, count: now.count)
    var free = indices
    func match(_ isSame: (CardField, CardField) -> Bool) {
      for (number, field) in now.enumerated() where partner[number] == nil {
        guard let offset = free.firstIndex(where: { kept.fields[$0].map { isSame($0, field) } ?? false }) else {
          continue
        }
        let index = free.remove(at: offset)
        partner[number] = index
        // Several lines with the same value were read as one.
        if field.isOftenRepeated { free.removeAll { kept.fields[$0] == kept.fields[index] } }
      }
    }
    match { $0 == $1 }
    match { $0.withoutLabel == $1.withoutLabel }
    match { $0.label == $1.label }
    self.partner = partner
    slots = partner
  }

  /// Returns the indices of further lines that say the same as this line.
  func repeats(of index: Int) -> [Int] {
    guard let field = kept.fields[index], field.isOftenRepeated else { return [] }
    return indices.filter { $0 != index && kept.fields[$0] == field }
  }

  /// Returns whether the values would be read in this order: preferred ones first, then in the order of the lines.
  /// - Parameter preferences: the preference of the line of each value.
  func isOrder(kept preferences: [Int?]) -> Bool {
    let ranks = preferences.indices.map { number -> [Int] in
      let position =
        switch position(of: number) {
        case .line(let index): [index, 0]
        case .after(let index): [index, number + 1]
        case .anywhere: [Int.max, number]
        }
      return [preferences[number] ?? Int.max] + position
    }
    return zip(ranks, ranks.dropFirst()).allSatisfy { $0.lexicographicallyPrecedes($1) }
  }

  /// Assigns the same lines to the values, but in the order of the values.
  mutating func followOrder() {
    var free = slots.compactMap { $0 }.sorted()[...]
    for number in slots.indices where slots[number] != nil { slots[number] = free.popFirst() }
  }

  /// Returns where a value is written. A new value comes after the line of the nearest earlier value in the list, or
  /// else before that of the nearest later one.
  func position(of number: Int) -> Position {
    if let slot = slots[number] { return .line(slot) }
    if let previous = slots[..<number].last(where: { $0 != nil }), let index = previous { return .after(index) }
    if let next = slots[number...].first(where: { $0 != nil }), let index = next { return .after(index - 1) }
    return .anywhere
  }
}

extension CardField {
  /// The label of a value; nil for a field without labels.
  var label: String? {
    switch self {
    case .value(_, let value): value.label
    case .address(let address): address.label
    default: nil
    }
  }
}
