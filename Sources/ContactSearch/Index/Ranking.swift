/// A ranking of rows that match a query. The value of a row is the mean of the values of the text terms, each in its
/// best field.
final class Ranking {
  private let terms: [Term]
  private let contacts: PackedContactsView
  private let lexicon: Lexicon
  private let kinds: UnsafeBufferPointer<UInt8>
  private let isSorted: Bool
  private let finder = PathFinder()

  /// The value of a match of the entire name, which has a score of 1.
  static let highest = Double(FieldKind.name.highestValue)
  /// The maximum value of a match outside the name.
  private static let highestElsewhere = FieldKind.phonetic.highestValue
  /// The maximum value of a match in an email address or website.
  private static let highestLiteral = FieldKind.email.weight + 2700

  /// A term to rank by.
  final class Term {
    let text: TextTerm
    let compiled: CompiledTerm?
    let values = ValueCache()
    let looksAtNames: Bool
    /// The rows whose tokens match; nil if unknown.
    private let textRows: RowSet?

    init(text: TextTerm, compiled: CompiledTerm?, textRows: RowSet?) {
      self.text = text
      self.compiled = compiled
      self.textRows = textRows
      looksAtNames = compiled != nil && text.fields.contains(.name)
    }

    /// Whether the tokens of a row may match.
    @inline(__always)
    func mayMatchText(_ row: Int) -> Bool { textRows?.contains(row) ?? true }
  }

  /// - Parameters:
  ///   - kinds: the kinds of the lexicon.
  ///   - isSorted: whether rows are in order of id.
  init(
    _ terms: [Term], contacts: PackedContactsView, lexicon: Lexicon, kinds: UnsafeBufferPointer<UInt8>, isSorted: Bool
  ) {
    self.terms = terms
    self.contacts = contacts
    self.lexicon = lexicon
    self.kinds = kinds
    self.isSorted = isSorted
  }

  /// Returns the best of the rows, best first, equally good ones by id.
  /// - Parameter keepsTies: true for all that are as good as the best one, if the query has a text to rank by.
  func best(
    _ rows: UnsafeBufferPointer<UInt32>, limit: Int, keepsTies: Bool = false, isCancelled: () -> Bool
  ) -> [SearchHit] {
    guard let first = terms.first, limit > 0 else {
      var ids = rows.map { contacts.ids[Int($0)] }
      if !isSorted { ids.sort() }
      return ids.prefix(max(0, limit)).map { SearchHit(id: $0, score: 0) }
    }
    var top = TopRows(limit: min(limit, rows.count), keepsTies: keepsTies)
    func add(where isWanted: (Int) -> Bool) {
      for (index, row) in rows.enumerated() {
        if index & 0x3FFF == 0x3FFF, isCancelled() { return }
        guard isWanted(Int(row)) else { continue }
        top.add(value(of: Int(row), atLeast: top.isFull ? top.lowest : 0), id: contacts.ids[Int(row)])
      }
    }
    if rows.count / 4 > limit, terms.count == 1, first.looksAtNames, let automaton = first.compiled?.automaton {
      // A match at the start of a name is worth more than any other; if there are enough, skip the rest.
      add { mayMatchStart($0, automaton) }
      let isComplete =
        top.isFull && top.lowest >= FieldKind.name.weight + PathFinder.startBonus - PathFinder.highestCost
      if !isComplete { add { !mayMatchStart($0, automaton) } }
    } else {
      add { _ in true }
    }
    return top.sorted().map { SearchHit(id: $0.id, score: Double($0.value) / Ranking.highest) }
  }

  /// Returns whether the name of a row may match from its start.
  @inline(__always)
  private func mayMatchStart(_ row: Int, _ automaton: TermAutomaton) -> Bool {
    let codes = contacts.codes(row)
    if codes.isEmpty { return false }
    var index = 0
    let id = TokenCode.read(codes, &index)
    let tokenClass = Int(automaton.classes[id])
    return kinds[id] == TokenKind.symbol.rawValue
      || tokenClass != Int(CompiledTerm.sharedField) && automaton.successors[tokenClass * automaton.stride] != 0
  }

  /// Returns the mean over the terms of the best field's value; any number below `floor` if the mean is below `floor`.
  private func value(of row: Int, atLeast floor: Int) -> Int {
    // Most rows are ruled out by their names.
    if floor > Ranking.highestElsewhere || floor > 0 && terms.count > 1, bound(row) < floor { return floor - 1 }
    if terms.count == 1 { return value(of: row, terms[0], atLeast: floor) }
    return terms.reduce(0) { $0 + value(of: row, $1, atLeast: 0) } / terms.count
  }

  /// Returns an upper bound of a row's value, computed from its name.
  private func bound(_ row: Int) -> Int {
    terms.reduce(0) { $0 + max(nameValue(of: row, $1), Ranking.highestElsewhere) } / terms.count
  }

  private func value(of row: Int, _ term: Term, atLeast floor: Int) -> Int {
    let name = nameValue(of: row, term)
    // No other field is worth as much as the name.
    if name >= FieldKind.name.weight - PathFinder.highestCost { return name }
    return max(textValue(of: row, term), otherValue(of: row, term, atLeast: floor))
  }

  /// Returns the value of a row's name; 0 if it does not match. It is cached for names of up to four tokens: many have
  /// tokens of the same classes.
  private func nameValue(of row: Int, _ term: Term) -> Int {
    guard term.looksAtNames, term.mayMatchText(row), let compiled = term.compiled else { return 0 }
    let automaton = compiled.automaton
    let codes = contacts.codes(row)
    var (index, count, key, any) = (0, UInt64(0), UInt64(0), UInt16(0))
    finder.clear()
    while index < codes.count {
      let id = TokenCode.read(codes, &index)
      let kind = kinds[id]
      if kind == TokenKind.marker.rawValue || kind == TokenKind.sharedField.rawValue { break }
      let (tokenClass, isSymbol) = (automaton.classes[id], kind == TokenKind.symbol.rawValue)
      finder.append(tokenClass, isSymbol: isSymbol)
      any |= tokenClass
      key = key << 16 | UInt64(isSymbol ? tokenClass | 0x8000 : tokenClass)
      count += 1
    }
    if any == 0 { return 0 }
    if count > 4 { return fieldValue(.name, compiled) }
    return term.values.value(key, count) { fieldValue(.name, compiled) }
  }

  private func textValue(of row: Int, _ term: Term) -> Int {
    guard term.mayMatchText(row), let compiled = term.compiled else { return 0 }
    let codes = contacts.codes(row)
    let automaton = compiled.automaton
    var best = 0
    var field = FieldKind.name
    var index = 0
    finder.clear()
    while index < codes.count {
      let id = TokenCode.read(codes, &index)
      let kind = kinds[id]
      guard kind == TokenKind.marker.rawValue || kind == TokenKind.sharedField.rawValue else {
        finder.append(automaton.classes[id], isSymbol: kind == TokenKind.symbol.rawValue)
        continue
      }
      best = max(best, fieldValue(field, compiled))
      if field == .name, best > 0 { return best }
      finder.clear()
      if kind == TokenKind.marker.rawValue {
        field = FieldKind(marker: id) ?? .note
      } else if automaton.classes[id] == CompiledTerm.sharedField {
        best = max(best, term.values.value(UInt64(id), ValueCache.sharedField) { sharedFieldValue(id, compiled) })
      }
      if kind == TokenKind.sharedField.rawValue { field = .note }  // the name has ended
    }
    return max(best, fieldValue(field, compiled))
  }

  @inline(__always)
  private func fieldValue(_ field: FieldKind, _ compiled: CompiledTerm) -> Int {
    guard compiled.fields.contains(field), let value = finder.best(compiled.automaton) else { return 0 }
    return field.weight + value
  }

  private func sharedFieldValue(_ id: Int, _ compiled: CompiledTerm) -> Int {
    finder.clear()
    defer { finder.clear() }
    return lexicon.withCodes(ofSharedField: id) { codes in
      var index = 0
      let field = FieldKind(marker: TokenCode.read(codes, &index)) ?? .note
      while index < codes.count {
        let entry = TokenCode.read(codes, &index)
        finder.append(compiled.automaton.classes[entry], isSymbol: kinds[entry] == TokenKind.symbol.rawValue)
      }
      return fieldValue(field, compiled)
    }
  }

  /// Returns the value of the best match in a phone number, an email address or a website; any number below `floor` if
  /// it is below `floor`.
  private func otherValue(of row: Int, _ term: Term, atLeast floor: Int) -> Int {
    var best = 0
    if term.text.fields.contains(.phone), let phone = term.text.phone {
      PackedContactsView.forEachPart(of: contacts.phones, in: contacts.phoneRange(row), below: 4) { part in
        // Nearly every number has a single digit: comparing each would take 0.2 s at a million contacts.
        if FieldKind.phone.weight + phone.highestValue(in: part) < floor { return }
        if let match = phone.best(in: part) { best = max(best, FieldKind.phone.weight + match.value) }
      }
    }
    if max(best, floor - 1) >= Ranking.highestLiteral { return best }
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

/// A cache of the values of names and shared fields for one term: without it, the first letters of a search take longer
/// than 4 ms at 100,000 contacts. It is a small hash table without chaining: a new entry replaces the one in its slot.
final class ValueCache {
  /// The count for a shared field, whose key is its number. The key of a name is the classes of its tokens.
  static let sharedField = UInt64.max
  private static let slots = 4096

  private struct Slot {
    var key: UInt64 = 0
    /// The number of tokens; 0 for an empty slot.
    var count: UInt64 = 0
    var value = 0
  }

  private let table: UnsafeMutablePointer<Slot>

  init() {
    table = .allocate(capacity: Self.slots)
    table.initialize(repeating: Slot(), count: Self.slots)
  }

  deinit { table.deallocate() }

  /// Returns the value of a name or a shared field, which is computed if it is not cached.
  @inline(__always)
  func value(_ key: UInt64, _ count: UInt64, _ compute: () -> Int) -> Int {
    let slot = table + Int(truncatingIfNeeded: ((key &+ count) &* 0x9E37_79B9_7F4A_7C15) >> 52)
    if slot.pointee.key == key, slot.pointee.count == count { return slot.pointee.value }
    let value = compute()
    slot.pointee = Slot(key: key, count: count, value: value)
    return value
  }
}
