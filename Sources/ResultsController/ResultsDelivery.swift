import ChangeLog
@preconcurrency import Dispatch
import GRDB

/// How a controller delivers updates to its consumer: on which thread `snapshot` becomes the new list and callbacks are
/// called.
public struct ResultsDelivery: Sendable {
  /// Runs work on the consumer's thread.
  let run: @Sendable (@escaping @Sendable () -> Void) -> Void
  /// Whether the consumer's thread is known to be the main thread.
  let isMainActor: Bool

  /// On the main actor, through the main queue.
  public static let mainActor = ResultsDelivery(isMainActor: true) { work in DispatchQueue.main.async(execute: work) }

  /// On the main actor, through the program's own mechanism, such as an event loop. `post` is called on the
  /// controller's queue; it runs work in order, later or at once.
  public static func mainActor(
    by post: @escaping @Sendable (@escaping @MainActor @Sendable () -> Void) -> Void
  ) -> ResultsDelivery {
    ResultsDelivery(isMainActor: true) { work in post { work() } }
  }

  /// On a serial queue.
  public static func queue(_ queue: DispatchQueue) -> ResultsDelivery {
    ResultsDelivery(isMainActor: false) { work in queue.async(execute: work) }
  }

  /// Through a closure that runs work in order, later or at once. It is called on the controller's queue.
  public init(_ run: @escaping @Sendable (@escaping @Sendable () -> Void) -> Void) {
    self.init(isMainActor: false, run)
  }

  private init(isMainActor: Bool, _ run: @escaping @Sendable (@escaping @Sendable () -> Void) -> Void) {
    self.isMainActor = isMainActor
    self.run = run
  }

  /// Wraps a callback so that it runs on the main actor: directly if deliveries arrive there, otherwise through the
  /// main queue.
  package func onMainActor<Value: Sendable>(_ body: @escaping @MainActor (Value) -> Void) -> @Sendable (Value) -> Void {
    if isMainActor { return { value in MainActor.assumeIsolated { body(value) } } }
    return { value in DispatchQueue.main.async { MainActor.assumeIsolated { body(value) } } }
  }
}

extension ResultsController {
  /// Creates a controller whose updates are delivered by a closure that runs work in order, later or at once. It is
  /// called on the controller's queue; the other parameters are those of
  /// `init(_:request:record:tracking:installsTriggers:titles:deliver:)`.
  public convenience init(
    _ database: any DatabaseReader,
    request: ResultsRequest,
    record: Record.Type = Record.self,
    tracking: ChangeTracking? = nil,
    installsTriggers: Bool = false,
    titles: @escaping @Sendable (SectionValue) -> String = { $0.plainTitle },
    deliver: @escaping @Sendable (@escaping @Sendable () -> Void) -> Void
  ) {
    self.init(
      database, request: request, record: record, tracking: tracking, installsTriggers: installsTriggers,
      titles: titles,
      deliver: ResultsDelivery(deliver))
  }
}
