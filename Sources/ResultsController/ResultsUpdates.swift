@preconcurrency import Dispatch

/// The updates of a controller as an `AsyncSequence`.
public struct ResultsUpdates: AsyncSequence, Sendable {
  /// One change of the list.
  public typealias Element = ResultsUpdate
  /// Updates never fail; errors go to `onError`.
  public typealias Failure = Never

  private let engine: ResultsEngine
  private let show: @Sendable (ResultsUpdate) -> Void

  init(engine: ResultsEngine, show: @escaping @Sendable (ResultsUpdate) -> Void) {
    self.engine = engine
    self.show = show
  }

  /// Begins to listen.
  public func makeAsyncIterator() -> Iterator { Iterator(engine: engine, show: show) }

  /// Takes one update after another; ends when the controller is released or the task is cancelled.
  public struct Iterator: AsyncIteratorProtocol {
    private let subscription: Subscription
    private var signals: AsyncStream<Void>.Iterator
    private let show: @Sendable (ResultsUpdate) -> Void

    init(engine: ResultsEngine, show: @escaping @Sendable (ResultsUpdate) -> Void) {
      let (stream, continuation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
      subscription = Subscription(engine, Mailbox { _ in continuation.yield() }, continuation)
      signals = stream.makeAsyncIterator()
      self.show = show
    }

    /// The next update.
    public mutating func next() async -> ResultsUpdate? {
      while true {
        if let update = subscription.mailbox.take().update {
          show(update)
          return update
        }
        guard await signals.next() != nil else { return nil }
      }
    }
  }
}

/// Listens as long as it lives.
private final class Subscription: Sendable {
  let mailbox: Mailbox
  private weak let engine: ResultsEngine?

  init(_ engine: ResultsEngine, _ mailbox: Mailbox, _ continuation: AsyncStream<Void>.Continuation) {
    self.engine = engine
    self.mailbox = mailbox
    engine.queue.async { engine.add(mailbox, onEnd: { continuation.finish() }) }
  }

  deinit {
    let mailbox = mailbox
    if let engine { engine.queue.async { engine.remove(mailbox) } }
  }
}
