import Synchronization

/// The callbacks of a controller, and the mailbox that the engine fills while the controller has a listener. The
/// callbacks are called on the consumer's thread.
final class ControllerCallbacks: Sendable {
  private struct State {
    weak var delegate: (any ResultsDelegate)?
    var onChange: (@Sendable (ResultsUpdate) -> Void)?
    var onWrite: (@Sendable (ResultsWrites) -> Void)?
    var onError: (@Sendable (ResultsError) -> Void)?
    /// The number of iterators of the controller's `updates`.
    var iterators = 0
    var mailbox: Mailbox?
    /// Whether ``begin()`` was called. Until then the mailbox is not registered with the engine, because that would
    /// start a thread before the first rows are read.
    var hasBegun = false
  }

  private let state = Mutex(State())
  private let engine: ResultsEngine
  private let delivery: ResultsDelivery
  /// Makes an update's list the controller's list, before the callbacks for changes are called.
  private let show: @Sendable (ResultsUpdate) -> Void

  init(_ engine: ResultsEngine, _ delivery: ResultsDelivery, show: @escaping @Sendable (ResultsUpdate) -> Void) {
    self.engine = engine
    self.delivery = delivery
    self.show = show
  }

  /// The first call registers the mailbox, if there is one, with the engine. Call it before a request is put on the
  /// engine's queue.
  func begin() {
    let mailbox = state.withLock { state -> Mailbox? in
      defer { state.hasBegun = true }
      return state.hasBegun ? nil : state.mailbox
    }
    if let mailbox { engine.queue.async { [engine] in engine.add(mailbox) } }
  }

  var isListening: Bool { state.withLock { $0.mailbox != nil } }

  var delegate: (any ResultsDelegate)? {
    get { state.withLock { $0.delegate } }
    set { change { $0.delegate = newValue } }
  }

  var onChange: (@Sendable (ResultsUpdate) -> Void)? {
    get { state.withLock { $0.onChange } }
    set { change { $0.onChange = newValue } }
  }

  var onWrite: (@Sendable (ResultsWrites) -> Void)? {
    get { state.withLock { $0.onWrite } }
    set { change { $0.onWrite = newValue } }
  }

  var onError: (@Sendable (ResultsError) -> Void)? {
    get { state.withLock { $0.onError } }
    set { state.withLock { $0.onError = newValue } }
  }

  /// Counts iterators that begin or end. An iterator registers a listener of its own afterwards. The controller's
  /// listener must come first, so that with a delivery that runs at once, the controller shows a change before the
  /// iterator gets it.
  func countIterators(_ change: Int) {
    if change > 0 { begin() }
    self.change { $0.iterators += change }
  }

  func set(onError: @escaping @Sendable (ResultsError) -> Void, onChange: @escaping @Sendable (ResultsUpdate) -> Void) {
    change { state in
      state.onError = onError
      state.onChange = onChange
    }
  }

  func removeAll() {
    change { state in
      state.onChange = nil
      state.onWrite = nil
      state.delegate = nil
    }
  }

  /// Changes the callbacks, then registers the mailbox with the engine or removes it, as needed.
  private func change(_ body: (inout State) -> Void) {
    let (added, removed) = state.withLock { state -> (Mailbox?, Mailbox?) in
      let hasBegun = state.hasBegun
      body(&state)
      let hasListener = state.onChange != nil || state.onWrite != nil || state.delegate != nil || state.iterators > 0
      if hasListener, state.mailbox == nil {
        let mailbox = Mailbox { [weak self, delivery] mailbox in
          delivery.run { [weak self] in self?.receive(mailbox) }
        }
        mailbox.wantsWrites = state.onWrite != nil
        state.mailbox = mailbox
        return (hasBegun ? mailbox : nil, nil)
      }
      state.mailbox?.wantsWrites = state.onWrite != nil
      if !hasListener, let mailbox = state.mailbox {
        state.mailbox = nil
        return (nil, hasBegun ? mailbox : nil)
      }
      return (nil, nil)
    }
    if let added { engine.queue.async { [engine] in engine.add(added) } }
    if let removed { engine.queue.async { [engine] in engine.remove(removed) } }
  }

  /// Handles the content of the mailbox, on the consumer's thread.
  private func receive(_ mailbox: Mailbox) {
    guard state.withLock({ $0.mailbox === mailbox }) else { return }
    let content = mailbox.take()
    if let error = content.error {
      let (onError, delegate) = state.withLock { ($0.onError, $0.delegate) }
      onError?(error)
      delegate?.resultsDidFail(error)
    }
    if let update = content.update { show(update) }
    if !content.writes.isEmpty { onWrite?(content.writes) }
    if let update = content.update {
      let (onChange, delegate) = state.withLock { ($0.onChange, $0.delegate) }
      if !update.completesOpening { delegate?.receive(update) }
      onChange?(update)
    }
  }
}
