/// 64 bits for the first letters of a contact's tokens: a cheap test that rules out most contacts.
///
/// Bits 0–25 are letters in the name; 26–51 letters elsewhere, at the start of email addresses and websites, and after
/// an @; 52–63 are a hash of first characters that are neither letters nor digits. Digits and shared fields are in
/// ``ContactFlags``.
enum Signature {
  static let elsewhere: UInt64 = 26
  private static let other: UInt64 = 52

  /// Returns the bit of a token's first character; 0 for a digit.
  static func bit(_ value: UInt32, inName: Bool) -> UInt64 {
    if isLetter(value) { return 1 << (UInt64(value - 0x61) + (inName ? 0 : elsewhere)) }
    return ContactFlags.isDigit(value) ? 0 : hashed(value)
  }

  static func isLetter(_ value: UInt32) -> Bool { value >= 0x61 && value <= 0x7A }

  /// Returns the bit of a character that is neither a letter nor a digit.
  static func hashed(_ value: UInt32) -> UInt64 { 1 << (other + UInt64((value &* 0x9E37_79B1) >> 16) % 12) }

  /// Returns the possible first letters of a token whose match begins with this letter of a term.
  static func letters(_ letter: TermPattern.Letter, isFuzzy: Bool) -> UInt32 {
    let l: UInt32 = 1 << 11
    let n: UInt32 = 1 << 13
    return isFuzzy && letter.mask & (l | n) != 0 ? letter.mask | l | n : letter.mask
  }
}

/// 64 bits, in addition to the ``Signature``, that tell which digits a contact's own texts have, and which shared fields
/// the contact has. They are enough to answer a search for one digit, except in shared fields.
///
/// Bits 0–9 are digits at the beginning of tokens, 10–19 digits anywhere; 20–63 are a hash of the shared fields, which
/// are compared once for all contacts that have them.
struct ContactFlags: OptionSet, Hashable, BitwiseCopyable, Sendable {
  let rawValue: UInt64

  /// The location of a digit; the raw value is the first of its ten bits.
  enum DigitGroup: UInt64 {
    case startOfToken = 0
    case texts = 10
  }

  init(rawValue: UInt64) { self.rawValue = rawValue }

  /// Creates the flag of a digit; empty for any other code point.
  init(_ value: UInt32, in group: DigitGroup) {
    rawValue = ContactFlags.isDigit(value) ? 1 << (UInt64(value - 0x30) + group.rawValue) : 0
  }

  init(_ letters: some Sequence<some BinaryInteger>, in group: DigitGroup) {
    var bits: UInt64 = 0
    for letter in letters { bits |= ContactFlags(UInt32(truncatingIfNeeded: letter), in: group).rawValue }
    rawValue = bits
  }

  init(sharedField id: Int) {
    let hash = UInt32(truncatingIfNeeded: id) &* 0x9E37_79B1
    rawValue = 1 << (20 + UInt64(hash >> 16) % 44)
  }

  static func isDigit(_ value: UInt32) -> Bool { value >= 0x30 && value <= 0x39 }
}

extension Signature {
  /// The possible beginnings of a token.
  struct Initials: Equatable {
    /// Letters, bit 0 for a.
    var letters: UInt32 = 0
    /// A hash of other characters.
    var other: UInt64 = 0
    var digits: ContactFlags = []

    /// Adds a character that is not a letter.
    mutating func insert(_ value: UInt32) {
      other |= Signature.bit(value, inName: false)
      digits.formUnion(ContactFlags(value, in: .startOfToken))
    }
  }

  /// The requirements for a contact: either a shared field that matches, or the following in its own texts. They need a
  /// token that can begin the match, and all digits of the term that only match themselves. If no token can match
  /// alone, and both tokens begin with letters, they also need a token that can continue the match, both in the name or
  /// both elsewhere.
  struct Mask: Equatable {
    private let first: UInt64
    private let second: UInt64
    private let other: UInt64
    private let starts: ContactFlags
    private let digits: ContactFlags
    private(set) var shared: ContactFlags = []

    /// - Parameters:
    ///   - first: the beginnings of tokens that match the first letters.
    ///   - second: the beginnings of tokens that continue from there; nil if one token can match alone.
    ///   - digits: the digits of the term that nothing else can match, as flags of texts.
    init(first: Initials, second: Initials?, digits: ContactFlags) {
      self.first = UInt64(first.letters)
      // If the second token may begin with something other than a letter, only the first one is required.
      let isSought = second.map { $0.other == 0 && $0.digits.isEmpty } ?? false
      self.second = isSought ? UInt64(second?.letters ?? 0) : self.first
      other = first.other
      starts = first.digits
      self.digits = digits
    }

    /// Lets contacts with a shared field pass, too.
    mutating func insert(sharedField id: Int) { shared.insert(ContactFlags(sharedField: id)) }

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

    /// Returns which of 64 rows have a token of their own that begins with a letter or digit with which a match can
    /// begin, or an email address or website with such a letter at its start or after an @.
    @inline(__always)
    func rowsMatchingFirstToken(_ columns: SignatureColumns.View, _ word: Int) -> UInt64 {
      columns.some(of: first | first << Signature.elsewhere, word) | columns.some(of: starts, word)
    }
  }
}

/// The signatures and flags of all rows, in columns: for each of their 128 bits, one bit of every row. A term only
/// needs a few bits, and so reads only a few bits per row; one operation tests 64 rows.
///
/// Rows are in blocks of 512, so that rows can be appended: a column of a block is one cache line.
struct SignatureColumns {
  private var words: FlatArray<UInt64>
  private var rowCount: Int

  fileprivate static let columns = 128
  fileprivate static let wordsInColumn = 8
  private static let wordsInBlock = columns * wordsInColumn
  private static let rowsInBlock = wordsInColumn * 64

  init() {
    words = FlatArray()
    rowCount = 0
  }

  /// Creates the columns from stored words; nil if the size is wrong, or there are bits set after the last row.
  init?(stored words: FlatArray<UInt64>, rowCount: Int) {
    let blocks = (rowCount + SignatureColumns.rowsInBlock - 1) / SignatureColumns.rowsInBlock
    guard words.count == blocks * SignatureColumns.wordsInBlock else { return nil }
    self.words = words
    self.rowCount = rowCount
    let view = view
    for word in rowCount / 64..<blocks * SignatureColumns.wordsInColumn {
      let rows: UInt64 = word == rowCount / 64 ? 1 << UInt64(rowCount & 63) - 1 : 0
      let others = view.some(of: .max, word) | view.some(of: ContactFlags(rawValue: .max), word)
      if others & ~rows != 0 { return nil }
    }
  }

  /// The words as plain memory, as they are stored.
  var stored: UnsafeBufferPointer<UInt64> { words.view }

  /// The columns as plain memory, valid while these columns live unchanged.
  var view: View { View(words: words.view) }

  mutating func append(_ signature: UInt64, _ flags: ContactFlags) {
    if rowCount.isMultiple(of: SignatureColumns.rowsInBlock) {
      words.append(repeating: 0, count: SignatureColumns.wordsInBlock)
    }
    let row = rowCount
    words.update { words in
      func set(_ bits: UInt64, after column: Int) {
        View.forEachBit(of: bits) { words[View.index(column + $0, row >> 6)] |= 1 << UInt64(row & 63) }
      }
      set(signature, after: 0)
      set(flags.rawValue, after: View.firstFlag)
    }
    rowCount += 1
  }

  mutating func reserveCapacity(_ rows: Int) {
    words.reserveCapacity((rows / SignatureColumns.rowsInBlock + 1) * SignatureColumns.wordsInBlock)
  }

  mutating func shrink() { words.shrink() }

  /// The number of bytes, including spare capacity.
  var footprint: Int { words.footprint }

  /// Plain memory for the inner loops. A `word` of rows is 64 of them, the first in the lowest bit.
  struct View {
    fileprivate let words: UnsafeBufferPointer<UInt64>
    fileprivate static let firstFlag = 64

    /// Returns the rows of a word that have some of the signature bits.
    @inline(__always)
    func some(of signature: UInt64, _ word: Int) -> UInt64 { some(of: signature, after: 0, word) }

    /// Returns the rows of a word that have some of the flags.
    @inline(__always)
    func some(of flags: ContactFlags, _ word: Int) -> UInt64 { some(of: flags.rawValue, after: View.firstFlag, word) }

    /// Returns the rows of a word that have all of the flags.
    @inline(__always)
    func all(of flags: ContactFlags, _ word: Int) -> UInt64 {
      var rows = UInt64.max
      View.forEachBit(of: flags.rawValue) { rows &= words[View.index(View.firstFlag &+ $0, word)] }
      return rows
    }

    /// Returns the signature and the flags of a row.
    func row(_ row: Int) -> (signature: UInt64, flags: ContactFlags) {
      func bits(after column: Int) -> UInt64 {
        (0..<64).reduce(0) { bits, bit in
          bits | (words[View.index(column + bit, row >> 6)] >> UInt64(row & 63) & 1) << UInt64(bit)
        }
      }
      return (bits(after: 0), ContactFlags(rawValue: bits(after: View.firstFlag)))
    }

    @inline(__always)
    private func some(of bits: UInt64, after column: Int, _ word: Int) -> UInt64 {
      var rows: UInt64 = 0
      View.forEachBit(of: bits) { rows |= words[View.index(column &+ $0, word)] }
      return rows
    }

    /// Returns the offset of a word of a column.
    @inline(__always)
    fileprivate static func index(_ column: Int, _ word: Int) -> Int {
      let (block, rest) = UInt(bitPattern: word).quotientAndRemainder(dividingBy: UInt(wordsInColumn))
      return Int(bitPattern: (block &* UInt(columns) &+ UInt(bitPattern: column)) &* UInt(wordsInColumn) &+ rest)
    }

    @inline(__always)
    fileprivate static func forEachBit(of bits: UInt64, _ body: (Int) -> Void) {
      var rest = bits
      while rest != 0 {
        body(rest.trailingZeroBitCount)
        rest &= rest &- 1
      }
    }
  }
}
