/// The inner loop of a search: walks the units of a contact and keeps the set of positions reached in the term, all
/// in one word. Valid while its ``CompiledTerm`` lives.
struct UnitScan {
  /// The class of each entry of the lexicon. Class 0 matches nothing; class 1 is a whole field that matches.
  let classes: UnsafeMutableBufferPointer<UInt16>
  /// For each class and position, the set of positions reached.
  let reach: UnsafeMutableBufferPointer<UInt64>
  /// For each class and position, the start of its pieces in `pieces`, followed by the end.
  let pieceStarts: UnsafeMutableBufferPointer<UInt32>
  let pieces: UnsafeMutableBufferPointer<Piece>
  /// The number of positions of the term, including its end.
  let stride: Int
  /// The set that holds the end of the term.
  let accepting: UInt64

  /// Returns whether some sequence of consecutive units matches, or a shared field. Markers and other shared fields
  /// match nothing and so separate the fields.
  @inline(__always)
  func matches(_ tokens: UnsafeBufferPointer<UInt16>) -> Bool {
    var active: UInt64 = 0
    var index = 0
    while index < tokens.count {
      // No branch for units that match nothing: their row is empty, and the branch would be unpredictable.
      let row = Int(classes[Token.read(tokens, &index)]) &* stride
      var next = reach[row]
      while active != 0 {
        next |= reach[row &+ active.trailingZeroBitCount]
        active &= active &- 1
      }
      active = next
      if active & accepting != 0 { return true }
    }
    return false
  }

  /// Returns whether a row may match: it has a unit that matches the whole term, or a unit that matches the beginning
  /// of the term directly before a unit that matches a later part. This takes one lookup in a table of bytes per unit,
  /// without a branch that depends on it; most rows fail here.
  /// - Parameter hints: the result of ``CompiledTerm/hints()``.
  @inline(__always)
  static func mayMatch(_ tokens: UnsafeBufferPointer<UInt16>, _ hints: UnsafeBufferPointer<UInt8>) -> Bool {
    var found: UInt8 = 0
    var before: UInt8 = 0
    var index = 0
    while index < tokens.count {
      let hint = hints[Token.read(tokens, &index)]
      found |= hint | before & hint &<< 1
      before = hint &<< 2
    }
    return found & UnitScan.whole != 0
  }

  /// In a hint: the unit matches the whole term.
  static let whole: UInt8 = 4
  /// In a hint: the unit matches letters from a later position, so it has to follow another unit.
  static let later: UInt8 = 2
  /// In a hint: the unit matches the first letters.
  static let beginning: UInt8 = 1

  /// Returns whether some sequence of consecutive units matches, for a term that may match only in some fields.
  func matches(_ tokens: UnsafeBufferPointer<UInt16>, in fields: FieldSet) -> Bool {
    var active: UInt64 = 0
    var index = 0
    var isOpen = fields.contains(.name)
    while index < tokens.count {
      let id = Token.read(tokens, &index)
      if let field = FieldKind(marker: id) {
        isOpen = fields.contains(field)
        active = 0
        continue
      }
      let unit = Int(classes[id])
      if unit == Int(CompiledTerm.wholeField) { return true }
      active = unit == 0 || !isOpen ? 0 : step(active, unit)
      if active & accepting != 0 { return true }
    }
    return false
  }

  @inline(__always)
  private func step(_ active: UInt64, _ unit: Int) -> UInt64 {
    let row = unit * stride
    var next = reach[row]
    var rest = active
    while rest != 0 {
      next |= reach[row + rest.trailingZeroBitCount]
      rest &= rest - 1
    }
    return next
  }
}

/// The encoding of lexicon numbers as 16-bit words: small ones in one word, the others in two.
///
/// A second word is never an escape. So if one page of a row has become zeros, the remaining word of a number that was
/// split by the end of the page reads as a number that is no greater, or as a number below ``escape``: both are still
/// in the lexicon.
enum Token {
  /// Numbers from here on take two words.
  static let escape = 0xF000

  /// Appends a number below 2²⁷.
  static func append(_ id: Int, to tokens: inout [UInt16]) {
    if id < escape {
      tokens.append(UInt16(id))
    } else {
      tokens.append(UInt16(escape | id / escape))
      tokens.append(UInt16(id % escape))
    }
  }

  /// Returns whether a row is complete and all its numbers are below a limit.
  static func areValid(_ tokens: UnsafeBufferPointer<UInt16>, below limit: Int) -> Bool {
    var index = 0
    while index < tokens.count {
      if Int(tokens[index]) >= escape, index + 1 == tokens.count { return false }
      if read(tokens, &index) >= limit { return false }
    }
    return true
  }

  /// Reads the number at `index`, and moves past it.
  @inline(__always)
  static func read(_ tokens: UnsafeBufferPointer<UInt16>, _ index: inout Int) -> Int {
    let word = Int(tokens[index])
    index &+= 1
    if word < escape { return word }
    let low = Int(tokens[index])
    index &+= 1
    return (word & 0xFFF) &* escape &+ low
  }
}

extension FieldKind {
  /// Creates the field of a marker; nil for any other entry.
  @inline(__always)
  init?(marker id: Int) {
    guard id < FieldKind.allCases.count else { return nil }
    self.init(rawValue: UInt8(truncatingIfNeeded: id))
  }
}
