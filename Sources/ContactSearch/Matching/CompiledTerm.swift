/// A term compared with every unit of a lexicon. Units that can take the same letters in the same ways share a class, so
/// a contact is checked by looking up the class of each of its units.
struct CompiledTerm {
  let pattern: TermPattern
  let fields: FieldSet
  /// The class of each entry of the lexicon. Class 0 takes nothing, 1 is a whole field that matches.
  private(set) var classes: [UInt16]
  /// For each class and place, the set of places that it leads to.
  private(set) var reach: [UInt64] = []
  /// For each class and place, where its pieces begin in `pieces`.
  private(set) var pieceStarts: [Int] = []
  private(set) var pieces: [Piece] = []
  /// Letters with which a first unit may begin, and, unless one unit can match alone, a second one.
  private(set) var firstSignature: UInt64 = 0
  private(set) var secondSignature: UInt64 = .max

  static let nothing: UInt16 = 0
  static let wholeField: UInt16 = 1

  private var known: [[UInt32]: UInt16] = [:]

  /// Places of the term, and one for its end.
  var stride: Int { pattern.letters.count + 1 }
  /// The set that holds the end of the term.
  var accepting: UInt64 { 1 << UInt64(pattern.letters.count) }

  /// Compares the term with the lexicon. `fields` says which shared whole fields may match.
  init(_ pattern: TermPattern, fields: FieldSet, lexicon: Lexicon) {
    self.pattern = pattern
    self.fields = fields
    classes = [UInt16](repeating: CompiledTerm.nothing, count: lexicon.count)
    addClass([])
    pieceStarts.append(contentsOf: repeatElement(0, count: stride))
    reach.append(accepting)
    reach.append(contentsOf: repeatElement(0, count: stride - 1))
    known[[]] = CompiledTerm.nothing
    compileWords(lexicon)
    compileHan(lexicon)
    compileSignatures()
    compilePhrases(lexicon)
  }

  /// The pieces of a class from a place on.
  func pieces(of unitClass: Int, from place: Int) -> ArraySlice<Piece> {
    let slot = unitClass * stride + place
    return pieces[pieceStarts[slot]..<(slot + 1 < pieceStarts.count ? pieceStarts[slot + 1] : pieces.count)]
  }

  // MARK: Classes

  /// A class for pieces given as (place, piece), places ascending; the same pieces give the same class.
  private mutating func classOf(_ list: [PlacedPiece]) -> UInt16 {
    if list.isEmpty { return CompiledTerm.nothing }
    let key = list.map(\.packed)
    if let number = known[key] { return number }
    guard reach.count / stride < Int(UInt16.max) else { return CompiledTerm.nothing }
    let number = UInt16(reach.count / stride)
    known[key] = number
    addClass(list)
    return number
  }

  private mutating func addClass(_ list: [PlacedPiece]) {
    var next = 0
    for place in 0..<stride {
      pieceStarts.append(pieces.count)
      var ends: UInt64 = 0
      while next < list.count, list[next].place == place {
        pieces.append(list[next].piece)
        ends |= 1 << UInt64(list[next].piece.end)
        next += 1
      }
      reach.append(ends)
    }
  }

  private mutating func compileWords(_ lexicon: Lexicon) {
    var placesByInitial = [[Int]](repeating: [], count: 26)
    for (place, letter) in pattern.letters.enumerated() {
      for initial in 0..<26 where letter.mask & 1 << UInt32(initial) != 0 { placesByInitial[initial].append(place) }
    }
    var list: [PlacedPiece] = []
    for initial in 0..<26 where !placesByInitial[initial].isEmpty {
      for id in lexicon.wordsByInitial[initial] {
        list.removeAll(keepingCapacity: true)
        lexicon.withContent(Int(id)) { letters in
          for place in placesByInitial[initial] {
            pattern.forEachPiece(of: letters, kind: .word, from: place) { list.append(PlacedPiece(place, $0)) }
          }
        }
        classes[Int(id)] = classOf(list)
      }
    }
    let digits = pattern.letters.indices.filter { (0x30...0x39).contains(pattern.letters[$0].value) }
    if !digits.isEmpty {
      for id in lexicon.numbers {
        list.removeAll(keepingCapacity: true)
        lexicon.withContent(Int(id)) { letters in
          for place in digits {
            pattern.forEachPiece(of: letters, kind: .number, from: place) { list.append(PlacedPiece(place, $0)) }
          }
        }
        if !list.isEmpty { classes[Int(id)] = classOf(list) }
      }
    }
    for id in lexicon.others {
      list.removeAll(keepingCapacity: true)
      let kind = lexicon.kind(Int(id))
      let letters = lexicon.letters(Int(id))
      for place in pattern.letters.indices {
        pattern.forEachPiece(of: letters, kind: kind, from: place) { list.append(PlacedPiece(place, $0)) }
      }
      if !list.isEmpty { classes[Int(id)] = classOf(list.best()) }
    }
  }

  private mutating func compileHan(_ lexicon: Lexicon) {
    let places = pattern.letters.indices
    var primary: [[PlacedPiece]] = []
    var secondary: [[PlacedPiece]] = []
    let letterMask = pattern.letters.reduce(0) { $0 | $1.mask }
    for syllable in lexicon.readings.syllables {
      var first: [PlacedPiece] = []
      var other: [PlacedPiece] = []
      if letterMask != 0 {
        let forms = SpellingForms.forms(of: syllable, fuzzy: pattern.isFuzzy)
        for place in places where pattern.letters[place].mask != 0 {
          pattern.forEachPiece(of: forms, isPrimary: true, from: place) { first.append(PlacedPiece(place, $0)) }
          pattern.forEachPiece(of: forms, isPrimary: false, from: place) { other.append(PlacedPiece(place, $0)) }
        }
      }
      primary.append(first)
      secondary.append(other)
    }
    var setPieces: [[PlacedPiece]] = []
    var setClasses: [UInt16] = []
    for set in lexicon.readings.sets {
      var list = set.first.map { primary[$0] } ?? []
      for syllable in set.dropFirst() { list += secondary[syllable] }
      list = list.best()
      setPieces.append(list)
      setClasses.append(classOf(list))
    }
    for (id, set) in zip(lexicon.hans, lexicon.hanSets) { classes[Int(id)] = setClasses[Int(set)] }
    for form in Set(pattern.letters.map(\.form)) {
      for id in lexicon.hansByForm[form] ?? [] {
        let value = lexicon.letters(Int(id))[0]
        var list = setPieces[lexicon.readingSet(Int(id))]
        for place in places {
          if let piece = pattern.literalPiece(of: value, form: form, from: place) { list.append(PlacedPiece(place, piece)) }
        }
        classes[Int(id)] = classOf(list.best())
      }
    }
  }

  // MARK: What a contact must have

  private mutating func compileSignatures() {
    guard let first = pattern.letters.first else { return }
    firstSignature = Signature.bits(startingWith: first, isFuzzy: pattern.isFuzzy)
    var ends: UInt64 = 0
    for unitClass in 2..<max(2, reach.count / stride) { ends |= reach[unitClass * stride] }
    guard ends & accepting == 0 else { return }
    secondSignature = 0
    for place in pattern.letters.indices where ends & 1 << UInt64(place) != 0 {
      secondSignature |= Signature.bits(startingWith: pattern.letters[place], isFuzzy: pattern.isFuzzy)
    }
  }

  private mutating func compilePhrases(_ lexicon: Lexicon) {
    for id in lexicon.phrases {
      let matches = lexicon.withTokens(ofPhrase: Int(id)) { tokens in
        guard let field = FieldKind(rawValue: UInt8(truncatingIfNeeded: tokens[0])), fields.contains(field) else {
          return false
        }
        return self.matches(tokens)
      }
      if matches { classes[Int(id)] = CompiledTerm.wholeField }
    }
  }

  /// Whether a row of units matches, fields aside.
  func matches(_ tokens: UnsafeBufferPointer<UInt16>) -> Bool {
    classes.withUnsafeBufferPointer { classes in
      reach.withUnsafeBufferPointer { reach in
        UnitScan(classes: classes, reach: reach, stride: stride, accepting: accepting).matches(tokens)
      }
    }
  }
}

/// A piece and the place from which it takes letters.
struct PlacedPiece: Hashable {
  var place: Int
  var piece: Piece

  init(_ place: Int, _ piece: Piece) {
    self.place = place
    self.piece = piece
  }

  /// All of it in one number; the order is by place, then end, then cost.
  var packed: UInt32 {
    UInt32(place) << 24 | UInt32(piece.end) << 16 | UInt32(piece.cost) << 8 | (piece.isWhole ? 0 : 1)
  }
}

extension [PlacedPiece] {
  /// The cheapest of the pieces with the same place and end, in order.
  func best() -> [PlacedPiece] {
    if count < 2 { return self }
    var result: [PlacedPiece] = []
    for item in sorted(by: { $0.packed < $1.packed })
    where result.last?.place != item.place || result.last?.piece.end != item.piece.end {
      result.append(item)
    }
    return result
  }
}
