/// A reader of vCards of version 2.1, 3.0 and 4.0 from a stream of bytes, one card at a time; memory does not grow with
/// the input.
///
/// It accepts what programs actually write, beyond the standards: any line end, UTF-16, undeclared charsets, a missing
/// END, nested cards in AGENT. Problems are reported as ``Diagnostic``s; only ``Diagnostic/Problem/notText`` and
/// ``Diagnostic/Problem/noCardFound`` end the reading. Time is linear in the size of any input.
///
/// Not safe for use from several threads at once.
public final class VCardReader<Failure: Error> {
  /// The next result of the reader.
  public enum Event: Sendable {
    /// A card with its own diagnostics.
    case card(Card)
    /// Input that was skipped.
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

  /// Creates a reader of chunks from `source`, until it returns nil. Chunks may end anywhere, even inside a character.
  public init(limits: ReaderLimits = ReaderLimits(), source: @escaping () throws(Failure) -> [UInt8]?) {
    self.limits = limits
    lines = InputLines(source: source)
    builder = CardBuilder(limits: limits)
  }

  /// The number of bytes read from the source so far, for a progress bar.
  public var bytesRead: Int { lines.bytesRead }

  /// Returns the next card or diagnostic; nil at the end. Only throws errors of the source.
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
    let isBegin = CardDelimiter.isBegin(line, allowingMark: true)
    if builder.isNested || isBegin && builder.expectsNestedCard {
      builder.addNested(line)
    } else if isBegin {
      return beginInCard()
    } else if CardDelimiter.isEnd(line) {
      return finishCard(missingEnd: false)
    } else if CardDelimiter.isOther(line) {
      builder.note(.strayDelimiter, line: lines.number)
    } else {
      builder.add(line, lineNumber: lines.number)
    }
    return builder.isTooLong ? abandonCard() : nil
  }

  /// Handles a BEGIN in a card that is not the card of an AGENT: in a card without properties, it is out of place;
  /// anywhere else, the previous card lacks its end.
  private func beginInCard() -> Event? {
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
  /// Creates a reader of bytes in memory.
  public convenience init(_ bytes: [UInt8], limits: ReaderLimits = ReaderLimits()) {
    var rest: [UInt8]? = bytes
    self.init(limits: limits) { () -> [UInt8]? in
      defer { rest = nil }
      return rest
    }
  }

  /// Reads all cards and diagnostics from bytes in memory.
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

/// Limits of a reader. Bytes are counted as read, or as UTF-8 if the input is UTF-16.
public struct ReaderLimits: Sendable, Hashable {
  /// The longest property, unfolded: 64 MiB by default, which holds a photo of 48 MB.
  public var lineBytes = 64 << 20
  /// The longest card: 256 MiB by default.
  public var cardBytes = 256 << 20
  /// The maximum number of properties of a card: 100,000 by default.
  public var cardLines = 100_000
  /// The maximum number of problems reported for a card: 100 by default; the rest are counted.
  public var cardProblems = 100
  /// The maximum amount of text between cards: 4 MiB by default. Without a limit, reading `/dev/zero` would never end.
  public var strayBytes = 4 << 20

  /// Creates the default limits.
  public init() {}
}
