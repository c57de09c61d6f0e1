extension Signature {
  /// The possible beginnings of a unit.
  struct Initials: Equatable {
    /// Letters, bit 0 for a.
    var letters: UInt32 = 0
    /// A hash of other characters.
    var other: UInt64 = 0
    var digits: ContactFlags = []

    /// Adds a character that is not a letter.
    mutating func insert(_ value: UInt32) {
      other |= Signature.bit(value, inName: false)
      digits.formUnion(ContactFlags(value, in: .startOfUnit))
    }
  }

  /// The requirements for a contact: either a shared field that matches, or the following in its own texts. They need a
  /// unit that can begin the match, and all digits of the term that only match themselves. If no unit can match alone,
  /// and both units begin with letters, they also need a unit that can continue the match, both in the name or both
  /// elsewhere.
  struct Mask: Equatable {
    private let first: UInt64
    private let second: UInt64
    private let other: UInt64
    private let starts: ContactFlags
    private let digits: ContactFlags
    private(set) var shared: ContactFlags = []

    /// - Parameters:
    ///   - first: the beginnings of units that match the first letters.
    ///   - second: the beginnings of units that continue from there; nil if one unit can match alone.
    ///   - digits: the digits of the term that nothing else can match, as flags of texts.
    init(first: Initials, second: Initials?, digits: ContactFlags) {
      self.first = UInt64(first.letters)
      // If the second unit may begin with something other than a letter, only the first one is required.
      let isSought = second.map { $0.other == 0 && $0.digits.isEmpty } ?? false
      self.second = isSought ? UInt64(second?.letters ?? 0) : self.first
      other = first.other
      starts = first.digits
      self.digits = digits
    }

    /// Lets contacts with a shared field pass, too.
    mutating func insert(sharedField id: Int) { shared.insert(ContactFlags(sharedField: id)) }

    /// Returns whether a row may match.
    @inline(__always)
    func passes(_ columns: SignatureColumns.View, _ row: Int) -> Bool {
      passing(columns, row >> 6) & 1 << UInt64(row & 63) != 0
    }

    /// Returns which of 64 rows may match. Columns that are not needed are not read.
    @inline(__always)
    func passing(_ columns: SignatureColumns.View, _ word: Int) -> UInt64 {
      var rows = columns.some(of: other, word) | columns.some(of: starts, word)
      if first == second {
        rows |= columns.some(of: first | first << Signature.elsewhere, word)
      } else {
        rows |= columns.some(of: first, word) & columns.some(of: second, word)
        rows |=
          columns.some(of: first << Signature.elsewhere, word) & columns.some(of: second << Signature.elsewhere, word)
      }
      return rows & columns.all(of: digits, word) | columns.some(of: shared, word)
    }

    /// Returns a superset of those of 64 rows whose names match.
    @inline(__always)
    func passingNames(_ columns: SignatureColumns.View, _ word: Int) -> UInt64 {
      columns.some(of: first | other, word) | columns.some(of: starts, word)
    }

    /// Returns which of 64 rows have a unit of their own that begins with a letter or digit with which a match can
    /// begin, or an email address or website with such a letter at its start or after an @.
    @inline(__always)
    func rowsMatchingFirstUnit(_ columns: SignatureColumns.View, _ word: Int) -> UInt64 {
      columns.some(of: first | first << Signature.elsewhere, word) | columns.some(of: starts, word)
    }
  }
}
