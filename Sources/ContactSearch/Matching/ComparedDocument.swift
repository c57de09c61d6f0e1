import Pinyin

/// A document split for comparison, with the mapping back to its texts. It uses the same comparison as the index.
/// Several documents may share a lexicon, so that a term is compared with their tokens only once.
struct ComparedDocument {
  /// A field that a term matches.
  struct Match {
    var field: SearchField
    var ranges: [Range<Int>]
    var value: Int
  }

  private struct TextField {
    var field: SearchField
    var tokens: [Int]
    var symbols: [Bool]
    var buffer: Tokenizer
  }

  private struct ByteField {
    var field: SearchField
    var bytes: [UInt8]
    /// For each byte after the mark, the index of the code point it came from.
    var sources: [Int]
  }

  private var texts: [TextField] = []
  private var literals: [ByteField] = []
  private var phones: [ByteField] = []

  /// Splits a document into tokens of a lexicon.
  init(_ document: SearchDocument, into lexicon: inout Lexicon) {
    let parts = document.nameParts
    document.forEachText { add($0, $1, isPerson: document.isPerson, parts, &lexicon) }
    document.forEachLiteral { field, text in
      var sources: [Int] = []
      let bytes = Folded.bytes(of: text, sources: &sources)
      let mark = field.kind == .email ? LiteralPattern.emailMark : LiteralPattern.urlMark
      literals.append(ByteField(field: field, bytes: [mark] + bytes, sources: sources))
    }
    for (index, text) in document.phones.enumerated() {
      var sources: [Int] = []
      let bytes = PhoneNumber.bytes(of: text, sources: &sources)
      if !bytes.isEmpty { phones.append(ByteField(field: .phone(index), bytes: bytes, sources: sources)) }
      var text = text
      if text.withUTF8(PhoneNumber.isText) { add(.phone(index), text, isPerson: document.isPerson, parts, &lexicon) }
    }
  }

  private mutating func add(
    _ field: SearchField, _ text: String, isPerson: Bool, _ parts: [NamePart], _ lexicon: inout Lexicon
  ) {
    var buffer = Tokenizer()
    var tokens: [Int] = []
    var symbols: [Bool] = []
    let readings = NameReadings(field.kind, isPerson: isPerson, parts: parts)
    var text = text
    text.withUTF8 { utf8 in
      DocumentEncoder.forEachToken(of: utf8, readings, &buffer, &lexicon) { id, token, _, _ in
        tokens.append(id)
        symbols.append(token.kind == .symbol)
      }
    }
    texts.append(TextField(field: field, tokens: tokens, symbols: symbols, buffer: buffer))
  }

  /// Returns every field that a term matches, with the best match in each: texts first, then email addresses, websites
  /// and phone numbers.
  /// - Parameter compiled: the term compared with the lexicon; nil if it has no letters to compare.
  func matches(_ term: TextTerm, _ compiled: CompiledTerm?, _ lexicon: Lexicon, _ finder: PathFinder) -> [Match] {
    var matches: [Match] = []
    if let compiled {
      let pattern = compiled.pattern
      for text in texts where term.fields.contains(text.field.kind) {
        finder.clear()
        for (token, isSymbol) in zip(text.tokens, text.symbols) {
          finder.append(compiled.automaton.classes[token], isSymbol: isSymbol)
        }
        var steps: [PathFinder.Step] = []
        guard let value = finder.best(compiled.automaton, steps: &steps) else { continue }
        let ranges = steps.map { step in
          let (id, token) = (text.tokens[step.token], text.buffer.tokens[step.token])
          let isForeign = token.kind == .word && lexicon.isWide(id)
          return text.buffer.sourceRange(
            of: token,
            letters: isForeign
              ? pattern.coveredLetters(of: lexicon.letters(id), part: step.letters) : step.letters.count)
        }
        matches.append(Match(field: text.field, ranges: ranges, value: text.field.kind.weight + value))
      }
    }
    for literal in literals where term.fields.contains(literal.field.kind) {
      if let match = literal.bytes.withUnsafeBufferPointer({ term.literal.best(in: $0) }) {
        matches.append(ComparedDocument.match(literal, match))
      }
    }
    guard let phone = term.phone, term.fields.contains(.phone) else { return matches }
    for number in phones {
      if let match = number.bytes.withUnsafeBufferPointer({ phone.best(in: $0) }) {
        matches.append(ComparedDocument.match(number, match))
      }
    }
    return matches
  }

  /// Returns the match in an email address, a website or a phone number: from the first to the last matched character.
  private static func match(_ field: ByteField, _ match: (range: Range<Int>, value: Int)) -> Match {
    let first = field.sources[match.range.lowerBound - 1]
    let last = field.sources[match.range.upperBound - 2]
    return Match(field: field.field, ranges: [first..<(last + 1)], value: field.field.kind.weight + match.value)
  }
}
