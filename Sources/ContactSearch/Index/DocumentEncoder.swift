/// An encoder that turns documents into numbers of units, and bytes of email addresses, websites and phone numbers.
struct DocumentEncoder {
  private(set) var tokens: [UInt16] = []
  private(set) var literals: [UInt8] = []
  private(set) var phones: [UInt8] = []
  private(set) var signature: UInt64 = 0
  private(set) var flags: ContactFlags = []

  private var buffer = UnitBuffer()
  private var fieldTokens: [UInt16] = []

  /// A field with more tokens than this, its marker included, is rarely shared, and is stored in place.
  private static let longestShared = 24

  /// Encodes one of the documents of a batch; the result is in the properties until the next call.
  mutating func encode(_ number: Int, of batch: borrowing SearchDocumentBatch, into lexicon: inout Lexicon) {
    tokens.removeAll(keepingCapacity: true)
    literals.removeAll(keepingCapacity: true)
    phones.removeAll(keepingCapacity: true)
    signature = 0
    flags = []
    let document = batch.documents[number]
    let first = number == 0 ? 0 : batch.documents[number - 1].end
    var start = first == 0 ? 0 : batch.texts[first - 1].end
    batch.bytes.withUnsafeBufferPointer { bytes in
      for index in first..<document.end {
        let field = batch.texts[index]
        let text = UnsafeBufferPointer(rebasing: bytes[start..<field.end])
        start = field.end
        if field.kind == .phone { PhoneNumber.append(text, to: &phones) }
        switch field.kind {
        case .email, .url: addLiteral(text, field.kind)
        case .phone where !PhoneNumber.isText(text): continue
        default:
          encode(
            text, field.kind, NameReadings(field.kind, isPerson: document.isPerson, parts: document.nameParts),
            into: &lexicon)
        }
      }
    }
  }

  private mutating func addLiteral(_ text: UnsafeBufferPointer<UInt8>, _ kind: FieldKind) {
    let start = literals.count
    literals.append(kind == .email ? LiteralPattern.emailMark : LiteralPattern.urlMark)
    Folded.append(text, to: &literals)
    guard literals.count > start + 1 else {
      literals.removeLast()
      return
    }
    signature |= Signature.bit(UInt32(literals[start + 1]), inName: false)
    for at in start + 1..<literals.count - 1 where literals[at] == UInt8(ascii: "@") {
      signature |= Signature.bit(UInt32(literals[at + 1]), inName: false)
    }
  }

  private mutating func encode(
    _ text: UnsafeBufferPointer<UInt8>, _ field: FieldKind, _ readings: NameReadings, into lexicon: inout Lexicon
  ) {
    let isShareable =
      field == .organization || field == .title || field == .department || field == .group || field == .note
    guard isShareable else {
      if field != .name { Token.append(Lexicon.marker(field), to: &tokens) }
      let first = DocumentEncoder.append(
        text, inName: field == .name, readings, to: &tokens, &buffer, &lexicon)
      signature |= first.signature
      flags.formUnion(first.flags)
      return
    }
    fieldTokens.removeAll(keepingCapacity: true)
    Token.append(Lexicon.marker(field), to: &fieldTokens)
    let first = DocumentEncoder.append(text, inName: false, readings, to: &fieldTokens, &buffer, &lexicon)
    guard fieldTokens.count <= DocumentEncoder.longestShared else {
      signature |= first.signature
      flags.formUnion(first.flags)
      tokens.append(contentsOf: fieldTokens)
      return
    }
    let id = lexicon.addPhrase(fieldTokens)
    Token.append(id, to: &tokens)
    flags.insert(ContactFlags(sharedField: id))
  }

  /// Appends the units of a text, and returns the signature of their first letters and the flags of their digits.
  private static func append(
    _ text: UnsafeBufferPointer<UInt8>, inName: Bool, _ readings: NameReadings, to tokens: inout [UInt16],
    _ buffer: inout UnitBuffer, _ lexicon: inout Lexicon
  ) -> (signature: UInt64, flags: ContactFlags) {
    var signature: UInt64 = 0
    var flags: ContactFlags = []
    forEachUnit(of: text, readings, &buffer, &lexicon) { id, unit, lexicon, buffer in
      Token.append(id, to: &tokens)
      let first = ScalarFolding.base(of: buffer.keys[unit.key.lowerBound])
      guard unit.kind == .han else {
        signature |= Signature.bit(first, inName: inName)
        flags.formUnion(ContactFlags(first, in: .startOfUnit))
        flags.formUnion(ContactFlags(buffer.keys[unit.key], in: .texts))
        return
      }
      let set = lexicon.readings.sets[lexicon.readingSet(id)]
      if set.isEmpty { signature |= Signature.bit(first, inName: inName) }
      for syllable in set {
        signature |= Signature.bit(UInt32(lexicon.readings.syllables[syllable][0]), inName: inName)
      }
    }
    return (signature, flags)
  }

  /// Splits a text and calls `body` with the number of each unit in the lexicon.
  static func forEachUnit(
    of text: UnsafeBufferPointer<UInt8>, _ readings: NameReadings, _ buffer: inout UnitBuffer, _ lexicon: inout Lexicon,
    _ body: (Int, UnitBuffer.Unit, borrowing Lexicon, borrowing UnitBuffer) -> Void
  ) {
    buffer.split(text)
    let hasHan = buffer.units.contains { $0.kind == .han }
    if hasHan { buffer.read(readings) }
    for unit in buffer.units {
      let reading = hasHan && unit.kind == .han ? buffer.readings[unit.source.lowerBound] : 0
      let id = lexicon.add(unit, of: buffer, reading: reading)
      body(id, unit, lexicon, buffer)
    }
  }
}
