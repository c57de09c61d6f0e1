/// The inner loop of a search: walks the tokens of a contact and keeps the set of positions reached in the term, all
/// in one word. Valid while its ``CompiledTerm`` lives.
struct TermAutomaton {
  /// The class of each entry of the lexicon. Class 0 matches nothing; class 1 is a whole field that matches.
  let classes: UnsafeMutableBufferPointer<UInt16>
  /// For each class and position, the set of positions reached.
  let successors: UnsafeMutableBufferPointer<UInt64>
  /// For each class and position, the start of its transitions in `transitions`, followed by the end.
  let transitionStarts: UnsafeMutableBufferPointer<UInt32>
  let transitions: UnsafeMutableBufferPointer<Transition>
  /// The number of positions of the term, including its end.
  let stride: Int
  /// The set that holds the end of the term.
  let accepting: UInt64

  /// Returns whether some sequence of consecutive tokens matches, or a shared field. Markers and other shared fields
  /// match nothing and so separate the fields.
  @inline(__always)
  func matches(_ codes: UnsafeBufferPointer<UInt16>) -> Bool {
    var active: UInt64 = 0
    var index = 0
    while index < codes.count {
      // No branch for tokens that match nothing: their row is empty, and the branch would be unpredictable.
      let row = Int(classes[TokenCode.read(codes, &index)]) &* stride
      var next = successors[row]
      while active != 0 {
        next |= successors[row &+ active.trailingZeroBitCount]
        active &= active &- 1
      }
      active = next
      if active & accepting != 0 { return true }
    }
    return false
  }

  /// Returns whether a row may match: it has a token that matches the whole term, or a token that matches the beginning
  /// of the term directly before a token that matches a later part. This takes one lookup in a table of bytes per
  /// token, without a branch that depends on it; most rows fail here.
  /// - Parameter hints: the result of ``CompiledTerm/hints()``.
  @inline(__always)
  static func mayMatch(_ codes: UnsafeBufferPointer<UInt16>, _ hints: UnsafeBufferPointer<UInt8>) -> Bool {
    var found: UInt8 = 0
    var before: UInt8 = 0
    var index = 0
    while index < codes.count {
      let hint = hints[TokenCode.read(codes, &index)]
      found |= hint | before & hint &<< 1
      before = hint &<< 2
    }
    return found & TermAutomaton.whole != 0
  }

  /// In a hint: the token matches the whole term.
  static let whole: UInt8 = 4
  /// In a hint: the token matches letters from a later position, so it has to follow another token.
  static let later: UInt8 = 2
  /// In a hint: the token matches the first letters.
  static let beginning: UInt8 = 1

  /// Returns whether some sequence of consecutive tokens matches, for a term that may match only in some fields.
  func matches(_ codes: UnsafeBufferPointer<UInt16>, in fields: FieldSet) -> Bool {
    var active: UInt64 = 0
    var index = 0
    var isOpen = fields.contains(.name)
    while index < codes.count {
      let id = TokenCode.read(codes, &index)
      if let field = FieldKind(marker: id) {
        isOpen = fields.contains(field)
        active = 0
        continue
      }
      let tokenClass = Int(classes[id])
      if tokenClass == Int(CompiledTerm.sharedField) { return true }
      active = tokenClass == 0 || !isOpen ? 0 : step(active, tokenClass)
      if active & accepting != 0 { return true }
    }
    return false
  }

  @inline(__always)
  private func step(_ active: UInt64, _ tokenClass: Int) -> UInt64 {
    let row = tokenClass * stride
    var next = successors[row]
    var rest = active
    while rest != 0 {
      next |= successors[row + rest.trailingZeroBitCount]
      rest &= rest - 1
    }
    return next
  }
}

/// The encoding of lexicon numbers as 16-bit words: small ones in one word, the others in two.
enum TokenCode {
  /// Numbers from here on take two words.
  static let escape = 0xF000

  /// Appends a number below 2²⁷.
  static func append(_ id: Int, to codes: inout [UInt16]) {
    if id < escape {
      codes.append(UInt16(id))
    } else {
      codes.append(UInt16(escape | id / escape))
      codes.append(UInt16(id % escape))
    }
  }

  /// Returns whether a row is complete and all its numbers are below a limit.
  static func areValid(_ codes: UnsafeBufferPointer<UInt16>, below limit: Int) -> Bool {
    var index = 0
    while index < codes.count {
      if Int(codes[index]) >= escape, index + 1 == codes.count { return false }
      if read(codes, &index) >= limit { return false }
    }
    return true
  }

  /// Reads the number at `index`, and moves past it.
  @inline(__always)
  static func read(_ codes: UnsafeBufferPointer<UInt16>, _ index: inout Int) -> Int {
    let word = Int(codes[index])
    index &+= 1
    if word < escape { return word }
    let low = Int(codes[index])
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
