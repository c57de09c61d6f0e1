/// A ranking of rows that match a query. The value of a row is the mean of the values of the text terms, each in its
/// best field.
final class Ranking {
  private let owners: [Term]
  /// The terms again: taking one from an array counts a reference, which for a million rows takes a third of the time.
  private let terms: UnsafeMutableBufferPointer<Unmanaged<Term>>
  private let contacts: PackedContactsView
  private let lexicon: Lexicon
  private let kinds: UnsafeBufferPointer<UInt8>
  private let isSorted: Bool
  private let finder = PathFinder()

  /// The value of a match of the entire name, which has a score of 1.
  static let highest = Double(
    FieldKind.name.weight + PathFinder.startBonus + PathFinder.wholeBonus + PathFinder.shareBonus)

  /// - Parameters:
  ///   - kinds: the kinds of the lexicon.
  ///   - isSorted: whether rows are in order of id.
  init(
    _ terms: [Term], contacts: PackedContactsView, lexicon: Lexicon, kinds: UnsafeBufferPointer<UInt8>, isSorted: Bool
  ) {
    owners = terms
    self.terms = terms.map(Unmanaged.passUnretained).copied()
    self.contacts = contacts
    self.lexicon = lexicon
    self.kinds = kinds
    self.isSorted = isSorted
  }

  deinit { terms.deallocate() }

  /// Calls `body` with a term, without counting a reference to it.
  @inline(__always)
  private func with<Result>(_ number: Int, _ body: (Term) -> Result) -> Result {
    terms[number]._withUnsafeGuaranteedRef(body)
  }

  /// Returns the best of the rows, best first, equally good ones by id.
  /// - Parameter keepsTies: true for all that are as good as the best one, if the query has a text to rank by.
  func best(
    _ rows: UnsafeBufferPointer<UInt32>, limit: Int, keepsTies: Bool = false, isCancelled: () -> Bool
  ) -> [SearchHit] {
    if terms.isEmpty || limit <= 0 {
      var ids = rows.map { contacts.ids[Int($0)] }
      if !isSorted { ids.sort() }
      return ids.prefix(max(0, limit)).map { SearchHit(id: $0, score: 0) }
    }
    var top = TopRows(limit: min(limit, rows.count), keepsTies: keepsTies)
    let isSingle = isSorted && terms.count == 1
    func add(where isWanted: (Int) -> Bool) {
      for (index, row) in rows.enumerated() {
        if index & 0x3FFF == 0x3FFF, isCancelled() { return }
        guard isWanted(Int(row)) else { continue }
        let lowest = top.isFull ? top.lowest : 0
        if lowest > 0 {
          // A single term has a second pass, which may find equally good rows with lower ids later.
          let floor = top.floor(of: contacts.ids[Int(row)], isAscending: !isSingle)
          if isSingle, with(0, { isBelow(floor, Int(row), $0) }) { continue }
          if isSorted, !isSingle, bound(Int(row)) <= floor { continue }
        }
        top.add(value(of: Int(row), atLeast: lowest), id: contacts.ids[Int(row)])
      }
    }
    if rows.count / 4 > limit, terms.count == 1, owners[0].looksAtNames, let scan = owners[0].compiled?.pointee.scan {
      // A match at the start of a name is worth more than any other; if there are enough, skip the rest.
      let term = owners[0]
      add { mayMatchStart($0, scan, term) }
      let isComplete =
        top.isFull && top.lowest >= FieldKind.name.weight + PathFinder.startBonus - PathFinder.highestCost
      if !isComplete { add { !mayMatchStart($0, scan, term) } }
    } else {
      add { _ in true }
    }
    return top.sorted().map { SearchHit(id: $0.id, score: Double($0.value) / Ranking.highest) }
  }

  /// Returns whether the name of a row may match from its start.
  @inline(__always)
  private func mayMatchStart(_ row: Int, _ scan: UnitScan, _ term: Term) -> Bool {
    if !term.mayMatchName(row, contacts.columns) { return false }
    let units = contacts.units(row)
    if units.isEmpty { return false }
    var index = 0
    let id = Token.read(units, &index)
    let unit = Int(scan.classes[id])
    return kinds[id] == UnitKind.symbol.rawValue
      || unit != Int(CompiledTerm.wholeField) && scan.reach[unit * scan.stride] != 0
  }

  /// Returns true only if a row is worth no more than a value, as far as quick checks can tell.
  private func isBelow(_ value: Int, _ row: Int, _ term: Term) -> Bool {
    guard let compiled = term.compiled else { return false }
    if term.digitCount > 0 { return isNumberBelow(value, row, compiled, term) }
    return (value >= Ranking.highestLiteral || !term.mayMatchLiteral(row)) && isTextBelow(value, row, compiled, term)
  }

  /// Returns whether no text field of a row can be worth more than a value, judged by the maximum value of a match in
  /// each field. This is faster than ``textValue(of:_:_:)``: most units match nothing, and the value of a shared field
  /// is cached.
  private func isTextBelow(_ value: Int, _ row: Int, _ compiled: UnsafePointer<Comparison>, _ term: Term) -> Bool {
    let tokens = contacts.units(row)
    let classes = compiled.pointee.scan.classes
    var highest = FieldKind.name.highestValue
    var index = 0
    while index < tokens.count {
      let id = Token.read(tokens, &index)
      let unit = classes[id]
      if unit == CompiledTerm.nothing {
        if id <= Int(FieldKind.note.rawValue), let field = FieldKind(marker: id) { highest = field.highestValue }
      } else if unit == CompiledTerm.wholeField, kinds[id] == UnitKind.phrase.rawValue {
        if phraseValue(id, compiled, term) > value { return false }
      } else if highest > value {
        return false
      }
    }
    return true
  }

  /// Returns true only if a row is worth no more than a value, for a term that phone numbers can match. A single digit
  /// is in nearly every number; this rules out most of them.
  private func isNumberBelow(_ value: Int, _ row: Int, _ compiled: UnsafePointer<Comparison>, _ term: Term) -> Bool {
    guard value >= Ranking.highestLiteral else { return false }
    if matchesText(row, compiled, term), !isTextBelow(value, row, compiled, term) { return false }
    let length = shortestNumber(row)
    if length <= 0 { return true }
    let digits = mostDigits(row, term)
    // 00 and a country code have up to five digits; a number that is not much longer than the term may match as a
    // whole.
    if length <= digits + 5 { return false }
    return FieldKind.phone.weight + PathFinder.startBonus + PathFinder.shareBonus * digits / length <= value
  }

  /// Returns the maximum number of digits that a match in a row's phone numbers can cover.
  private func mostDigits(_ row: Int, _ term: Term) -> Int {
    // This depends on the phone number only if the digits must be at a certain position.
    guard !term.isPlainNumber, !contacts.columns.has(.severalPhones, row), let phone = term.text.phone else {
      return term.digitCount
    }
    return phone.mostDigits(in: UnsafeBufferPointer(rebasing: contacts.phones[contacts.phoneRange(row)]))
  }

  /// Returns the number of digits of a row's shortest phone number; 0 if it has none.
  private func shortestNumber(_ row: Int) -> Int {
    let range = contacts.phoneRange(row)
    guard contacts.columns.has(.severalPhones, row) else { return max(0, range.count - 1) }
    var shortest = range.count
    var start = range.lowerBound
    for offset in range.dropFirst() where contacts.phones[offset] <= PhoneNumber.dialedInternational {
      shortest = min(shortest, offset - start - 1)
      start = offset
    }
    return min(shortest, range.upperBound - start - 1)
  }

  /// The maximum value of a match in an email address or website.
  private static let highestLiteral = FieldKind.email.weight + 2700

  private func matchesText(_ row: Int, _ compiled: UnsafePointer<Comparison>, _ term: Term) -> Bool {
    if let known = term.matchesText(row) { return known }
    return compiled.pointee.mask.passes(contacts.columns, row) && compiled.pointee.scan.matches(contacts.units(row))
  }

  /// The maximum value of a match outside the name.
  private static let highestElsewhere =
    FieldKind.phonetic.weight + PathFinder.startBonus + PathFinder.wholeBonus + PathFinder.shareBonus

  /// Returns an upper bound of a row's value, computed from its name.
  private func bound(_ row: Int) -> Int {
    var sum = 0
    for number in terms.indices {
      let name = with(number) { nameValue(of: row, $0) }
      sum += max(name, Ranking.highestElsewhere)
    }
    return sum / terms.count
  }

  /// Returns the value of a row's name; 0 if it does not match. Values are cached, because many names have the same
  /// classes.
  private func nameValue(of row: Int, _ term: Term) -> Int {
    guard let compiled = term.compiled, term.looksAtNames else { return 0 }
    if term.matchesText(row) == false { return 0 }
    let scan = compiled.pointee.scan
    let tokens = contacts.units(row)
    var (index, count, key, any) = (0, UInt64(0), UInt64(0), UInt16(0))
    while index < tokens.count {
      let id = Token.read(tokens, &index)
      let kind = kinds[id]
      if kind == UnitKind.marker.rawValue || kind == UnitKind.phrase.rawValue { break }
      let unit = scan.classes[id]
      any |= unit
      key = key << 16 | UInt64(kind == UnitKind.symbol.rawValue ? unit | 0x8000 : unit)
      count += 1
    }
    if any == 0 { return 0 }
    if count <= NameValues.longest, let known = term.names.value(key, count) { return known }
    finder.clear()
    index = 0
    for _ in 0..<count {
      let id = Token.read(tokens, &index)
      finder.append(scan.classes[id], isSymbol: kinds[id] == UnitKind.symbol.rawValue)
    }
    let value = fieldValue(.name, compiled)
    if count <= NameValues.longest { term.names.keep(value, key, count) }
    return value
  }

  /// Returns the mean over the terms of the best field's value; any number below `floor` if the mean is below `floor`.
  private func value(of row: Int, atLeast floor: Int) -> Int {
    // Only a match in the name is worth that much; for most rows the other fields need not be compared.
    if terms.count == 1, floor > Ranking.highestElsewhere, with(0, { nameValue(of: row, $0) }) == 0 {
      return floor - 1
    }
    if terms.count > 1, floor > 0, bound(row) < floor { return floor - 1 }
    var sum = 0
    for index in terms.indices {
      sum += with(index) { value(of: row, $0) }
      // The most that the remaining terms can add.
      if (sum + (terms.count - index - 1) * Int(Ranking.highest)) / terms.count < floor { return floor - 1 }
    }
    return sum / terms.count
  }

  private func value(of row: Int, _ term: Term) -> Int {
    let name = nameValue(of: row, term)
    if name >= FieldKind.name.weight - PathFinder.highestCost { return name }
    let best = term.compiled.map { textValue(of: row, $0, term) } ?? 0
    // No other field is worth as much as the name.
    return best >= FieldKind.name.weight - PathFinder.highestCost ? best : max(best, otherValue(of: row, term))
  }

  private func textValue(of row: Int, _ compiled: UnsafePointer<Comparison>, _ term: Term) -> Int {
    let tokens = contacts.units(row)
    let scan = compiled.pointee.scan
    guard matchesText(row, compiled, term) else { return 0 }
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
        best = max(best, phraseValue(id, compiled, term))
      }
      if kind == UnitKind.phrase.rawValue { field = .note }  // the name has ended
    }
    return max(best, fieldValue(field, compiled))
  }

  @inline(__always)
  private func fieldValue(_ field: FieldKind, _ compiled: UnsafePointer<Comparison>) -> Int {
    guard compiled.pointee.fields.contains(field), let value = finder.best(compiled.pointee.scan) else { return 0 }
    return field.weight + value
  }

  private func phraseValue(_ id: Int, _ compiled: UnsafePointer<Comparison>, _ term: Term) -> Int {
    if let known = term.phrases.value(id) { return known }
    finder.clear()
    let value = lexicon.withTokens(ofPhrase: id) { tokens in
      var index = 0
      let field = FieldKind(marker: Token.read(tokens, &index)) ?? .note
      while index < tokens.count {
        let unit = Token.read(tokens, &index)
        finder.append(compiled.pointee.scan.classes[unit], isSymbol: kinds[unit] == UnitKind.symbol.rawValue)
      }
      return fieldValue(field, compiled)
    }
    finder.clear()
    term.phrases.keep(value, id)
    return value
  }

  private func otherValue(of row: Int, _ term: Term) -> Int {
    var best = 0
    if term.digitCount > 0, let phone = term.text.phone {
      PackedContactsView.forEachPart(of: contacts.phones, in: contacts.phoneRange(row), below: 4) { part in
        if let match = phone.best(in: part) { best = max(best, FieldKind.phone.weight + match.value) }
      }
    }
    guard best < Ranking.highestLiteral, term.mayMatchLiteral(row) else { return best }
    PackedContactsView.forEachPart(of: contacts.literals, in: contacts.literalRange(row), below: 3) { part in
      let field: FieldKind = part[0] == LiteralPattern.emailMark ? .email : .url
      guard term.text.fields.contains(field), let match = term.text.literal.best(in: part) else { return }
      best = max(best, field.weight + match.value)
    }
    return best
  }
}

extension FieldKind {
  /// The maximum value of a match in a text field.
  fileprivate var highestValue: Int {
    weight + PathFinder.startBonus + PathFinder.wholeBonus + PathFinder.shareBonus
  }
}
