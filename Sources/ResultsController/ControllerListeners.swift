@preconcurrency import Dispatch
import Synchronization

/// What a controller reports to its callback; see ``FetchedRecordsController/listen(includesWrites:_:)``.
public enum ResultsEvent: Sendable {
  /// Rows were written that match the request's filter or did before, even if its `ids` hide them. Comes before the
  /// change that they make to the list.
  ///
  /// It reports what was committed after `listen` was called and after the whole list was read, whichever is later,
  /// and may repeat what was committed shortly before. So nothing is missing from an index that is built from the table
  /// after both.
  case written(ResultsWrites)
  /// The list changed.
  case changed(ResultsUpdate)
  /// Fetching failed: the list stays as it was and tracking continues. Also reported with `notTracked`, when changes
  /// are not tracked.
  case failed(ResultsError)
}

/// The callback, the delegate and the iterators of a controller, and the mailbox that the engine fills while it has one
/// of them. Callback and delegate are called on the consumer's thread.
final class ControllerListeners: Sendable {
  private struct State {
    weak var delegate: (any ResultsDelegate)?
    var callback: (@Sendable (ResultsEvent) -> Void)?
    var includesWrites = false
    /// The number of iterators of the controller's `updates`.
    var iterators = 0
    var mailbox: Mailbox?
    /// Whether ``begin()`` was called. Until then the mailbox is not registered with the engine, because that would
    /// start a thread before the first rows are read.
    var hasBegun = false
  }

  private let state = Mutex(State())
  let engine: ResultsEngine
  private let delivery: ResultsDelivery
  /// Makes an update's list the controller's list, before the listeners are told of it.
  private let show: @Sendable (ResultsUpdate) -> Void
  /// Drops the rows in memory that an update may have changed.
  let dropRows: @Sendable (ResultsUpdate) -> Void

  init(
    _ engine: ResultsEngine, _ delivery: ResultsDelivery, show: @escaping @Sendable (ResultsUpdate) -> Void,
    dropRows: @escaping @Sendable (ResultsUpdate) -> Void
  ) {
    self.engine = engine
    self.delivery = delivery
    self.show = show
    self.dropRows = dropRows
  }

  /// The first call registers the mailbox, if there is one, with the engine. Call it before a request is put on the
  /// engine's queue.
  func begin() {
    state.withLock { state in
      if !state.hasBegun, let mailbox = state.mailbox { register(mailbox) }
      state.hasBegun = true
    }
  }

  var isListening: Bool { state.withLock { $0.mailbox != nil } }

  var delegate: (any ResultsDelegate)? {
    get { state.withLock { $0.delegate } }
    set { change { $0.delegate = newValue } }
  }

  func listen(includesWrites: Bool, _ body: @escaping @Sendable (ResultsEvent) -> Void) {
    change { state in
      state.callback = body
      state.includesWrites = includesWrites
    }
  }

  /// Counts iterators that begin or end. An iterator registers a listener of its own afterwards. The controller's
  /// listener must come first, so that with a delivery that runs at once, the controller shows a change before the
  /// iterator gets it.
  func countIterators(_ change: Int) {
    if change > 0 { begin() }
    self.change { $0.iterators += change }
  }

  /// Removes the callback and the delegate.
  func removeAll() {
    change { state in
      state.callback = nil
      state.delegate = nil
      state.includesWrites = false
    }
  }

  /// Changes the listeners, then registers the mailbox with the engine or removes it, as needed.
  private func change(_ body: (inout State) -> Void) {
    state.withLock { state in
      body(&state)
      let hasListener = state.callback != nil || state.delegate != nil || state.iterators > 0
      if hasListener, state.mailbox == nil {
        let mailbox = Mailbox { [weak self, delivery] mailbox in
          delivery.run { [weak self] in self?.receive(mailbox) }
        }
        mailbox.wantsWrites = state.includesWrites
        state.mailbox = mailbox
        if state.hasBegun { register(mailbox) }
      } else if !hasListener, let mailbox = state.mailbox {
        state.mailbox = nil
        if state.hasBegun { engine.queue.async { [engine] in engine.remove(mailbox) } }
      }
      state.mailbox?.wantsWrites = state.includesWrites
    }
  }

  private func register(_ mailbox: Mailbox) { engine.queue.async { [engine] in engine.add(mailbox) } }

  /// Handles the content of the mailbox, on the consumer's thread. A listener that is removed by one of these calls is
  /// not told the rest.
  private func receive(_ mailbox: Mailbox) {
    guard state.withLock({ $0.mailbox === mailbox }) else { return }
    let content = mailbox.take()
    if let error = content.error {
      tell(.failed(error))
      delegate?.resultsDidFail(error)
    }
    if let update = content.update { show(update) }
    if !content.writes.isEmpty { tell(.written(content.writes)) }
    if let update = content.update {
      if !update.completesOpening { delegate?.receive(update) }
      tell(.changed(update))
    }
  }

  private func tell(_ event: ResultsEvent) { state.withLock { $0.callback }?(event) }
}

/// How a controller delivers updates to its consumer: on which thread `snapshot` becomes the new list and callbacks are
/// called.
public struct ResultsDelivery: Sendable {
  /// Runs work on the consumer's thread.
  let run: @Sendable (@escaping @Sendable () -> Void) -> Void

  /// On the main actor, through the main queue.
  public static let mainActor = ResultsDelivery { work in DispatchQueue.main.async(execute: work) }

  /// On the main actor, through the program's own mechanism, such as an event loop. `post` is called on the
  /// controller's queue; it runs work in order, later or at once.
  public static func mainActor(
    by post: @escaping @Sendable (@escaping @MainActor @Sendable () -> Void) -> Void
  ) -> ResultsDelivery {
    ResultsDelivery { work in post { work() } }
  }

  /// On a serial queue.
  public static func queue(_ queue: DispatchQueue) -> ResultsDelivery {
    ResultsDelivery { work in queue.async(execute: work) }
  }

  /// Through a closure that runs work in order, later or at once. It is called on the controller's queue.
  public init(_ run: @escaping @Sendable (@escaping @Sendable () -> Void) -> Void) {
    self.run = run
  }
}
