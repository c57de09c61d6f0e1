import Pinyin

/// A term compared with every token of a lexicon. Tokens that match the same letters in the same ways share a class, so
/// a contact is checked by looking up the class of each of its tokens.
///
/// It owns the memory of `automaton`, which the inner loops read without array checks and reference counts.
final class CompiledTerm {
  let pattern: TermPattern
  let fields: FieldSet
  let automaton: TermAutomaton
  /// The required signature and flags of a contact.
  let mask: Signature.Mask

  /// Whether the term is one letter for all fields: every contact with that letter in its signature matches.
  var isSingleLetter: Bool {
    pattern.letters.count == 1 && Signature.isLetter(pattern.letters[0].value) && pattern.allowsPrefix
      && !pattern.isFuzzy && fields == .all
  }

  /// Whether the term is one digit that only matches itself; the flags alone then decide about the contact's own
  /// tokens.
  var isSingleDigit: Bool {
    pattern.letters.count == 1 && ContactFlags.isDigit(pattern.letters[0].value) && pattern.letters[0].mask == 0
      && pattern.allowsPrefix && fields == .all
  }

  static let nothing: UInt16 = 0
  static let sharedField: UInt16 = 1

  /// Compares the term with the lexicon. A shared field may only match if it is one of `fields`.
  init(_ pattern: TermPattern, fields: FieldSet, lexicon: Lexicon) {
    self.pattern = pattern
    self.fields = fields
    var compiler = TermCompiler(pattern, entries: lexicon.count)
    compiler.compileWords(lexicon)
    compiler.compileForeign(lexicon)
    compiler.compileHan(lexicon)
    var mask = compiler.mask(lexicon)
    let automaton = compiler.finish()
    for id in lexicon.sharedFields where CompiledTerm.sharedFieldMatches(Int(id), automaton, fields, lexicon) {
      automaton.classes[Int(id)] = CompiledTerm.sharedField
      mask.insert(sharedField: Int(id))
    }
    self.automaton = automaton
    self.mask = mask
  }

  /// Returns whether a row matches in one of the fields.
  @inline(__always)
  func matches(_ codes: UnsafeBufferPointer<UInt16>) -> Bool {
    fields == .all ? automaton.matches(codes) : automaton.matches(codes, in: fields)
  }

  /// Returns the hints for ``TermAutomaton/mayMatch(_:_:)``, one for each entry of the lexicon, in memory that the
  /// caller frees.
  func hints() -> UnsafeMutableBufferPointer<UInt8> {
    let ofClasses = (0..<(automaton.successors.count / automaton.stride)).map { number in
      let successors = automaton.successors[(number * automaton.stride)..<((number + 1) * automaton.stride)]
      var hint: UInt8 = successors[successors.startIndex] & automaton.accepting != 0 ? TermAutomaton.whole : 0
      if successors[successors.startIndex] != 0 { hint |= TermAutomaton.beginning }
      if successors.dropFirst().contains(where: { $0 != 0 }) { hint |= TermAutomaton.later }
      return hint
    }
    let hints = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: automaton.classes.count)
    ofClasses.withUnsafeBufferPointer { ofClasses in
      for id in automaton.classes.indices { hints.initializeElement(at: id, to: ofClasses[Int(automaton.classes[id])]) }
    }
    return hints
  }

  deinit {
    automaton.classes.deallocate()
    automaton.successors.deallocate()
    automaton.transitionStarts.deallocate()
    automaton.transitions.deallocate()
  }

  private static func sharedFieldMatches(_ id: Int, _ automaton: TermAutomaton, _ fields: FieldSet, _ lexicon: Lexicon)
    -> Bool
  {
    lexicon.withCodes(ofSharedField: id) { codes in
      guard let first = codes.first, let field = FieldKind(marker: Int(first)), fields.contains(field) else {
        return false
      }
      return automaton.matches(codes)
    }
  }
}

/// A builder of the classes of a ``CompiledTerm``.
///
/// The number of classes depends on the ways in which a spelling can match a term of up to 63 letters: usually a few
/// thousand at most.
struct TermCompiler {
  private let pattern: TermPattern
  private var classes: UnsafeMutableBufferPointer<UInt16>
  private var successors: [UInt64] = []
  private var transitionStarts: [UInt32] = []
  private var transitions: [Transition] = []
  private var known: [[UInt32]: UInt16] = [[]: CompiledTerm.nothing]
  /// For each position, the hashed first letters of the tokens of other scripts that match from there.
  private var foreignInitials: [Int: UInt64] = [:]

  /// The highest bit of a class marks a symbol, see ``PathFinder``.
  private static let maximumClasses = 0x8000

  private var stride: Int { pattern.letters.count + 1 }
  private var accepting: UInt64 { 1 << UInt64(pattern.letters.count) }

  init(_ pattern: TermPattern, entries: Int) {
    self.pattern = pattern
    classes = .allocate(capacity: entries)
    classes.initialize(repeating: CompiledTerm.nothing)
    addClass([])
    addClass([])
    successors[stride] = accepting
  }

  /// Returns the tables, in memory that the caller owns.
  func finish() -> TermAutomaton {
    TermAutomaton(
      classes: classes, successors: successors.copied(),
      transitionStarts: (transitionStarts + [UInt32(transitions.count)]).copied(),
      transitions: transitions.copied(), stride: stride, accepting: accepting)
  }

  // MARK: Classes

  /// Returns the class for transitions in order of position; the same transitions give the same class.
  private mutating func classOf(_ list: [PlacedTransition]) -> UInt16 {
    if list.isEmpty { return CompiledTerm.nothing }
    let key = list.map(\.packed)
    if let number = known[key] { return number }
    // Only crafted text needs more classes; a search then misses some of it.
    guard successors.count / stride < TermCompiler.maximumClasses else { return CompiledTerm.nothing }
    let number = UInt16(successors.count / stride)
    known[key] = number
    addClass(list)
    return number
  }

  private mutating func addClass(_ list: [PlacedTransition]) {
    var next = 0
    for index in 0..<stride {
      transitionStarts.append(UInt32(transitions.count))
      var ends: UInt64 = 0
      while next < list.count, list[next].index == index {
        transitions.append(list[next].transition)
        ends |= 1 << UInt64(list[next].transition.end)
        next += 1
      }
      successors.append(ends)
    }
  }

  /// Compares ASCII words, numbers and symbols.
  mutating func compileWords(_ lexicon: Lexicon) {
    var indexesByInitial = [[Int]](repeating: [], count: 26)
    for (index, letter) in pattern.letters.enumerated() {
      for initial in 0..<26 where letter.mask & 1 << UInt32(initial) != 0 { indexesByInitial[initial].append(index) }
    }
    var list: [PlacedTransition] = []
    for initial in 0..<26 where !indexesByInitial[initial].isEmpty {
      for id in lexicon.wordsByInitial[initial] {
        list.removeAll(keepingCapacity: true)
        lexicon.withContent(Int(id)) { letters in
          for index in indexesByInitial[initial] {
            pattern.forEachTransition(of: letters, kind: .word, from: index) {
              list.append(PlacedTransition(index, $0))
            }
          }
        }
        classes[Int(id)] = classOf(list)
      }
    }
    let digits = pattern.letters.indices.filter { (0x30...0x39).contains(pattern.letters[$0].value) }
    if !digits.isEmpty {
      let digitBits = digits.reduce(into: UInt64(0)) { $0 |= 1 << UInt64(pattern.letters[$1].value) }
      for id in lexicon.numbers {
        list.removeAll(keepingCapacity: true)
        lexicon.withContent(Int(id)) { letters in
          guard let first = letters.first, digitBits & 1 << UInt64(first) != 0 else { return }
          for index in digits {
            pattern.forEachTransition(of: letters, kind: .number, from: index) {
              list.append(PlacedTransition(index, $0))
            }
          }
        }
        if !list.isEmpty { classes[Int(id)] = classOf(list) }
      }
    }
    for id in lexicon.others {
      list.removeAll(keepingCapacity: true)
      let kind = lexicon.kind(Int(id))
      let letters = lexicon.letters(Int(id))
      for index in pattern.letters.indices {
        pattern.forEachTransition(of: letters, kind: kind, from: index) { list.append(PlacedTransition(index, $0)) }
      }
      if !list.isEmpty { classes[Int(id)] = classOf(list.best()) }
    }
  }

  /// Compares words and characters that are not all ASCII, literally and by their Latin spellings.
  mutating func compileForeign(_ lexicon: Lexicon) {
    var list: [PlacedTransition] = []
    var letters: [UInt32] = []
    for (first, ids) in lexicon.foreign {
      let initials = Romanization.shared.initials(of: first)
      let base = ScalarFolding.base(of: first)
      let consonant = Hangul.initial(of: first)
      let starts = pattern.letters.indices.filter { index in
        let letter = pattern.letters[index]
        return letter.value == base || letter.value == consonant || letter.mask & initials != 0
          || Signature.isLetter(base) && letter.mask & 1 << (base - 0x61) != 0
          || initials == Romanization.anyInitial && pattern.hasLatin
      }
      if starts.isEmpty { continue }
      for id in ids {
        list.removeAll(keepingCapacity: true)
        lexicon.copyLetters(Int(id), to: &letters)
        let kind = lexicon.kind(Int(id))
        for index in starts {
          let typed = letters.lazy.map(ScalarFolding.base)
          pattern.forEachTransition(of: typed, kind: kind, from: index) { list.append(PlacedTransition(index, $0)) }
          pattern.forEachTransition(ofHangul: first, from: index) { list.append(PlacedTransition(index, $0)) }
          guard pattern.hasLatin else { continue }
          letters.withUnsafeBufferPointer { letters in
            pattern.forEachRomanizedTransition(of: letters, kind: kind, from: index) {
              list.append(PlacedTransition(index, $0))
            }
          }
        }
        if list.isEmpty { continue }
        classes[Int(id)] = classOf(list.best())
        if Signature.isLetter(base) { continue }
        for transition in list { foreignInitials[transition.index, default: 0] |= Signature.hashed(base) }
      }
    }
  }

  mutating func compileHan(_ lexicon: Lexicon) {
    let indexes = pattern.letters.indices
    var primary: [[PlacedTransition]] = []
    var secondary: [[PlacedTransition]] = []
    let letterMask = pattern.letters.reduce(0) { $0 | $1.mask }
    for syllable in lexicon.readings.syllables {
      var first: [PlacedTransition] = []
      var other: [PlacedTransition] = []
      if letterMask != 0 || pattern.hasZhuyin {
        var forms = letterMask == 0 ? [] : SpellingForms.forms(of: syllable, fuzzy: pattern.isFuzzy)
        if pattern.hasZhuyin { forms.append(SpellingForms.Form(letters: Zhuyin.letters(of: syllable), isFuzzy: false)) }
        for index in indexes where pattern.letters[index].mask != 0 || Zhuyin.isLetter(pattern.letters[index].value) {
          pattern.forEachTransition(of: forms, isPrimary: true, from: index) {
            first.append(PlacedTransition(index, $0))
          }
          pattern.forEachTransition(of: forms, isPrimary: false, from: index) {
            other.append(PlacedTransition(index, $0))
          }
        }
      }
      primary.append(first)
      secondary.append(other)
    }
    var setTransitions: [[PlacedTransition]] = []
    var setClasses: [UInt16] = []
    for set in lexicon.readings.sets {
      var list = set.first.map { primary[$0] } ?? []
      for syllable in set.dropFirst() { list += secondary[syllable] }
      list = list.best()
      setTransitions.append(list)
      setClasses.append(classOf(list))
    }
    for (id, set) in zip(lexicon.hans.view, lexicon.hanSets.view) { classes[Int(id)] = setClasses[Int(set)] }
    for form in Set(pattern.letters.map(\.form)) {
      for id in lexicon.hans(ofForm: form) {
        let value = lexicon.character(Int(id))
        var list = setTransitions[lexicon.readingSet(Int(id))]
        for index in indexes {
          if let transition = pattern.literalTransition(of: value, form: form, from: index) {
            list.append(PlacedTransition(index, transition))
          }
        }
        classes[Int(id)] = classOf(list.best())
      }
    }
  }

  /// Returns the required signature and flags of a contact, without shared fields.
  func mask(_ lexicon: Lexicon) -> Signature.Mask {
    guard let letter = pattern.letters.first else { return Signature.Mask(first: .init(), second: nil, digits: []) }
    var first = Signature.Initials()
    add(letter, to: &first, lexicon)
    first.other |= foreignInitials[0] ?? 0
    let digits = ContactFlags(pattern.letters.filter { $0.mask == 0 }.map(\.value), in: .texts)
    var ends: UInt64 = 0
    for tokenClass in 2..<(successors.count / stride) { ends |= successors[tokenClass * stride] }
    guard ends & accepting == 0 else { return Signature.Mask(first: first, second: nil, digits: digits) }
    var second = Signature.Initials()
    for index in pattern.letters.indices where ends & 1 << UInt64(index) != 0 {
      add(pattern.letters[index], to: &second, lexicon)
      second.other |= foreignInitials[index] ?? 0
    }
    return Signature.Mask(first: first, second: second, digits: digits)
  }

  /// Adds all possible beginnings of tokens whose match starts at a letter of the term.
  private func add(_ letter: TermPattern.Letter, to initials: inout Signature.Initials, _ lexicon: Lexicon) {
    initials.letters |= Signature.letters(letter, isFuzzy: pattern.isFuzzy) | Zhuyin.latinInitials(letter.value)
    let hans = lexicon.hans(ofForm: letter.form)
    if hans.isEmpty, !Signature.isLetter(letter.value) { initials.insert(letter.value) }
    for id in hans {
      // A character has the bits of all its readings, so testing one is enough.
      if let syllable = lexicon.readings.sets[lexicon.readingSet(Int(id))].first {
        initials.letters |= 1 << UInt32(lexicon.readings.syllables[syllable][0] - 0x61)
      } else {
        initials.insert(lexicon.character(Int(id)))
      }
    }
  }
}

extension Array {
  /// Returns the elements in memory that the caller frees; they need no deinitialization.
  func copied() -> UnsafeMutableBufferPointer<Element> {
    let buffer = UnsafeMutableBufferPointer<Element>.allocate(capacity: count)
    _ = buffer.initialize(fromContentsOf: self)
    return buffer
  }
}

/// A transition and the position in the term where it starts.
struct PlacedTransition: Hashable {
  var index: Int
  var transition: Transition

  init(_ index: Int, _ transition: Transition) {
    self.index = index
    self.transition = transition
  }

  /// Packed into one number; the order is by position, then end, then cost.
  var packed: UInt32 {
    UInt32(index) << 24 | UInt32(transition.end) << 16 | UInt32(transition.cost) << 8 | (transition.isWhole ? 0 : 1)
  }
}

extension [PlacedTransition] {
  /// Returns the cheapest transition for each position and end, in order.
  func best() -> [PlacedTransition] {
    if count < 2 { return self }
    var result: [PlacedTransition] = []
    for item in sorted(by: { $0.packed < $1.packed })
    where result.last?.index != item.index || result.last?.transition.end != item.transition.end {
      result.append(item)
    }
    return result
  }
}
