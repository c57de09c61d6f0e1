import Glibc

/// The conversion of a card's lines from other charsets, declared or not, to UTF-8.
///
/// The rules, in order: UTF-8 that cannot be a coincidence wins over any declaration. A declared charset is used if it
/// is compatible with ASCII, as the names of properties are (UTF-16 is not), and the bytes are valid in it or are not
/// mostly UTF-8. A line without a declaration uses the charset that another line declares, or else the charset is
/// guessed from all such lines of the card together (``CharsetGuess``), which is reported; lines that are valid UTF-8
/// by chance follow the others. Anything else is treated as damaged UTF-8. ASCII with escape sequences is decoded from
/// the declared charset, which may be ISO-2022.
struct CardCharsets {
  /// The most recent guess in this input, for cards whose undeclared lines may all be UTF-8 by chance.
  private var earlierGuess: Charset?
  private var hasSeenUTF8 = false

  /// Decodes the lines in place and returns the card's undeclared charset, if it is not UTF-8.
  mutating func decode(
    _ bytes: inout [UInt8], _ spans: inout [LineSpan], _ diagnostics: inout [Diagnostic]
  ) -> Charset? {
    var needsDecoding = false
    let hasEscapes = bytes.withUnsafeBytes { buffer in
      buffer.baseAddress.map { memchr($0, Int32(Byte.escape), buffer.count) != nil } ?? false
    }
    for span in spans {
      switch span.content {
      case .ascii: if hasEscapes, declaration(span, bytes) != nil { needsDecoding = true }
      case .strongUTF8: hasSeenUTF8 = true
      case .weakUTF8, .other: needsDecoding = true
      }
    }
    guard needsDecoding else { return nil }
    return decodeMixed(&bytes, &spans, &diagnostics)
  }

  private mutating func decodeMixed(
    _ bytes: inout [UInt8], _ spans: inout [LineSpan], _ diagnostics: inout [Diagnostic]
  ) -> Charset? {
    let declared = spans.map { declaration($0, bytes) }
    var guess = CharsetGuess()
    var guessedLine: Int32?
    for (span, name) in zip(spans, declared) where span.content == .other && Charset.known(name) == nil {
      withBytes(bytes, span) { line in
        guard let base = line.baseAddress, !UTF8Survey(base, 0, line.count).isMostlyUTF8 else { return }
        guess.add(line)
        guessedLine = guessedLine ?? span.lineNumber
      }
    }
    let others = declared.compactMap(Charset.known).first
    let undeclared = guessedLine == nil ? (hasSeenUTF8 ? nil : earlierGuess) : others ?? guess.charset
    if let guessedLine, others == nil, let charset = guess.charset {
      earlierGuess = charset
      diagnostics.append(Diagnostic(line: Int(guessedLine), problem: .guessedCharset(charset.name)))
    }

    var result: [UInt8] = []
    result.reserveCapacity(bytes.count * 3 / 2)
    var decoded: [LineSpan] = []
    decoded.reserveCapacity(spans.count)
    for (span, name) in zip(spans, declared) {
      if let name, Charset(declared: name)?.isASCIICompatible != true {
        diagnostics.append(Diagnostic(line: Int(span.lineNumber), problem: .unknownCharset(name)))
      }
      let start = result.count
      var replaced = 0
      withBytes(bytes, span) { line in
        let text = Self.text(line, span.content, Charset.known(name), undeclared)
        replaced = text.replaced
        result.append(contentsOf: text.bytes)
      }
      if replaced > 0 {
        diagnostics.append(Diagnostic(line: Int(span.lineNumber), problem: .unreadableCharacters(replaced)))
      }
      let parsed = result.withUnsafeBufferPointer { buffer in
        buffer.baseAddress.flatMap { LineHeader.parse($0, start, buffer.count) }
      }
      guard var moved = parsed else {
        let excerpt = result[start...].withUnsafeBufferPointer(Excerpt.of)
        diagnostics.append(Diagnostic(line: Int(span.lineNumber), problem: .malformedLine(excerpt)))
        result.removeSubrange(start...)
        continue
      }
      moved.lineNumber = span.lineNumber
      moved.content = .strongUTF8
      decoded.append(moved)
    }
    bytes = result
    spans = decoded
    return undeclared
  }

  private static func text(
    _ line: UnsafeBufferPointer<UInt8>, _ content: ByteContent, _ declared: Charset?, _ undeclared: Charset?
  ) -> (bytes: [UInt8], replaced: Int) {
    guard let base = line.baseAddress else { return ([], 0) }
    switch content {
    case .ascii: return declared?.decode(line) ?? (Array(line), 0)
    case .strongUTF8: return (Array(line), 0)
    case .weakUTF8:
      if let charset = declared ?? undeclared, !charset.isSingleByte {
        let converted = charset.decode(line)
        if converted.replaced == 0, !hasControls(converted.bytes) { return converted }
      }
      return (Array(line), 0)
    case .other:
      let survey = UTF8Survey(base, 0, line.count)
      if survey.bad == 0 { return UTF8Repair.repair(line) }
      if let declared {
        let converted = declared.decode(line)
        if converted.replaced == 0 || !survey.isMostlyUTF8 { return converted }
      }
      if survey.isMostlyUTF8 { return UTF8Repair.repair(line) }
      return (undeclared ?? .utf8).decode(line)
    }
  }

  /// Returns true if decoded text has C1 controls, a sign of the wrong charset.
  private static func hasControls(_ bytes: [UInt8]) -> Bool {
    zip(bytes, bytes.dropFirst()).contains { $0 == 0xC2 && $1 < 0xA0 }
  }

  private func withBytes(_ bytes: [UInt8], _ span: LineSpan, _ body: (UnsafeBufferPointer<UInt8>) -> Void) {
    bytes[Int(span.start)..<Int(span.end)].withUnsafeBufferPointer(body)
  }

  /// Returns the undecoded value of the CHARSET parameter; nil for a line of ASCII without escape sequences, and for one
  /// without the parameter.
  private func declaration(_ span: LineSpan, _ bytes: [UInt8]) -> String? {
    guard span.valueStart - span.nameEnd > 9,
      span.content != .ascii || bytes[Int(span.valueStart)..<Int(span.end)].contains(Byte.escape)
    else { return nil }
    let parameters = bytes[Int(span.nameEnd)..<Int(span.valueStart) - 1]
    for parameter in parameters.split(separator: Byte.semicolon) {
      guard let equals = parameter.firstIndex(of: Byte.equals) else { continue }
      let name = Escapes.string(parameter[..<equals])
      guard name.uppercased() == "CHARSET" else { continue }
      return Escapes.string(parameter[(equals + 1)...]).filter { $0 != "\"" && $0 != " " }
    }
    return nil
  }
}

extension Charset {
  /// Returns the charset of a declared name, if it is known, not UTF-8, and usable for a line of a card.
  fileprivate static func known(_ name: String?) -> Charset? {
    guard let name, let charset = Charset(declared: name), charset != .utf8, charset.isASCIICompatible else {
      return nil
    }
    return charset
  }
}
