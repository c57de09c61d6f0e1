@preconcurrency import Dispatch

/// The updates of a controller as an `AsyncSequence` that begins with the present list. An update's paths refer to its
/// own lists; the controller's `snapshot` changes on the consumer's thread, before or after an iterator gets the
/// update.
public struct ResultsUpdates: AsyncSequence, Sendable {
  /// One change to the list.
  public typealias Element = ResultsUpdate
  /// Updates never fail; errors go to `onError`.
  public typealias Failure = Never

  /// What an iterator calls on its controller.
  struct Host: Sendable {
    let begin: @Sendable () -> Void
    let end: @Sendable () -> Void
    let removeCachedRows: @Sendable (ResultsUpdate) -> Void
  }

  private let engine: ResultsEngine
  private let host: Host

  init(engine: ResultsEngine, host: Host) {
    self.engine = engine
    self.host = host
  }

  /// Starts listening.
  public func makeAsyncIterator() -> Iterator { Iterator(engine: engine, host: host) }

  /// Takes one update after another; ends when the controller is released or the task is canceled.
  public struct Iterator: AsyncIteratorProtocol {
    private let subscription: Subscription
    private var signals: AsyncStream<Void>.Iterator
    private let host: Host

    init(engine: ResultsEngine, host: Host) {
      let (stream, continuation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
      // The controller comes first, so that with a delivery that runs at once, it has the new list when the iterator
      // wakes.
      host.begin()
      subscription = Subscription(engine, host, Mailbox { _ in continuation.yield() }, continuation)
      signals = stream.makeAsyncIterator()
      self.host = host
    }

    /// The next update, combined from all changes since the last one; nil when the controller was released or the task
    /// was canceled.
    public mutating func next() async -> ResultsUpdate? {
      while true {
        if let update = subscription.mailbox.take().update {
          host.removeCachedRows(update)
          return update
        }
        guard await signals.next() != nil else { return nil }
      }
    }
  }
}

/// Listens during its lifetime.
private final class Subscription: Sendable {
  let mailbox: Mailbox
  private weak let engine: ResultsEngine?
  private let host: ResultsUpdates.Host

  init(
    _ engine: ResultsEngine, _ host: ResultsUpdates.Host, _ mailbox: Mailbox,
    _ continuation: AsyncStream<Void>.Continuation
  ) {
    self.engine = engine
    self.host = host
    self.mailbox = mailbox
    engine.queue.async { engine.add(mailbox, wantsInitial: true, onEnd: { continuation.finish() }) }
  }

  deinit {
    let mailbox = mailbox
    if let engine { engine.queue.async { engine.remove(mailbox) } }
    host.end()
  }
}
