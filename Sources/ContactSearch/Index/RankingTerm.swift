extension Ranking {
  /// The parts of a ``CompiledTerm`` that are needed for each row, without references to count.
  struct Comparison {
    let scan: UnitScan
    let fields: FieldSet
    let mask: Signature.Mask
  }

  /// A term to rank by. It is a class because passing a structure on would retain each of its parts.
  final class Term {
    let text: TextTerm
    /// Its contents are valid while the ``CompiledTerm`` lives, which the plan retains. It is a pointer because copying
    /// it for each row would take a tenth of the time.
    let compiled: UnsafePointer<Comparison>?
    let looksAtNames: Bool
    let looksAtLiterals: Bool
    /// The number of digits to look for in phone numbers; 0 if the term cannot match them.
    let digitCount: Int
    /// Whether those digits may be anywhere in a number, and there are no alternatives.
    let isPlainNumber: Bool
    /// The rows whose units match, one bit each; nil if unknown.
    private let textRows: UnsafeMutableBufferPointer<UInt64>?
    /// A superset of the rows whose email addresses or websites match, one bit each; nil if unknown.
    private let literalRows: UnsafeMutableBufferPointer<UInt64>?
    let names = NameValues()
    /// The cached values of shared fields, which are the same for every contact.
    let phrases = PhraseValues()
    /// The last word of 64 rows that was checked, and a bit for each of its rows whose name may match.
    private let nameRows: UnsafeMutablePointer<(word: Int, rows: UInt64)>

    init(text: TextTerm, compiled: CompiledTerm?, textRows: RowSet?, literalRows: RowSet? = nil) {
      self.text = text
      self.compiled = compiled.map {
        let comparison = UnsafeMutablePointer<Comparison>.allocate(capacity: 1)
        comparison.initialize(
          to: Comparison(scan: $0.scan, fields: $0.fields, mask: $0.mask))
        return UnsafePointer(comparison)
      }
      nameRows = .allocate(capacity: 1)
      nameRows.initialize(to: (-1, 0))
      self.textRows = textRows?.words.copied()
      self.literalRows = literalRows?.words.copied()
      looksAtNames = compiled != nil && text.fields.contains(.name)
      looksAtLiterals = text.fields.contains(.email) || text.fields.contains(.url)
      digitCount = text.fields.contains(.phone) ? text.phone?.alternatives[0].digits.count ?? 0 : 0
      isPlainNumber = text.phone?.isPlain ?? false
    }

    deinit {
      compiled?.deallocate()
      nameRows.deallocate()
      textRows?.deallocate()
      literalRows?.deallocate()
    }

    /// Returns whether the email addresses or websites of a row may match.
    @inline(__always)
    func mayMatchLiteral(_ row: Int) -> Bool {
      guard looksAtLiterals else { return false }
      guard let literalRows else { return true }
      return literalRows[row >> 6] & 1 << UInt64(row & 63) != 0
    }

    /// Returns whether the name of a row may match. This is fastest for rows in ascending order.
    @inline(__always)
    func mayMatchName(_ row: Int, _ columns: SignatureColumns.View) -> Bool {
      if nameRows.pointee.word != row >> 6 {
        var rows = compiled?.pointee.mask.passingNames(columns, row >> 6) ?? 0
        if let textRows { rows &= textRows[row >> 6] }
        nameRows.pointee = (row >> 6, rows)
      }
      return nameRows.pointee.rows & 1 << UInt64(row & 63) != 0
    }

    /// Returns whether the units of a row match; nil if unknown.
    @inline(__always)
    func matchesText(_ row: Int) -> Bool? {
      guard let textRows else { return nil }
      return textRows[row >> 6] & 1 << UInt64(row & 63) != 0
    }
  }
}
