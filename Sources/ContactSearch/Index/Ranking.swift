/// Ranks rows that match a query: each text term counts by its best field, and the terms by their mean.
final class Ranking {
  /// A term to rank by.
  struct Term {
    var text: TextTerm
    var compiled: CompiledTerm?
  }

  private let terms: [Term]
  private let people: PeopleView
  private let lexicon: Lexicon
  private let kinds: UnsafeBufferPointer<UInt8>
  private let isSorted: Bool
  private let finder = PathFinder()
  /// For each term what shared fields are worth, by their number; it is the same for all who have them.
  private var phraseValues: [[Int: Int]]

  /// The value of a whole-name match, which makes a score of 1.
  static let highest = Double(
    FieldKind.name.weight + PathFinder.startBonus + PathFinder.wholeBonus + PathFinder.shareBonus)

  /// `kinds` are those of the lexicon; `isSorted` says that rows are in order of id.
  init(
    _ terms: [Term], people: PeopleView, lexicon: Lexicon, kinds: UnsafeBufferPointer<UInt8>, isSorted: Bool
  ) {
    self.terms = terms
    phraseValues = Array(repeating: [:], count: terms.count)
    self.people = people
    self.lexicon = lexicon
    self.kinds = kinds
    self.isSorted = isSorted
  }

  /// The best of the rows, best first, equally good ones by id.
  func best(_ rows: [UInt32], limit: Int, isCancelled: () -> Bool) -> [SearchHit] {
    if terms.isEmpty || limit <= 0 {
      var ids = rows.map { people.ids[Int($0)] }
      if !isSorted { ids.sort() }
      return ids.prefix(max(0, limit)).map { SearchHit(id: $0, score: 0) }
    }
    var top = TopRows(limit: min(limit, rows.count))
    func add(_ rows: [UInt32]) {
      for (index, row) in rows.enumerated() {
        if index & 0x3FFF == 0x3FFF, isCancelled() { return }
        top.add(value(of: Int(row), atLeast: top.isFull ? top.lowest : 0), id: people.ids[Int(row)])
      }
    }
    if rows.count / 4 > limit, let scan = terms.first(where: { looksAtNames($0) })?.compiled?.scan, terms.count == 1 {
      let (leading, others) = splitByStartOfName(rows, scan)
      add(leading)
      let isComplete =
        top.isFull && top.lowest >= FieldKind.name.weight + PathFinder.startBonus - PathFinder.highestCost
      if !isComplete { add(others) }
    } else {
      add(rows)
    }
    return top.sorted().map { SearchHit(id: $0.id, score: Double($0.value) / Ranking.highest) }
  }

  private func looksAtNames(_ term: Term) -> Bool { term.compiled != nil && term.text.fields.contains(.name) }

  /// The rows whose name may match from its start, and the others. A match there is worth more than any other; so if
  /// there are enough of them the others need no look.
  private func splitByStartOfName(_ rows: [UInt32], _ scan: UnitScan) -> ([UInt32], [UInt32]) {
    var leading: [UInt32] = []
    var others: [UInt32] = []
    for row in rows {
      let units = people.units(Int(row))
      var index = 0
      var isLeading = false
      if !units.isEmpty {
        let id = Token.read(units, &index)
        let unit = Int(scan.classes[id])
        isLeading =
          kinds[id] == UnitKind.symbol.rawValue
          || unit != Int(CompiledTerm.wholeField) && scan.reach[unit * scan.stride] != 0
      }
      if isLeading { leading.append(row) } else { others.append(row) }
    }
    return (leading, others)
  }

  /// The mean over the terms of the best field's value; some lower number where the mean is below `floor`.
  private func value(of row: Int, atLeast floor: Int) -> Int {
    var sum = 0
    for (index, term) in terms.enumerated() {
      let best = value(of: row, term, index)
      sum += best
      // What the terms to come can add at most.
      if (sum + (terms.count - index - 1) * Int(Ranking.highest)) / terms.count < floor { return floor - 1 }
    }
    return sum / terms.count
  }

  private func value(of row: Int, _ term: Term, _ number: Int) -> Int {
    let best = term.compiled.map { textValue(of: row, $0, number) } ?? 0
    // No other field is worth as much as the name.
    return best >= FieldKind.name.weight - PathFinder.highestCost ? best : max(best, otherValue(of: row, term.text))
  }

  private func textValue(of row: Int, _ compiled: CompiledTerm, _ number: Int) -> Int {
    let tokens = people.units(row)
    let scan = compiled.scan
    var best = 0
    var field = FieldKind.name
    var index = 0
    finder.clear()
    while index < tokens.count {
      let id = Token.read(tokens, &index)
      let kind = kinds[id]
      guard kind == UnitKind.marker.rawValue || kind == UnitKind.phrase.rawValue else {
        finder.append(scan.classes[id], isSymbol: kind == UnitKind.symbol.rawValue)
        continue
      }
      best = max(best, fieldValue(field, compiled))
      if field == .name, best > 0 { return best }
      finder.clear()
      if kind == UnitKind.marker.rawValue {
        field = FieldKind(marker: id) ?? .note
      } else if scan.classes[id] == CompiledTerm.wholeField {
        best = max(best, phraseValue(id, compiled, number))
      }
    }
    return max(best, fieldValue(field, compiled))
  }

  @inline(__always)
  private func fieldValue(_ field: FieldKind, _ compiled: CompiledTerm) -> Int {
    guard compiled.fields.contains(field), let value = finder.best(compiled.scan) else { return 0 }
    return field.weight + value
  }

  private func phraseValue(_ id: Int, _ compiled: CompiledTerm, _ number: Int) -> Int {
    if let known = phraseValues[number][id] { return known }
    let value = lexicon.withTokens(ofPhrase: id) { tokens in
      var index = 0
      let field = FieldKind(marker: Token.read(tokens, &index)) ?? .note
      while index < tokens.count {
        let unit = Token.read(tokens, &index)
        finder.append(compiled.scan.classes[unit], isSymbol: kinds[unit] == UnitKind.symbol.rawValue)
      }
      return fieldValue(field, compiled)
    }
    finder.clear()
    phraseValues[number][id] = value
    return value
  }

  private func otherValue(of row: Int, _ term: TextTerm) -> Int {
    var best = 0
    PeopleView.forEachPart(of: people.literals, in: people.literalRange(row), below: 3) { part in
      let field: FieldKind = part[0] == LiteralPattern.emailMark ? .email : .url
      guard term.fields.contains(field), let match = term.literal.best(in: part) else { return }
      best = max(best, field.weight + match.value)
    }
    guard let phone = term.phone, term.fields.contains(.phone) else { return best }
    PeopleView.forEachPart(of: people.phones, in: people.phoneRange(row), below: 4) { part in
      if let match = phone.best(in: part) { best = max(best, FieldKind.phone.weight + match.value) }
    }
    return best
  }
}
