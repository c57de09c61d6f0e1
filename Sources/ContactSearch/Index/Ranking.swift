/// Ranks rows that match a query: each text term counts by its best field, and the terms by their mean.
struct Ranking {
  private let terms: [(term: TextTerm, compiled: CompiledTerm?)]
  private let people: PackedPeople
  private let lexicon: Lexicon
  private var finder = PathFinder()

  /// The value of a whole-name match, which makes a score of 1.
  static let highest = Double(
    FieldKind.name.weight + PathFinder.startBonus + PathFinder.wholeBonus + PathFinder.shareBonus)

  init(_ terms: [TextTerm], people: PackedPeople, lexicon: Lexicon) {
    self.terms = terms.map { term in
      (term, term.pattern.map { CompiledTerm($0, fields: term.fields, lexicon: lexicon) })
    }
    self.people = people
    self.lexicon = lexicon
  }

  /// The best of the rows, best first, equally good ones by id.
  mutating func best(_ rows: [UInt32], limit: Int, isCancelled: () -> Bool) -> [SearchHit] {
    if terms.isEmpty || limit == 0 {
      var ids = rows.map { people.ids[Int($0)] }
      if !people.isSorted { ids.sort() }
      return ids.prefix(limit).map { SearchHit(id: $0, score: 0) }
    }
    var top = TopRows(limit: min(limit, rows.count))
    func add(_ rows: [UInt32]) {
      for (index, row) in rows.enumerated() {
        if index & 0x3FFF == 0x3FFF, isCancelled() { return }
        top.add(value(of: Int(row)), id: people.ids[Int(row)])
      }
    }
    if terms.count == 1, rows.count > 4 * limit {
      let (leading, others) = splitByStartOfName(rows)
      add(leading)
      let isComplete =
        top.isFull && top.lowest >= FieldKind.name.weight + PathFinder.startBonus - PathFinder.highestCost
      if !isComplete { add(others) }
    } else {
      add(rows)
    }
    return top.sorted().map { SearchHit(id: $0.id, score: Double($0.value) / Ranking.highest) }
  }

  /// The rows whose name may match from its start, and the others. A match there is worth more than any other; so if
  /// there are enough of them the others need no look.
  private func splitByStartOfName(_ rows: [UInt32]) -> ([UInt32], [UInt32]) {
    guard let compiled = terms[0].compiled, compiled.fields.contains(.name) else { return (rows, []) }
    var leading: [UInt32] = []
    var others: [UInt32] = []
    people.tokens.withUnsafeBufferPointer { tokens in
      for row in rows {
        var index = people.tokenRange(Int(row)).lowerBound
        var isLeading = false
        if index < people.tokenRange(Int(row)).upperBound {
          let id = Token.read(tokens, &index)
          let unit = Int(compiled.classes[id])
          isLeading = compiled.reach[unit * compiled.stride] != 0 && unit != CompiledTerm.wholeField
          if lexicon.kinds[id] == UnitKind.symbol.rawValue { isLeading = true }
        }
        if isLeading { leading.append(row) } else { others.append(row) }
      }
    }
    return (leading, others)
  }

  /// The mean over the terms of the best field's value.
  private mutating func value(of row: Int) -> Int {
    var sum = 0
    for (term, compiled) in terms {
      var best = 0
      if let compiled { best = textValue(of: row, compiled) }
      if best < FieldKind.name.weight - 1000 { best = max(best, otherValue(of: row, term)) }
      sum += best
    }
    return sum / terms.count
  }

  private mutating func textValue(of row: Int, _ compiled: CompiledTerm) -> Int {
    var best = 0
    let people = people
    people.tokens.withUnsafeBufferPointer { all in
      let tokens = UnsafeBufferPointer(rebasing: all[people.tokenRange(row)])
      var field = FieldKind.name
      var index = 0
      finder.clear()
      while index < tokens.count {
        let id = Token.read(tokens, &index)
        let kind = lexicon.kinds[id]
        if kind == UnitKind.marker.rawValue || kind == UnitKind.phrase.rawValue {
          best = max(best, fieldValue(field, compiled))
          if field == .name, best > 0 { return }  // no other field is worth as much
          finder.clear()
          if kind == UnitKind.marker.rawValue { field = FieldKind(marker: id) ?? .note } else { field = addPhrase(id, compiled) }
          continue
        }
        finder.units.append(compiled.classes[id])
        finder.symbols.append(kind == UnitKind.symbol.rawValue)
      }
      best = max(best, fieldValue(field, compiled))
    }
    return best
  }

  private mutating func fieldValue(_ field: FieldKind, _ compiled: CompiledTerm) -> Int {
    guard compiled.fields.contains(field), let value = finder.best(compiled) else { return 0 }
    return field.weight + value
  }

  private mutating func addPhrase(_ id: Int, _ compiled: CompiledTerm) -> FieldKind {
    guard compiled.classes[id] == CompiledTerm.wholeField else { return .note }
    let lexicon = lexicon
    return lexicon.withTokens(ofPhrase: id) { tokens in
      var index = 0
      let field = FieldKind(marker: Token.read(tokens, &index)) ?? .note
      while index < tokens.count {
        let unit = Token.read(tokens, &index)
        finder.units.append(compiled.classes[unit])
        finder.symbols.append(lexicon.kinds[unit] == UnitKind.symbol.rawValue)
      }
      return field
    }
  }

  private func otherValue(of row: Int, _ term: TextTerm) -> Int {
    var best = 0
    people.literals.withUnsafeBufferPointer { bytes in
      PackedPeople.forEachPart(of: bytes, in: people.literalRange(row), below: 3) { part in
        let field: FieldKind = part[0] == LiteralPattern.emailMark ? .email : .url
        guard term.fields.contains(field), let match = term.literal.best(in: part) else { return }
        best = max(best, field.weight + match.value)
      }
    }
    guard let phone = term.phone, term.fields.contains(.phone) else { return best }
    people.phones.withUnsafeBufferPointer { bytes in
      PackedPeople.forEachPart(of: bytes, in: people.phoneRange(row), below: 4) { part in
        if let match = phone.best(in: part) { best = max(best, FieldKind.phone.weight + match.value) }
      }
    }
    return best
  }
}

/// The highest few of many values: a heap with the worst of them on top.
struct TopRows {
  private var heap: [(value: Int, id: Int64)] = []
  private let limit: Int

  init(limit: Int) { self.limit = limit }

  var isFull: Bool { heap.count == limit }
  /// The lowest of the values kept.
  var lowest: Int { heap.first?.value ?? .min }

  private static func isWorse(_ first: (value: Int, id: Int64), _ second: (value: Int, id: Int64)) -> Bool {
    first.value != second.value ? first.value < second.value : first.id > second.id
  }

  mutating func add(_ value: Int, id: Int64) {
    if heap.count < limit {
      heap.append((value, id))
      var child = heap.count - 1
      while child > 0, TopRows.isWorse(heap[child], heap[(child - 1) / 2]) {
        heap.swapAt(child, (child - 1) / 2)
        child = (child - 1) / 2
      }
      return
    }
    guard limit > 0, TopRows.isWorse(heap[0], (value, id)) else { return }
    heap[0] = (value, id)
    var parent = 0
    while true {
      var worst = parent
      for child in [2 * parent + 1, 2 * parent + 2] where child < limit && TopRows.isWorse(heap[child], heap[worst]) {
        worst = child
      }
      if worst == parent { return }
      heap.swapAt(parent, worst)
      parent = worst
    }
  }

  /// The values, best first.
  func sorted() -> [(value: Int, id: Int64)] { heap.sorted { TopRows.isWorse($1, $0) } }
}

extension PackedPeople {
  /// Calls `body` with each part of a row of bytes; a part begins with a byte below a limit.
  static func forEachPart(
    of bytes: UnsafeBufferPointer<UInt8>, in range: Range<Int>, below limit: UInt8,
    _ body: (UnsafeBufferPointer<UInt8>) -> Void
  ) {
    var start = range.lowerBound
    while start < range.upperBound {
      var end = start + 1
      while end < range.upperBound, bytes[end] >= limit { end += 1 }
      body(UnsafeBufferPointer(rebasing: bytes[start..<end]))
      start = end
    }
  }
}
