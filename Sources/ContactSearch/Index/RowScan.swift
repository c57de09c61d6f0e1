/// One text term compared with the rows of an index, either all of them in a few passes over flat arrays, or one by
/// one.
struct RowScan {
  private let term: TextTerm
  private let compiled: CompiledTerm?
  private let contacts: PackedContactsView
  private let isCancelled: () -> Bool

  init(
    _ term: TextTerm, _ compiled: CompiledTerm?, contacts: PackedContactsView, isCancelled: @escaping () -> Bool
  ) {
    self.term = term
    self.compiled = compiled
    self.contacts = contacts
    self.isCancelled = isCancelled
  }

  private var looksAtText: Bool { compiled != nil && !term.fields.isSubset(of: FieldSet(.email, .url)) }
  private var looksAtLiterals: Bool {
    !term.literal.needle.isEmpty && !term.fields.isDisjoint(with: FieldSet(.email, .url))
  }
  private var looksAtPhones: Bool { term.phone != nil && term.fields.contains(.phone) }

  // MARK: All rows

  /// Returns those of the candidates that match.
  /// - Parameter text: called with the rows whose tokens match, before addresses and numbers are checked; not for a
  ///   single letter.
  func all(among candidates: RowSet, text: (RowSet) -> Void = { _ in }) -> RowSet {
    var found = RowSet(count: contacts.rowCount)
    if looksAtText, let compiled {
      scanText(compiled, among: candidates, into: &found)
      // The signatures cover addresses, too.
      if compiled.isSingleLetter { return found }
    }
    text(found)
    if looksAtLiterals, !isCancelled() { scanLiterals(into: &found) }
    if looksAtPhones, !isCancelled() { scanPhones(into: &found) }
    found.formIntersection(candidates)
    return found
  }

  private func scanText(_ compiled: CompiledTerm, among candidates: RowSet, into found: inout RowSet) {
    let mask = compiled.mask
    let isExact = compiled.isSingleLetter || compiled.isSingleDigit
    let isAnywhere = compiled.fields == .all
    let automaton = compiled.automaton
    let contacts = contacts
    let table = compiled.hints()
    defer { table.deallocate() }
    let hints = UnsafeBufferPointer(table)
    found.withWords { words in
      forEachPart { part in
        for index in part {
          let allowed = candidates.words[index]
          if allowed == 0 { continue }
          var word = isExact ? mask.rowsMatchingFirstToken(contacts.columns, index) & allowed : 0
          var rest = mask.passing(contacts.columns, index) & ~word & allowed
          while rest != 0 {
            let position = rest.trailingZeroBitCount
            rest &= rest &- 1
            let codes = contacts.codes(index << 6 &+ position)
            guard TermAutomaton.mayMatch(codes, hints) else { continue }
            let isMatch = isAnywhere ? automaton.matches(codes) : automaton.matches(codes, in: compiled.fields)
            word |= (isMatch ? 1 : 0) &<< UInt64(truncatingIfNeeded: position)
          }
          words[index] = word
        }
      }
    }
  }

  private func scanLiterals(into found: inout RowSet) {
    let bytes = contacts.literals
    for needle in term.literal.needles where !isCancelled() {
      scan(bytes, contacts.literalStarts, for: needle, into: &found) { position in
        term.fields.contains(RowScan.literalKind(bytes, at: position))
      }
    }
  }

  private func scanPhones(into found: inout RowSet) {
    for alternative in term.phone?.alternatives ?? [] where !isCancelled() {
      scan(contacts.phones, contacts.phoneStarts, for: alternative.digits, into: &found) { [phones = contacts.phones] in
        PhonePattern.isAnchored(phones, at: $0, alternative)
      }
    }
  }

  /// Adds the rows that have a byte string where it may be.
  /// - Parameters:
  ///   - starts: where each row begins in the bytes.
  ///   - isMatch: whether the string may be at a position.
  @inline(__always)
  private func scan(
    _ bytes: UnsafeBufferPointer<UInt8>, _ starts: UnsafeBufferPointer<UInt32>, for needle: [UInt8],
    into found: inout RowSet, _ isMatch: (Int) -> Bool
  ) {
    found.withWords { words in
      forEachPart { part in
        var row = part.lowerBound * 64
        let (start, end) = (Int(starts[row]), Int(starts[min(part.upperBound * 64, contacts.rowCount)]))
        bytes.forEachPosition(of: needle, in: start..<end) { position in
          guard isMatch(position) else { return position + 1 }
          while Int(starts[row + 1]) <= position { row &+= 1 }
          words[row >> 6] |= 1 << UInt64(row & 63)
          return Int(starts[row + 1])
        }
      }
    }
  }

  /// Calls `body` with parts of the rows, as ranges of words of a set, until canceled.
  private func forEachPart(_ body: (_ words: Range<Int>) -> Void) {
    let count = (contacts.rowCount + 63) / 64
    for start in stride(from: 0, to: count, by: 512) where !isCancelled() { body(start..<min(start + 512, count)) }
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
    let (looksAtLiterals, looksAtPhones) = (looksAtLiterals, looksAtPhones)
    for (index, row) in rows.enumerated() {
      if index & 0xFFFF == 0xFFFF, isCancelled() { return kept }
      let row = Int(row)
      let isMatch =
        textual?.matches(contacts.codes(row)) == true || looksAtLiterals && matchesLiteral(row)
        || looksAtPhones && matchesPhone(row)
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

extension UnsafeBufferPointer<UInt8> {
  /// Calls `found` with the position of each occurrence of a byte string in a range, in ascending order; `found` returns
  /// the position at which to continue. It compares the first and the last byte at 16 positions at a time: a key at
  /// 100,000 contacts may take 4 ms.
  @inline(__always)
  func forEachPosition(of needle: [UInt8], in range: Range<Int>, _ found: (Int) -> Int) {
    typealias Block = SIMD16<UInt8>
    guard let base = baseAddress, let first = needle.first, let last = needle.last else { return }
    let start = UnsafeRawPointer(base)
    let toLast = needle.count - 1
    let end = range.upperBound - toLast
    let (firsts, lasts) = (Block(repeating: first), Block(repeating: last))
    func isMatch(_ position: Int) -> Bool { needle.indices.allSatisfy { self[position + $0] == needle[$0] } }
    var next = range.lowerBound  // the first position that may be reported
    var block = range.lowerBound
    while block + 16 <= end {
      var hits = UnsafeBufferPointer.bits(
        (start.loadUnaligned(fromByteOffset: block, as: Block.self) .== firsts)
          .& (start.loadUnaligned(fromByteOffset: block + toLast, as: Block.self) .== lasts))
      while hits != 0 {
        let position = block + hits.trailingZeroBitCount
        hits &= hits - 1
        if position >= next, toLast < 2 || isMatch(position) { next = found(position) }
      }
      block += 16
    }
    var position = Swift.max(block, next)
    while position < end { position = isMatch(position) ? found(position) : position + 1 }
  }

  /// Returns a bit for each of sixteen positions of a mask, the first in the lowest bit.
  @inline(__always)
  private static func bits(_ mask: SIMDMask<SIMD16<Int8>>) -> UInt64 {
    // Moves the lowest bits of eight bytes into the highest byte: no two of the products share a bit.
    let lanes = unsafeBitCast(mask, to: SIMD2<UInt64>.self) & SIMD2(repeating: 0x0101_0101_0101_0101)
    return (lanes.x &* 0x0102_0408_1020_4080) &>> 56 | ((lanes.y &* 0x0102_0408_1020_4080) &>> 48 & 0xFF00)
  }
}
