/// One text term compared with the rows of an index, either all of them in a few passes over flat arrays, or one by one.
struct RowScan {
  private let term: TextTerm
  private let compiled: CompiledTerm?
  private let people: PeopleView
  private let isCancelled: () -> Bool

  init(_ term: TextTerm, _ compiled: CompiledTerm?, people: PeopleView, isCancelled: @escaping () -> Bool) {
    self.term = term
    self.compiled = compiled
    self.people = people
    self.isCancelled = isCancelled
  }

  private var looksAtText: Bool { compiled != nil && !term.fields.isSubset(of: FieldSet(.email, .url, .phone)) }
  private var looksAtLiterals: Bool {
    !term.literal.needle.isEmpty && !term.fields.isDisjoint(with: FieldSet(.email, .url))
  }
  private var looksAtPhones: Bool { term.phone != nil && term.fields.contains(.phone) }

  // MARK: All rows

  /// The rows that match, dead ones perhaps included.
  func all() -> RowSet {
    var found = RowSet(count: people.rowCount)
    if looksAtText, let compiled { scanText(compiled, into: &found) }
    if looksAtLiterals, !isCancelled() {
      if term.literal.isSingleLetter { scanSingleLetter(into: &found) } else { scanLiterals(into: &found) }
    }
    if looksAtPhones, !isCancelled() { scanPhones(into: &found) }
    return found
  }

  private func scanText(_ compiled: CompiledTerm, into found: inout RowSet) {
    let first = compiled.firstSignature
    let second = compiled.secondSignature
    let isAnywhere = compiled.fields == .all
    let fields = compiled.fields
    let scan = compiled.scan
    let people = people
    found.withWords { words in
      for index in words.indices {
        if index & 0x3FF == 0x3FF, isCancelled() { return }
        var word: UInt64 = 0
        for row in (index << 6)..<min((index + 1) << 6, people.rowCount) {
          let signature = people.signatures[row]
          guard signature & first != 0, signature & second != 0 else { continue }
          let isMatch = isAnywhere ? scan.matches(people.units(row)) : scan.matches(people.units(row), in: fields)
          if isMatch { word |= 1 << UInt64(row & 63) }
        }
        words[index] |= word
      }
    }
  }

  /// A single letter stands at the start or after an @, which the signatures know.
  private func scanSingleLetter(into found: inout RowSet) {
    let bit = Signature.bit(UInt32(term.literal.needle[0]), inName: false)
    let people = people
    found.withWords { words in
      for row in 0..<people.rowCount where people.signatures[row] & bit != 0 {
        let mask: UInt64 = 1 << UInt64(row & 63)
        if words[row >> 6] & mask == 0, matchesLiteral(row) { words[row >> 6] |= mask }
      }
    }
  }

  private func scanLiterals(into found: inout RowSet) {
    let kinds = term.fields
    let isAnywhere = kinds.contains(.email) && kinds.contains(.url)
    let people = people
    var walk = RowWalk(people.literalStarts)
    found.withWords { words in
      ByteSearch.forEach(term.literal.needle, in: people.literals) { place in
        if !isAnywhere, !kinds.contains(RowScan.literalKind(people.literals, at: place)) { return place + 1 }
        let row = walk.row(at: place)
        words[row >> 6] |= 1 << UInt64(row & 63)
        return Int(people.literalStarts[row + 1])
      }
    }
  }

  private func scanPhones(into found: inout RowSet) {
    guard let phone = term.phone else { return }
    let people = people
    for alternative in phone.alternatives where !isCancelled() {
      var walk = RowWalk(people.phoneStarts)
      found.withWords { words in
        ByteSearch.forEach(alternative.digits, in: people.phones) { place in
          guard PhonePattern.isAnchored(people.phones, at: place, alternative) else { return place + 1 }
          let row = walk.row(at: place)
          words[row >> 6] |= 1 << UInt64(row & 63)
          return Int(people.phoneStarts[row + 1])
        }
      }
    }
  }

  private static func literalKind(_ bytes: UnsafeBufferPointer<UInt8>, at place: Int) -> FieldKind {
    var place = place
    while bytes[place] > LiteralPattern.urlMark { place -= 1 }
    return bytes[place] == LiteralPattern.emailMark ? .email : .url
  }

  // MARK: One row

  /// The members of a set of rows that match.
  func filter(_ rows: [UInt32], isNegated: Bool = false) -> [UInt32] {
    var kept: [UInt32] = []
    let textual = looksAtText ? compiled : nil
    let isAnywhere = term.fields == .all
    for (index, row) in rows.enumerated() {
      if index & 0xFFFF == 0xFFFF, isCancelled() { return kept }
      let row = Int(row)
      var isMatch = false
      if let textual, people.signatures[row] & textual.firstSignature != 0,
        people.signatures[row] & textual.secondSignature != 0
      {
        let units = people.units(row)
        isMatch = isAnywhere ? textual.scan.matches(units) : textual.scan.matches(units, in: term.fields)
      }
      isMatch = isMatch || looksAtLiterals && matchesLiteral(row) || looksAtPhones && matchesPhone(row)
      if isMatch != isNegated { kept.append(UInt32(row)) }
    }
    return kept
  }

  private func matchesLiteral(_ row: Int) -> Bool {
    let range = people.literalRange(row)
    let bytes = people.literals
    let needle = term.literal
    let first = needle.needle[0]
    var place = range.lowerBound
    var isOpen = false
    let last = range.upperBound - needle.needle.count
    while place <= last {
      let byte = bytes[place]
      if byte <= LiteralPattern.urlMark {
        isOpen = term.fields.contains(byte == LiteralPattern.emailMark ? .email : .url)
      } else if byte == first, isOpen, needle.matches(bytes, at: place) {
        return true
      }
      place += 1
    }
    return false
  }

  private func matchesPhone(_ row: Int) -> Bool {
    let range = people.phoneRange(row)
    guard !range.isEmpty, let phone = term.phone else { return false }
    let bytes = people.phones
    for alternative in phone.alternatives {
      let count = alternative.digits.count
      var place = range.lowerBound + 1
      while place + count <= range.upperBound {
        if bytes[place] == alternative.digits[0],
          (1..<count).allSatisfy({ bytes[place + $0] == alternative.digits[$0] }),
          PhonePattern.isAnchored(bytes, at: place, alternative)
        {
          return true
        }
        place += 1
      }
    }
    return false
  }
}
