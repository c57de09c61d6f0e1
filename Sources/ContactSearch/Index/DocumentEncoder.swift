/// Turns a document into what the index keeps: numbers of units, bytes of addresses and telephone numbers.
struct DocumentEncoder {
  private(set) var tokens: [UInt16] = []
  private(set) var literals: [UInt8] = []
  private(set) var phones: [UInt8] = []
  private(set) var signature: UInt64 = 0

  private var buffer = UnitBuffer()
  private var fieldTokens: [UInt16] = []
  /// Whole fields seen before, so that a company of many people is split once.
  private var seenFields: [SeenField: (id: Int, signature: UInt64)] = [:]

  private struct SeenField: Hashable {
    var field: FieldKind
    var text: String
  }

  /// A field of more words than this is hardly shared, and is kept in place.
  private static let longestShared = 24
  private static let seenLimit = 20_000

  /// Encodes a document; the result is in the properties until the next call.
  mutating func encode(_ document: SearchDocument, into lexicon: inout Lexicon) {
    tokens.removeAll(keepingCapacity: true)
    literals.removeAll(keepingCapacity: true)
    phones.removeAll(keepingCapacity: true)
    signature = 0
    document.forEachText { field, text in
      self.encode(text, field.kind, isPersonName: field.kind == .name && document.isPerson, into: &lexicon)
    }
    document.forEachLiteral { field, text in
      let bytes = Folded.bytes(of: text)
      guard !bytes.isEmpty else { return }
      literals.append(field.kind == .email ? LiteralPattern.emailMark : LiteralPattern.urlMark)
      literals.append(contentsOf: bytes)
      signature |= Signature.bit(UInt32(bytes[0]), inName: false)
      for at in bytes.indices.dropLast() where bytes[at] == UInt8(ascii: "@") {
        signature |= Signature.bit(UInt32(bytes[at + 1]), inName: false)
      }
    }
    for text in document.phones { phones.append(contentsOf: PhoneNumber.bytes(of: text)) }
  }

  private mutating func encode(_ text: String, _ field: FieldKind, isPersonName: Bool, into lexicon: inout Lexicon) {
    let isShareable =
      field == .organization || field == .title || field == .department || field == .group || field == .note
    guard isShareable else {
      if field != .name { Token.append(Lexicon.marker(field), to: &tokens) }
      signature |= DocumentEncoder.append(
        text, inName: field == .name, isPersonName: isPersonName, to: &tokens, &buffer, &lexicon)
      return
    }
    let key = SeenField(field: field, text: text)
    if let seen = seenFields[key] {
      Token.append(seen.id, to: &tokens)
      signature |= seen.signature
      return
    }
    fieldTokens.removeAll(keepingCapacity: true)
    Token.append(Lexicon.marker(field), to: &fieldTokens)
    let bits = DocumentEncoder.append(text, inName: false, isPersonName: false, to: &fieldTokens, &buffer, &lexicon)
    signature |= bits
    guard fieldTokens.count <= DocumentEncoder.longestShared else {
      tokens.append(contentsOf: fieldTokens)
      return
    }
    let id = lexicon.addPhrase(fieldTokens)
    Token.append(id, to: &tokens)
    if seenFields.count >= DocumentEncoder.seenLimit { seenFields.removeAll(keepingCapacity: true) }
    seenFields[key] = (id, bits)
  }

  /// Appends the units of a text, and returns the signature of its first letters.
  static func append(
    _ text: String, inName: Bool, isPersonName: Bool, to tokens: inout [UInt16], _ buffer: inout UnitBuffer,
    _ lexicon: inout Lexicon
  ) -> UInt64 {
    var signature: UInt64 = 0
    forEachUnit(of: text, isPersonName: isPersonName, &buffer, &lexicon) { id, unit, lexicon, buffer in
      Token.append(id, to: &tokens)
      guard unit.kind == .han else {
        signature |= Signature.bit(buffer.keys[unit.key.lowerBound], inName: inName)
        return
      }
      signature |= Signature.bit(HanVariants.form(of: buffer.keys[unit.key.lowerBound]), inName: inName)
      for syllable in lexicon.readings.sets[lexicon.readingSet(id)] {
        signature |= Signature.bit(UInt32(lexicon.readings.syllables[syllable][0]), inName: inName)
      }
    }
    return signature
  }

  /// Splits a text and calls `body` with the number of each unit in the lexicon.
  static func forEachUnit(
    of text: String, isPersonName: Bool, _ buffer: inout UnitBuffer, _ lexicon: inout Lexicon,
    _ body: (Int, UnitBuffer.Unit, borrowing Lexicon, borrowing UnitBuffer) -> Void
  ) {
    buffer.split(text)
    var inPlace: [UInt64?]?
    if buffer.units.contains(where: { $0.kind == .han }) {
      inPlace = HanReadings.inPlace(buffer.source, isPersonName: isPersonName)
    }
    for unit in buffer.units {
      let primary = unit.kind == .han ? inPlace?[unit.source.lowerBound].map { lexicon.syllable($0) } : nil
      let id = lexicon.add(unit, of: buffer, primary: primary)
      body(id, unit, lexicon, buffer)
    }
  }
}
