import Glibc

/// A card under construction: its physical lines unfolded into one buffer, and the position of each property.
struct CardBuilder {
  private let limits: ReaderLimits
  private var charsets = CardCharsets()
  private var bytes: [UInt8] = []
  private var spans: [LineSpan] = []
  private var diagnostics: [Diagnostic] = []
  private var unreportedProblems = 0
  private var versionText: String?
  private var consumed = 0
  /// The start of the property that may still continue; -1 if there is none.
  private var openStart = -1
  private var openLine = 0
  private var openIsQuotedPrintable: Bool?
  private var openIsTooLong = false
  /// True if an empty line follows the soft break at the end of the open property.
  private var hasEmptyLineAfterSoftBreak = false
  private var nesting = 0
  private var hasTooManyLines = false

  /// The line of the input where the card begins.
  private(set) var lineNumber = 0

  init(limits: ReaderLimits) { self.limits = limits }

  /// True inside the card of an AGENT.
  var isNested: Bool { nesting > 0 }

  /// True if the card has no property so far, not even a VERSION.
  var isEmpty: Bool { spans.isEmpty && openStart < 0 && versionText == nil }

  var isTooLong: Bool { consumed > limits.cardBytes }

  mutating func begin(lineNumber: Int) {
    self.lineNumber = lineNumber
    bytes.removeAll(keepingCapacity: bytes.capacity < 1 << 20)
    spans.removeAll(keepingCapacity: spans.capacity < 1 << 12)
    diagnostics = []
    unreportedProblems = 0
    versionText = nil
    consumed = 0
    openStart = -1
    nesting = 0
    hasTooManyLines = false
    hasEmptyLineAfterSoftBreak = false
  }

  mutating func note(_ problem: Diagnostic.Problem, line: Int) {
    guard diagnostics.count < limits.cardProblems else {
      unreportedProblems += 1
      return
    }
    diagnostics.append(Diagnostic(line: line, problem: problem))
  }

  /// Adds the next physical line: the continuation of a folded property or a new one.
  mutating func add(_ line: UnsafeBufferPointer<UInt8>, lineNumber: Int) {
    consumed += line.count + 1
    guard let first = line.first else {
      if endsInSoftBreak() { hasEmptyLineAfterSoftBreak = true }
      return
    }
    if openStart >= 0 {
      if endsInSoftBreak() {
        let isOver = hasEmptyLineAfterSoftBreak && LineHeader.isProperty(line)
        hasEmptyLineAfterSoftBreak = false
        if !isOver {
          bytes.removeLast()
          extend(isFold(before: line) ? UnsafeBufferPointer(rebasing: line[1...]) : line)
          return
        }
      } else if Byte.isSpace(first) {
        extend(UnsafeBufferPointer(rebasing: line[1...]))
        return
      }
      closeProperty()
    }
    openStart = bytes.count
    openLine = lineNumber
    openIsQuotedPrintable = nil
    openIsTooLong = false
    extend(line)
    if first & 0xDF == UInt8(ascii: "A"), agentValue() == .begin { nesting = 1 }
  }

  /// Returns whether the blank at the beginning of a line after a soft break is that of a folded line, and not text: if
  /// it would be inside a character, or if the value has its blanks encoded.
  private func isFold(before line: UnsafeBufferPointer<UInt8>) -> Bool {
    guard let blank = line.first, Byte.isSpace(blank), line.count > 3, line[1] == Byte.equals else { return false }
    guard let next = QuotedPrintable.decode(Array(line[1..<4])[...]).first, next >= 0x80 else { return false }
    let open = bytes[openStart...]
    let value = open.firstIndex(of: Byte.colon).map { open[($0 + 1)...] } ?? []
    if next & 0xC0 == 0x80 {
      let last = QuotedPrintable.decode(value.suffix(3))
      if last.count == 1, last[0] >= 0xC0 || last[0] & 0xC0 == 0x80 { return true }
    }
    let hasEncoded = value.withUnsafeBufferPointer { bytes in
      bytes.baseAddress.map { Self.contains($0, 0, bytes.count, "=20") } ?? false
    }
    return hasEncoded && !value.contains(where: Byte.isSpace)
  }

  /// Adds a line of the card in an AGENT, kept as text.
  mutating func addNested(_ line: UnsafeBufferPointer<UInt8>) {
    consumed += line.count + 1
    if let first = line.first, Byte.isSpace(first) {
      extend(UnsafeBufferPointer(rebasing: line[1...]))
      return
    }
    if CardDelimiter.isBegin(line) { nesting += 1 }
    if CardDelimiter.isEnd(line) { nesting -= 1 }
    if !openIsTooLong { bytes.append(Byte.lineFeed) }
    extend(line)
  }

  /// True if the open property is an AGENT without a value: its card may follow.
  var expectsNestedCard: Bool { openStart >= 0 && agentValue() == .empty }

  /// Skips a part of a line that is too long to keep.
  mutating func skipLine(length: Int, lineNumber: Int) {
    consumed += length
    if openStart >= 0, !openIsTooLong { closeProperty() }
    if openStart < 0 {
      openStart = bytes.count
      openLine = lineNumber
    }
    openIsTooLong = true
  }

  /// Returns the card. ``begin(lineNumber:)`` starts the next one.
  mutating func finish() -> Card {
    // A card in an AGENT that was cut off gets its END lines: written without them, it would take the END of the card
    // around it.
    if !openIsTooLong { for _ in 0..<max(0, nesting) { bytes += Array("\nEND:VCARD".utf8) } }
    nesting = 0
    closeProperty()
    let version = readVersion()
    if unreportedProblems > 0 {
      diagnostics.append(Diagnostic(line: lineNumber, problem: .furtherProblems(unreportedProblems)))
    }
    let known = charsets.decode(&bytes, &spans, &diagnostics)
    let text = CardText(bytes: bytes, version: version, undeclared: known)
    var card = Card(version: version, lines: spans.map { CardLine(source: text, span: $0) })
    card.lineNumber = lineNumber
    card.diagnostics = diagnostics
    return card
  }

  private mutating func readVersion() -> CardVersion {
    guard let text = versionText else {
      note(.missingVersion, line: lineNumber)
      return .v30
    }
    if let version = CardVersion(rawValue: text) { return version }
    note(.unknownVersion(text), line: lineNumber)
    return .v30
  }

  private mutating func extend(_ part: UnsafeBufferPointer<UInt8>) {
    guard !openIsTooLong else { return }
    if bytes.count - openStart + part.count > limits.lineBytes {
      bytes.removeSubrange(openStart...)
      openIsTooLong = true
      return
    }
    bytes.append(contentsOf: part)
  }

  private mutating func closeProperty() {
    guard openStart >= 0 else { return }
    let start = openStart
    // A soft break at the very end means nothing; if it were kept, the written property would absorb the next one.
    if endsInSoftBreak() { bytes.removeLast() }
    hasEmptyLineAfterSoftBreak = false
    openStart = -1
    if openIsTooLong {
      openIsTooLong = false
      note(.lineTooLong(limit: limits.lineBytes), line: openLine)
      return
    }
    if spans.count >= limits.cardLines {
      if !hasTooManyLines { note(.tooManyLines(limit: limits.cardLines), line: openLine) }
      hasTooManyLines = true
      bytes.removeSubrange(start...)
      return
    }
    let end = bytes.count
    let parsed = bytes.withUnsafeBufferPointer { buffer -> LineSpan? in
      guard let base = buffer.baseAddress, var span = LineHeader.parse(base, start, end) else { return nil }
      span.content = UTF8Survey(base, start, end).content
      return span
    }
    guard var span = parsed else { return closeMalformed(start) }
    span.lineNumber = Int32(truncatingIfNeeded: openLine)
    if nameEquals(span, "VERSION") {
      if versionText == nil {
        let value = Escapes.string(bytes[Int(span.valueStart)..<end])
        versionText = String(value.filter { $0 != " " && $0 != "\t" })
      }
      bytes.removeSubrange(start...)
      return
    }
    spans.append(span)
  }

  /// Closes a line that is not a property: it continues preceding base64 whose lines are not indented, or is left out.
  private mutating func closeMalformed(_ start: Int) {
    let (isBlank, isBase64, excerpt) = bytes[start...].withUnsafeBufferPointer { line in
      (line.allSatisfy(Byte.isSpace), Base64.isPlausible(line), Excerpt.of(line))
    }
    if isBase64, let last = spans.indices.last, Int(spans[last].end) == start,
      headerContains(spans[last], "BASE64") || headerContains(spans[last], "ENCODING=B")
    {
      spans[last].end = Int32(bytes.count)
      return
    }
    if !isBlank { note(.malformedLine(excerpt), line: openLine) }
    bytes.removeSubrange(start...)
  }

  private enum AgentValue { case none, empty, begin }

  /// Returns whether the open property is an AGENT, and whether its value is empty or begins a card.
  private func agentValue() -> AgentValue {
    let line = bytes[openStart...]
    guard line.count < 200 else { return .none }
    return line.withUnsafeBufferPointer { buffer in
      guard let base = buffer.baseAddress, let span = LineHeader.parse(base, 0, buffer.count),
        Byte.equal(base + Int(span.nameStart), Int(span.nameEnd - span.nameStart), "AGENT")
      else { return .none }
      let value = UnsafeBufferPointer(rebasing: buffer[Int(span.valueStart)...])
      if value.allSatisfy(Byte.isSpace) { return .empty }
      return CardDelimiter.isBegin(value) ? .begin : .none
    }
  }

  /// Returns true if the open property is quoted-printable and continues on the next line.
  private mutating func endsInSoftBreak() -> Bool {
    openStart >= 0 && !openIsTooLong && bytes.last == Byte.equals && isOpenQuotedPrintable()
  }

  private mutating func isOpenQuotedPrintable() -> Bool {
    if let known = openIsQuotedPrintable { return known }
    let answer = bytes.withUnsafeBufferPointer { buffer -> Bool in
      guard let base = buffer.baseAddress, let span = LineHeader.parse(base, openStart, buffer.count) else {
        return false
      }
      return Self.contains(base, Int(span.nameEnd), Int(span.valueStart), "QUOTED-PRINTABLE")
    }
    openIsQuotedPrintable = answer
    return answer
  }

  private func nameEquals(_ span: LineSpan, _ name: StaticString) -> Bool {
    bytes.withUnsafeBufferPointer { buffer in
      guard let base = buffer.baseAddress else { return false }
      return Byte.equal(base + Int(span.nameStart), Int(span.nameEnd - span.nameStart), name)
    }
  }

  private func headerContains(_ span: LineSpan, _ word: StaticString) -> Bool {
    bytes.withUnsafeBufferPointer { buffer in
      guard let base = buffer.baseAddress else { return false }
      return Self.contains(base, Int(span.nameEnd), Int(span.valueStart), word)
    }
  }

  /// Returns true if the parameters contain the word, ignoring case.
  static func contains(_ base: UnsafePointer<UInt8>, _ start: Int, _ end: Int, _ word: StaticString) -> Bool {
    let length = word.utf8CodeUnitCount
    guard end - start >= length else { return false }
    for position in start...(end - length) where Byte.equal(base + position, length, word) { return true }
    return false
  }
}
