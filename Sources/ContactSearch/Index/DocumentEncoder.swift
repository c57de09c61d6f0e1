/// An encoder that turns documents into numbers of tokens, and bytes of email addresses, websites and phone numbers.
struct DocumentEncoder {
  private(set) var codes: [UInt16] = []
  private(set) var literals: [UInt8] = []
  private(set) var phones: [UInt8] = []
  private(set) var signature: UInt64 = 0
  private(set) var flags: ContactFlags = []

  private var buffer = Tokenizer()
  private var fieldCodes: [UInt16] = []

  /// A field with more codes than this, its marker included, is rarely shared, and is stored in place.
  private static let longestShared = 24

  /// Encodes one of the documents of a batch; the result is in the properties until the next call.
  mutating func encode(_ number: Int, of batch: borrowing SearchDocumentBatch, into lexicon: inout Lexicon) {
    codes.removeAll(keepingCapacity: true)
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
      if field != .name { TokenCode.append(Lexicon.marker(field), to: &codes) }
      let first = DocumentEncoder.append(
        text, inName: field == .name, readings, to: &codes, &buffer, &lexicon)
      signature |= first.signature
      flags.formUnion(first.flags)
      return
    }
    fieldCodes.removeAll(keepingCapacity: true)
    TokenCode.append(Lexicon.marker(field), to: &fieldCodes)
    let first = DocumentEncoder.append(text, inName: false, readings, to: &fieldCodes, &buffer, &lexicon)
    guard fieldCodes.count <= DocumentEncoder.longestShared else {
      signature |= first.signature
      flags.formUnion(first.flags)
      codes.append(contentsOf: fieldCodes)
      return
    }
    let id = lexicon.addSharedField(fieldCodes)
    TokenCode.append(id, to: &codes)
    flags.insert(ContactFlags(sharedField: id))
  }

  /// Appends the tokens of a text, and returns the signature of their first letters and the flags of their digits.
  private static func append(
    _ text: UnsafeBufferPointer<UInt8>, inName: Bool, _ readings: NameReadings, to codes: inout [UInt16],
    _ buffer: inout Tokenizer, _ lexicon: inout Lexicon
  ) -> (signature: UInt64, flags: ContactFlags) {
    var signature: UInt64 = 0
    var flags: ContactFlags = []
    forEachToken(of: text, readings, &buffer, &lexicon) { id, token, lexicon, buffer in
      TokenCode.append(id, to: &codes)
      let first = ScalarFolding.base(of: buffer.keys[token.key.lowerBound])
      guard token.kind == .han else {
        signature |= Signature.bit(first, inName: inName)
        flags.formUnion(ContactFlags(first, in: .startOfToken))
        flags.formUnion(ContactFlags(buffer.keys[token.key], in: .texts))
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

  /// Splits a text and calls `body` with the number of each token in the lexicon.
  static func forEachToken(
    of text: UnsafeBufferPointer<UInt8>, _ readings: NameReadings, _ buffer: inout Tokenizer, _ lexicon: inout Lexicon,
    _ body: (Int, Tokenizer.Token, borrowing Lexicon, borrowing Tokenizer) -> Void
  ) {
    buffer.split(text)
    let hasHan = buffer.tokens.contains { $0.kind == .han }
    if hasHan { buffer.read(readings) }
    for token in buffer.tokens {
      let reading = hasHan && token.kind == .han ? buffer.readings[token.source.lowerBound] : 0
      let id = lexicon.add(token, of: buffer, reading: reading)
      body(id, token, lexicon, buffer)
    }
  }
}
