extension Signature {
  /// With what a unit may begin.
  struct Initials: Equatable {
    /// Letters, bit 0 for a.
    var letters: UInt32 = 0
    /// A hash of other characters.
    var other: UInt64 = 0
    /// Digits.
    var digits: ContactFlags = []

    /// Adds a character that is no letter.
    mutating func insert(_ value: UInt32) {
      other |= Signature.bit(value, inName: false)
      digits.formUnion(ContactFlags(value, in: .startOfUnit))
    }
  }

  /// What a contact must have. Its own texts need a beginning of a first unit and all digits of the term; if no unit can
  /// match alone, a beginning of a second unit too, both in the name or both elsewhere. Or it has a shared field that
  /// matches.
  struct Mask: Equatable {
    private let first: UInt64
    private let second: UInt64
    private let other: UInt64
    private let starts: ContactFlags
    private let digits: ContactFlags
    private(set) var shared: ContactFlags = []

    /// - Parameters:
    ///   - first: with what a unit begins that takes the first letters.
    ///   - second: with what one begins that goes on from there; nil where one unit can match alone.
    ///   - digits: the digits of the term that nothing else can stand for, as marks of texts.
    init(first: Initials, second: Initials?, digits: ContactFlags) {
      self.first = UInt64(first.letters)
      // A second unit that begins with no letter is not looked for; the first one has to do.
      let isSought = second.map { $0.other == 0 && $0.digits.isEmpty } ?? false
      self.second = isSought ? UInt64(second?.letters ?? 0) : self.first
      other = first.other
      starts = first.digits
      self.digits = digits
    }

    /// Lets those pass who have a shared field.
    mutating func insert(sharedField id: Int) { shared.insert(ContactFlags(sharedField: id)) }

    /// Whether a row may match.
    @inline(__always)
    func passes(_ columns: SignatureColumns.View, _ row: Int) -> Bool {
      passing(columns, row >> 6) & 1 << UInt64(row & 63) != 0
    }

    /// Which of 64 rows may match. What nothing asks for is not read.
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

    /// Which of 64 rows have a unit of their own that begins with a letter or digit of a first unit.
    @inline(__always)
    func passingFirst(_ columns: SignatureColumns.View, _ word: Int) -> UInt64 {
      columns.some(of: first | first << Signature.elsewhere, word) | columns.some(of: starts, word)
    }
  }
}
