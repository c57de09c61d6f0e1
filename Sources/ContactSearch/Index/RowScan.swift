/// One text term compared with the rows of an index, either all of them in a few passes over flat arrays, or one by one.
struct RowScan {
  private let term: TextTerm
  private let compiled: CompiledTerm?
  private let people: PackedPeople
  private let isCancelled: () -> Bool

  init(_ term: TextTerm, people: PackedPeople, lexicon: Lexicon, isCancelled: @escaping () -> Bool) {
    self.term = term
    compiled = term.pattern.map { CompiledTerm($0, fields: term.fields, lexicon: lexicon) }
    self.people = people
    self.isCancelled = isCancelled
  }

  private var looksAtText: Bool { compiled != nil && !term.fields.isSubset(of: FieldSet(.email, .url, .phone)) }
  private var looksAtLiterals: Bool { !term.literal.needle.isEmpty && !term.fields.isDisjoint(with: FieldSet(.email, .url)) }
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
    withScan(compiled) { scan, tokens in
      people.signatures.withUnsafeBufferPointer { signatures in
        found.withWords { words in
          for index in words.indices {
            if index & 0x3FF == 0x3FF, isCancelled() { return }
            let rows = (index << 6)..<min((index + 1) << 6, signatures.count)
            var word: UInt64 = 0
            for row in rows where signatures[row] & first != 0 && signatures[row] & second != 0 {
              let units = UnsafeBufferPointer(rebasing: tokens[people.tokenRange(row)])
              let isMatch = isAnywhere ? scan.matches(units) : scan.matches(units, in: compiled.fields)
              if isMatch { word |= 1 << UInt64(row & 63) }
            }
            words[index] |= word
          }
        }
      }
    }
  }

  private func withScan(_ compiled: CompiledTerm, _ body: (UnitScan, UnsafeBufferPointer<UInt16>) -> Void) {
    compiled.classes.withUnsafeBufferPointer { classes in
      compiled.reach.withUnsafeBufferPointer { reach in
        people.tokens.withUnsafeBufferPointer { tokens in
          let scan = UnitScan(
            classes: classes, reach: reach, stride: compiled.stride, accepting: compiled.accepting)
          body(scan, tokens)
        }
      }
    }
  }

  /// A single letter stands at the start or after an @, which the signatures know.
  private func scanSingleLetter(into found: inout RowSet) {
    let bit = Signature.bit(UInt32(term.literal.needle[0]), inName: false)
    for row in people.signatures.indices where people.signatures[row] & bit != 0 && !found.contains(row) {
      if row & 0xFFFF == 0, isCancelled() { return }
      if matchesLiteral(row) { found.insert(row) }
    }
  }

  private func scanLiterals(into found: inout RowSet) {
    let kinds = term.fields
    let isAnywhere = kinds.contains(.email) && kinds.contains(.url)
    people.literals.withUnsafeBufferPointer { bytes in
      var walk = RowWalk(rowCount: people.rowCount) { people.literalRange($0).upperBound }
      ByteSearch.forEach(term.literal.needle, in: bytes) { place in
        if !isAnywhere, !kinds.contains(RowScan.literalKind(bytes, at: place)) { return place + 1 }
        guard let row = walk.row(at: place) else { return nil }
        found.insert(row)
        return people.literalRange(row).upperBound
      }
    }
  }

  private func scanPhones(into found: inout RowSet) {
    guard let phone = term.phone else { return }
    people.phones.withUnsafeBufferPointer { bytes in
      for alternative in phone.alternatives where !isCancelled() {
        var walk = RowWalk(rowCount: people.rowCount) { people.phoneRange($0).upperBound }
        ByteSearch.forEach(alternative.digits, in: bytes) { place in
          guard PhonePattern.isAnchored(bytes, at: place, alternative) else { return place + 1 }
          guard let row = walk.row(at: place) else { return nil }
          found.insert(row)
          return people.phoneRange(row).upperBound
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
    guard let compiled, looksAtText else {
      for row in rows where matchesOther(Int(row)) != isNegated { kept.append(row) }
      return kept
    }
    let isAnywhere = compiled.fields == .all
    withScan(compiled) { scan, tokens in
      for (index, row) in rows.enumerated() {
        if index & 0xFFFF == 0xFFFF, isCancelled() { return }
        let row = Int(row)
        let signature = people.signatures[row]
        var isMatch = false
        if signature & compiled.firstSignature != 0, signature & compiled.secondSignature != 0 {
          let units = UnsafeBufferPointer(rebasing: tokens[people.tokenRange(row)])
          isMatch = isAnywhere ? scan.matches(units) : scan.matches(units, in: compiled.fields)
        }
        if (isMatch || matchesOther(row)) != isNegated { kept.append(UInt32(row)) }
      }
    }
    return kept
  }

  private func matchesOther(_ row: Int) -> Bool {
    looksAtLiterals && matchesLiteral(row) || looksAtPhones && matchesPhone(row)
  }

  private func matchesLiteral(_ row: Int) -> Bool {
    let range = people.literalRange(row)
    if range.isEmpty { return false }
    return people.literals.withUnsafeBufferPointer { bytes in
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
  }

  private func matchesPhone(_ row: Int) -> Bool {
    let range = people.phoneRange(row)
    guard !range.isEmpty, let phone = term.phone else { return false }
    return people.phones.withUnsafeBufferPointer { bytes in
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
}

/// Finds the row of each of a number of ascending places.
struct RowWalk {
  private let rowCount: Int
  private let end: (Int) -> Int
  private var row = 0

  init(rowCount: Int, end: @escaping (Int) -> Int) {
    self.rowCount = rowCount
    self.end = end
  }

  /// The row in whose part of an array a place lies; places must not descend.
  mutating func row(at place: Int) -> Int? {
    var step = 1
    while row < rowCount, end(row) <= place {
      // Gallop while places are far apart, then go back to the last row known to be too low.
      if row + step < rowCount, end(row + step) <= place {
        row += step
        step *= 2
      } else if step > 1 {
        step = 1
      } else {
        row += 1
      }
    }
    return row < rowCount ? row : nil
  }
}
