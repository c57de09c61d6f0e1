/// One text term compared with the rows of an index, either all of them in a few passes over flat arrays, or one by
/// one.
struct RowScan {
  private let term: TextTerm
  private let compiled: CompiledTerm?
  private let contacts: PackedContactsView
  private let isCancelled: () -> Bool

  /// The digits that an email address or website must contain, and those that a contact's phone numbers must contain.
  private let literalFlags: ContactFlags
  private let phoneFlags: ContactFlags

  init(
    _ term: TextTerm, _ compiled: CompiledTerm?, contacts: PackedContactsView, isCancelled: @escaping () -> Bool
  ) {
    self.term = term
    self.compiled = compiled
    self.contacts = contacts
    self.isCancelled = isCancelled
    literalFlags = ContactFlags(term.literal.needle, in: .literals)
    phoneFlags = term.phone?.commonDigits ?? []
  }

  private var looksAtText: Bool { compiled != nil && !term.fields.isSubset(of: FieldSet(.email, .url)) }
  private var looksAtLiterals: Bool {
    !term.literal.needle.isEmpty && !term.fields.isDisjoint(with: FieldSet(.email, .url))
  }
  private var looksAtAllLiterals: Bool { term.fields.contains(.email) && term.fields.contains(.url) }
  private var looksAtPhones: Bool { term.phone != nil && term.fields.contains(.phone) }

  // MARK: All rows

  /// Returns the rows that match, possibly including dead ones.
  /// - Parameters:
  ///   - candidates: the rows to check; nil for all.
  ///   - text: called with the rows whose units match, before addresses and numbers are checked; not for a single
  ///     letter.
  ///   - literals: called with the rows whose email addresses or websites match, if those of all rows were compared.
  func all(
    among candidates: RowSet? = nil, text: (RowSet) -> Void = { _ in }, literals: (RowSet) -> Void = { _ in }
  ) -> RowSet {
    var found = RowSet(count: contacts.rowCount)
    if looksAtText, let compiled {
      scanText(compiled, among: candidates, into: &found)
      // The signatures cover addresses, too.
      if compiled.isSingleLetter { return found }
    }
    text(found)
    if looksAtLiterals, !isCancelled() {
      if term.literal.isSingleLetter {
        scanSingleLetter(into: &found)
      } else {
        let rest = rows(having: literalFlags, among: candidates, except: found)
        let isKnown = term.literal.needle.count == 1 && !literalFlags.isEmpty && looksAtAllLiterals
        add(rest, isKnown: isKnown, to: &found, matches: { $0.matchesLiteral($1) }) { found in
          var matching = RowSet(count: contacts.rowCount)
          scanLiterals(into: &matching)
          found.formUnion(matching)
          literals(matching)
        }
      }
    }
    if looksAtPhones, !isCancelled() {
      let rest = rows(having: phoneFlags, among: candidates, except: found)
      let isKnown = term.phone?.isPlain == true && term.phone?.alternatives[0].digits.count == 1
      add(rest, isKnown: isKnown, to: &found, matches: { $0.matchesPhone($1) }, pass: scanPhones)
    }
    if let candidates { found.formIntersection(candidates) }
    return found
  }

  /// Returns the candidates that have all of these digits and have not been found yet; nil for all rows.
  private func rows(having flags: ContactFlags, among candidates: RowSet?, except found: RowSet) -> RowSet? {
    if flags.isEmpty, candidates == nil { return nil }
    var rest = candidates ?? .all(contacts.rowCount)
    let contacts = contacts
    rest.withWords { words in
      forEachPart { part in
        for index in part where words[index] != 0 {
          words[index] &= ~found.words[index]
          if flags.isEmpty { continue }
          words[index] &= contacts.columns.all(of: flags, index)
        }
      }
    }
    return rest
  }

  /// Adds the rows that match: a small set is checked row by row; otherwise all rows are checked in one pass.
  /// - Parameters:
  ///   - rest: the rows that may match; nil for all.
  ///   - isKnown: whether all of them are known to match.
  ///   - matches: checks one row.
  ///   - pass: checks all rows.
  private func add(
    _ rest: RowSet?, isKnown: Bool, to found: inout RowSet, matches: (RowScan, Int) -> Bool,
    pass: (inout RowSet) -> Void
  ) {
    // A few rows are faster to check one by one than in a pass over all addresses or numbers.
    guard var rest, isKnown || rest.count < contacts.rowCount / 32 else { return pass(&found) }
    if !isKnown {
      rest.withWords { words in
        forEachPart { part in
          for index in part {
            var left = words[index]
            while left != 0 {
              let position = left.trailingZeroBitCount
              left &= left &- 1
              if !matches(self, index << 6 + position) { words[index] &= ~(1 &<< UInt64(position)) }
            }
          }
        }
      }
    }
    found.formUnion(rest)
  }

  /// Calls `body` with parts of the rows, as ranges of words of a set, until canceled.
  private func forEachPart(_ body: (_ words: Range<Int>) -> Void) {
    let count = (contacts.rowCount + 63) / 64
    for start in stride(from: 0, to: count, by: 512) where !isCancelled() { body(start..<min(start + 512, count)) }
  }

  /// Returns the part of an array that belongs to the rows of a range of words.
  private func positions(_ words: Range<Int>, _ starts: UnsafeBufferPointer<UInt32>) -> Range<Int> {
    let first = min(words.lowerBound * 64, contacts.rowCount)
    let last = min(words.upperBound * 64, contacts.rowCount)
    return PackedContactsView.range(starts, first, last)
  }

  private func scanText(_ compiled: CompiledTerm, among candidates: RowSet?, into found: inout RowSet) {
    let mask = compiled.mask
    let isExact = compiled.isSingleLetter || compiled.isSingleDigit
    let isAnywhere = compiled.fields == .all
    let fields = compiled.fields
    let scan = compiled.scan
    let contacts = contacts
    let table = compiled.hints()
    defer { table.deallocate() }
    let hints = UnsafeBufferPointer(table)
    // A unit that matches the only letter matches the whole term.
    let isPlain = isAnywhere && scan.stride == 2
    found.withWords { words in
      forEachPart { part in
        for index in part {
          let start = index << 6
          let allowed = candidates?.words[index] ?? .max
          if allowed == 0 { continue }
          var word = isExact ? mask.rowsMatchingFirstUnit(contacts.columns, index) & allowed : 0
          var rest = mask.passing(contacts.columns, index) & ~word & allowed
          while rest != 0 {
            let position = rest.trailingZeroBitCount
            rest &= rest &- 1
            let units = contacts.units(start &+ position)
            guard UnitScan.mayMatch(units, hints) else { continue }
            let isMatch = isPlain || (isAnywhere ? scan.matches(units) : scan.matches(units, in: fields))
            word |= (isMatch ? 1 : 0) &<< UInt64(truncatingIfNeeded: position)
          }
          words[index] |= word
        }
      }
    }
  }

  /// Adds the rows with the term's only letter at the start of an email address or website, or after an @. Their
  /// signatures have the bit of the letter.
  private func scanSingleLetter(into found: inout RowSet) {
    let bit = Signature.bit(UInt32(term.literal.needle[0]), inName: false)
    let contacts = contacts
    found.withWords { words in
      forEachPart { part in
        for index in part {
          var rest = contacts.columns.some(of: bit, index) & ~words[index]
          while rest != 0 {
            let position = rest.trailingZeroBitCount
            rest &= rest &- 1
            if matchesLiteral(index << 6 &+ position) { words[index] |= 1 &<< UInt64(truncatingIfNeeded: position) }
          }
        }
      }
    }
  }

  private func scanLiterals(into found: inout RowSet) {
    let kinds = term.fields
    let isAnywhere = looksAtAllLiterals
    let contacts = contacts
    found.withWords { words in
      forEachPart { part in
        let range = positions(part, contacts.literalStarts)
        var walk = RowWalk(contacts.literalStarts)
        ByteSearch.forEach(term.literal.needle, in: UnsafeBufferPointer(rebasing: contacts.literals[range])) { offset in
          let position = range.lowerBound + offset
          if !isAnywhere, !kinds.contains(RowScan.literalKind(contacts.literals, at: position)) { return offset + 1 }
          let row = walk.row(at: position)
          words[row >> 6] |= 1 << UInt64(row & 63)
          return Int(contacts.literalStarts[row + 1]) - range.lowerBound
        }
      }
    }
  }

  private func scanPhones(into found: inout RowSet) {
    guard let phone = term.phone else { return }
    let contacts = contacts
    for alternative in phone.alternatives where !isCancelled() {
      found.withWords { words in
        forEachPart { part in
          let range = positions(part, contacts.phoneStarts)
          var walk = RowWalk(contacts.phoneStarts)
          ByteSearch.forEach(alternative.digits, in: UnsafeBufferPointer(rebasing: contacts.phones[range])) { offset in
            let position = range.lowerBound + offset
            guard PhonePattern.isAnchored(contacts.phones, at: position, alternative) else { return offset + 1 }
            let row = walk.row(at: position)
            words[row >> 6] |= 1 << UInt64(row & 63)
            return Int(contacts.phoneStarts[row + 1]) - range.lowerBound
          }
        }
      }
    }
  }

  private static func literalKind(_ bytes: UnsafeBufferPointer<UInt8>, at position: Int) -> FieldKind {
    var position = position
    while bytes[position] > LiteralPattern.urlMark { position -= 1 }
    return bytes[position] == LiteralPattern.emailMark ? .email : .url
  }

  // MARK: One row

  /// Returns the rows of a list that match, or those that do not.
  func filter(_ rows: [UInt32], isNegated: Bool = false) -> [UInt32] {
    var kept: [UInt32] = []
    let textual = looksAtText ? compiled : nil
    let isAnywhere = term.fields == .all
    let (looksAtLiterals, looksAtPhones) = (looksAtLiterals, looksAtPhones)
    var word = -1
    // The rows of this word that may match in each way.
    var (textRows, literalRows, phoneRows) = (UInt64(0), UInt64(0), UInt64(0))
    for (index, row) in rows.enumerated() {
      if index & 0xFFFF == 0xFFFF, isCancelled() { return kept }
      let row = Int(row)
      if row >> 6 != word {
        word = row >> 6
        textRows = textual?.mask.passing(contacts.columns, word) ?? 0
        literalRows = looksAtLiterals ? contacts.columns.all(of: literalFlags, word) : 0
        phoneRows = looksAtPhones ? contacts.columns.all(of: phoneFlags, word) : 0
      }
      let bit: UInt64 = 1 << UInt64(row & 63)
      var isMatch = false
      if let textual, textRows & bit != 0 {
        let units = contacts.units(row)
        isMatch = isAnywhere ? textual.scan.matches(units) : textual.scan.matches(units, in: term.fields)
      }
      isMatch = isMatch || literalRows & bit != 0 && matchesLiteral(row) || phoneRows & bit != 0 && matchesPhone(row)
      if isMatch != isNegated { kept.append(UInt32(row)) }
    }
    return kept
  }

  private func matchesLiteral(_ row: Int) -> Bool {
    let range = contacts.literalRange(row)
    let bytes = contacts.literals
    let needle = term.literal
    let first = needle.needle[0]
    var position = range.lowerBound
    var isOpen = false
    let last = range.upperBound - needle.needle.count
    while position <= last {
      let byte = bytes[position]
      if byte <= LiteralPattern.urlMark {
        isOpen = term.fields.contains(byte == LiteralPattern.emailMark ? .email : .url)
      } else if byte == first, isOpen, needle.matches(bytes, at: position) {
        return true
      }
      position += 1
    }
    return false
  }

  private func matchesPhone(_ row: Int) -> Bool {
    let range = contacts.phoneRange(row)
    guard !range.isEmpty, let phone = term.phone else { return false }
    let bytes = contacts.phones
    for alternative in phone.alternatives {
      let count = alternative.digits.count
      var position = range.lowerBound + 1
      while position + count <= range.upperBound {
        if bytes[position] == alternative.digits[0],
          (1..<count).allSatisfy({ bytes[position + $0] == alternative.digits[$0] }),
          PhonePattern.isAnchored(bytes, at: position, alternative)
        {
          return true
        }
        position += 1
      }
    }
    return false
  }
}
