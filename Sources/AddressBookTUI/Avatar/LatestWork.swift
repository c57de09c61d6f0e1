import Dispatch
import TerminalKit

/// Work on another thread, where only the newest request counts: requests that are replaced before they start are
/// dropped.
@MainActor
final class LatestWork<Request: Hashable & Sendable, Product: Sendable> {
  private let loop: any ProgramLoop
  private let work: @Sendable (Request) -> Product
  private let deliver: @MainActor @Sendable (Request, Product) -> Void
  private var waiting: Request?
  private var running: Request?

  /// - Parameters:
  ///   - work: done on another thread, one request at a time.
  ///   - deliver: called with each result on the main thread, even if a newer request has been made.
  init(
    loop: any ProgramLoop, work: @escaping @Sendable (Request) -> Product,
    deliver: @escaping @MainActor @Sendable (Request, Product) -> Void
  ) {
    self.loop = loop
    self.work = work
    self.deliver = deliver
  }

  var isIdle: Bool { running == nil }

  /// Requests a result, and drops the request that was waiting. A request that is already running is not repeated.
  func request(_ request: Request) {
    waiting = request == running ? nil : request
    begin()
  }

  private func begin() {
    guard running == nil, let request = waiting else { return }
    waiting = nil
    running = request
    let work = work
    let loop = loop
    DispatchQueue.global(qos: .userInitiated).async {
      let product = work(request)
      loop.post {
        self.running = nil
        self.deliver(request, product)
        self.begin()
      }
    }
  }
}
