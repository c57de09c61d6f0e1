@preconcurrency import Dispatch

/// The updates of a controller as an `AsyncSequence` that begins with the present list. An update's paths refer to its
/// own lists; the controller's `snapshot` changes on the consumer's thread, before or after an iterator gets the
/// update.
public struct ResultsUpdates: AsyncSequence, Sendable {
  /// One change to the list.
  public typealias Element = ResultsUpdate
  /// Updates never fail; errors go to the controller's callback and delegate.
  public typealias Failure = Never

  let listeners: ControllerListeners

  /// Starts listening.
  public func makeAsyncIterator() -> Iterator { Iterator(listeners) }

  /// Takes one update after another; ends when the controller is released or the task is canceled.
  public struct Iterator: AsyncIteratorProtocol {
    private let subscription: Subscription
    private var signals: AsyncStream<Void>.Iterator

    init(_ listeners: ControllerListeners) {
      let (stream, continuation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
      subscription = Subscription(listeners, continuation)
      signals = stream.makeAsyncIterator()
    }

    /// The next update, combined from all changes since the last one; nil when the controller was released or the task
    /// was canceled.
    public mutating func next() async -> ResultsUpdate? {
      while true {
        if let update = subscription.take() { return update }
        guard await signals.next() != nil else { return nil }
      }
    }
  }
}

/// Listens during its lifetime.
private final class Subscription: Sendable {
  private let mailbox: Mailbox
  private let listeners: ControllerListeners

  init(_ listeners: ControllerListeners, _ continuation: AsyncStream<Void>.Continuation) {
    self.listeners = listeners
    mailbox = Mailbox { _ in continuation.yield() }
    listeners.countIterators(1)
    listeners.engine.queue.async { [engine = listeners.engine, mailbox] in
      engine.add(mailbox, wantsInitial: true, onEnd: { continuation.finish() })
    }
  }

  deinit {
    listeners.engine.queue.async { [engine = listeners.engine, mailbox] in engine.remove(mailbox) }
    listeners.countIterators(-1)
  }

  func take() -> ResultsUpdate? {
    let update = mailbox.take().update
    if let update { listeners.dropRows(update) }
    return update
  }
}
