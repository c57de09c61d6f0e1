/// The inner loop of a search: walks the units of a contact and keeps the set of places of the term reached so far, all
/// of them in one word. Valid as long as the ``CompiledTerm`` that it comes from.
struct UnitScan {
  /// The class of each entry of the lexicon. Class 0 takes nothing, 1 is a whole field that matches.
  let classes: UnsafeMutableBufferPointer<UInt16>
  /// For each class and place, the set of places that it leads to.
  let reach: UnsafeMutableBufferPointer<UInt64>
  /// For each class and place, where its pieces begin in `pieces`, and one entry for the end.
  let pieceStarts: UnsafeMutableBufferPointer<UInt32>
  let pieces: UnsafeMutableBufferPointer<Piece>
  /// Places of the term, and one for its end.
  let stride: Int
  /// The set that holds the end of the term.
  let accepting: UInt64

  /// Whether some row of consecutive units matches. Markers and shared fields take nothing and so part the fields.
  @inline(__always)
  func matches(_ tokens: UnsafeBufferPointer<UInt16>) -> Bool {
    var active: UInt64 = 0
    var index = 0
    while index < tokens.count {
      // No branch for units that take nothing: their row is all empty, and which they are cannot be predicted.
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

  /// Whether a row may match: it has a unit that takes the whole term, or one that takes its beginning before one that
  /// takes some later part. One look at a short table for each unit, and no branch; most rows fail here.
  /// - Parameter hints: those of ``CompiledTerm/hints()``.
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

  /// In a hint: the unit takes the whole term.
  static let whole: UInt8 = 4
  /// In a hint: the unit takes letters from a later place, so that it follows another one.
  static let later: UInt8 = 2
  /// In a hint: the unit takes the first letters.
  static let beginning: UInt8 = 1

  /// The same for a term that may match in some fields only.
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

/// How numbers of the lexicon are written in a row of 16-bit words: small ones in one word, the others in two.
///
/// A second word is never an escape. So where one page of a row has become zeros, the other word of a number that lay across
/// its edge reads as a number that is no greater, or as one below ``escape``: both are in the lexicon still.
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

  /// Whether a row is whole and all its numbers are below a limit.
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
  /// The field whose marker an entry of the lexicon is.
  @inline(__always)
  init?(marker id: Int) {
    guard id < FieldKind.allCases.count else { return nil }
    self.init(rawValue: UInt8(truncatingIfNeeded: id))
  }
}
