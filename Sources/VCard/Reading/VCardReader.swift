/// Reads vCards of version 2.1, 3.0 and 4.0 from a stream of bytes, one card at a time; memory does not grow with the input.
///
/// It takes what programs write rather than what the standards allow: any line end, UTF-16, undeclared charsets, missing
/// ends, nested cards in AGENT. What is wrong is told as a ``Diagnostic``, and the next card is read. Time is linear in the
/// input, whatever the input is.
///
/// Not for use from several threads at once.
public final class VCardReader<Failure: Error> {
  /// What the reader found next.
  public enum Event: Sendable {
    /// A card, its own diagnostics with it.
    case card(Card)
    /// Input that was passed over.
    case skipped(Diagnostic)
  }

  private let limits: ReaderLimits
  private let lines: InputLines<Failure>
  private var builder: CardBuilder
  private var stray = StrayText()
  private var isInCard = false
  private var isStarted = false
  private var isDone = false
  private var pending: Event?

  /// A reader of the chunks that `source` gives until it gives nil. Chunks may end anywhere, also inside a character.
  public init(limits: ReaderLimits = ReaderLimits(), source: @escaping () throws(Failure) -> [UInt8]?) {
    self.limits = limits
    lines = InputLines(source: source)
    builder = CardBuilder(limits: limits)
  }

  /// Bytes that the source gave so far: what a progress bar shows.
  public var bytesRead: Int { lines.bytesRead }

  /// Lines that were read so far.
  public var linesRead: Int { lines.number }

  /// The next card or finding, or nil at the end. Throws only what the source throws.
  public func next() throws(Failure) -> Event? {
    if let event = pending {
      pending = nil
      return event
    }
    if !isStarted {
      isStarted = true
      if FileSignature(of: try lines.beginning()) != nil {
        isDone = true
        return .skipped(Diagnostic(line: 1, problem: .notText))
      }
    }
    while !isDone {
      switch try lines.next(limit: isInCard ? limits.lineBytes : limits.strayBytes) {
      case .line(let line):
        if let event = isInCard ? lineInCard(line) : lineOutside(line) { return event }
      case .tooLong(let length):
        if let event = isInCard ? tooLongInCard(length) : tooLongOutside() { return event }
      case .end:
        isDone = true
        lines.returnEndsLine = true
        let last = isInCard ? finishCard(missingEnd: true) : nil
        let rest = stray.finding().map(Event.skipped)
        guard let last else { return rest }
        pending = rest
        return last
      }
    }
    return nil
  }

  private func lineOutside(_ line: UnsafeBufferPointer<UInt8>) -> Event? {
    if CardDelimiter.isBegin(line, allowingMark: true) {
      isInCard = true
      lines.returnEndsLine = lines.endedByReturn
      builder.begin(lineNumber: lines.number)
      return stray.finding().map(Event.skipped)
    }
    stray.add(line, number: lines.number)
    guard stray.bytes > limits.strayBytes else { return nil }
    isDone = true
    return .skipped(Diagnostic(line: stray.firstLine, problem: .noCardFound))
  }

  private func tooLongOutside() -> Event? {
    isDone = true
    return .skipped(Diagnostic(line: lines.number + 1, problem: .noCardFound))
  }

  private func lineInCard(_ line: UnsafeBufferPointer<UInt8>) -> Event? {
    if builder.isNested {
      builder.addNested(line)
      return nil
    }
    if let first = line.first {
      switch first {
      case UInt8(ascii: "E"), UInt8(ascii: "e"):
        if CardDelimiter.isEnd(line) { return finishCard(missingEnd: false) }
        if CardDelimiter.isOtherEnd(line) {
          builder.note(.strayDelimiter, line: lines.number)
          return nil
        }
      case UInt8(ascii: "B"), UInt8(ascii: "b"), 0xEF:
        if CardDelimiter.isBegin(line, allowingMark: true) { return beginInCard(line) }
      default: break
      }
    }
    builder.add(line, lineNumber: lines.number)
    return builder.isTooLong ? abandonCard() : nil
  }

  /// A card inside an AGENT belongs to it; anywhere else the end of the card before is missing.
  private func beginInCard(_ line: UnsafeBufferPointer<UInt8>) -> Event? {
    if builder.expectsNestedCard {
      builder.addNested(line)
      return nil
    }
    guard !builder.isEmpty else {
      builder.note(.strayDelimiter, line: lines.number)
      return nil
    }
    let event = finishCard(missingEnd: true)
    isInCard = true
    lines.returnEndsLine = lines.endedByReturn
    builder.begin(lineNumber: lines.number)
    return event
  }

  private func tooLongInCard(_ length: Int) -> Event? {
    builder.skipLine(length: length, lineNumber: lines.number + 1)
    return builder.isTooLong ? abandonCard() : nil
  }

  private func abandonCard() -> Event? {
    isInCard = false
    lines.returnEndsLine = true
    return .skipped(Diagnostic(line: builder.lineNumber, problem: .cardTooLong(limit: limits.cardBytes)))
  }

  private func finishCard(missingEnd: Bool) -> Event {
    isInCard = false
    lines.returnEndsLine = true
    if missingEnd { builder.note(.missingEnd, line: builder.lineNumber) }
    return .card(builder.finish())
  }
}

extension VCardReader where Failure == Never {
  /// A reader of bytes that are in memory already.
  public convenience init(_ bytes: [UInt8], limits: ReaderLimits = ReaderLimits()) {
    var rest: [UInt8]? = bytes
    self.init(limits: limits) { () -> [UInt8]? in
      defer { rest = nil }
      return rest
    }
  }

  /// All cards and findings of bytes in memory.
  public static func read(_ bytes: [UInt8]) -> (cards: [Card], skipped: [Diagnostic]) {
    let reader = VCardReader(bytes)
    var cards: [Card] = []
    var skipped: [Diagnostic] = []
    while let event = reader.next() {
      switch event {
      case .card(let card): cards.append(card)
      case .skipped(let finding): skipped.append(finding)
      }
    }
    return (cards, skipped)
  }
}

/// How much a reader takes before it says no. Every limit counts bytes of UTF-8 or lines.
public struct ReaderLimits: Sendable, Hashable {
  /// Longest property, unfolded: 64 MiB by default, a photo of 48 MB.
  public var lineBytes = 64 << 20
  /// Longest card: 256 MiB by default.
  public var cardBytes = 256 << 20
  /// Most properties of a card: 100 000 by default.
  public var cardLines = 100_000
  /// Most problems of a card that are told one by one: 100 by default; the rest is counted.
  public var cardProblems = 100
  /// Most text outside cards between two of them: 4 MiB by default. `/dev/zero` ends there.
  public var strayBytes = 4 << 20

  /// The default limits.
  public init() {}
}
