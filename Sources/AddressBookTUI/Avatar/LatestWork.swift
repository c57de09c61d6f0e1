import Dispatch
import TerminalKit

/// Work on another thread of which only the newest request counts: requests that are replaced before they start are
/// dropped.
@MainActor
final class LatestWork<Wish: Hashable & Sendable, Product: Sendable> {
  private let loop: any ProgramLoop
  private let work: @Sendable (Wish) -> Product
  private let take: @MainActor @Sendable (Wish, Product) -> Void
  private var waiting: Wish?
  private var running: Wish?

  /// - Parameters:
  ///   - work: done on another thread, one request at a time.
  ///   - take: called with each result on the main thread, even if a newer request has been made.
  init(
    loop: any ProgramLoop, work: @escaping @Sendable (Wish) -> Product,
    take: @escaping @MainActor @Sendable (Wish, Product) -> Void
  ) {
    self.loop = loop
    self.work = work
    self.take = take
  }

  /// True when nothing is running.
  var isIdle: Bool { running == nil }

  /// Requests a result; requesting the one in progress again has no effect.
  func want(_ wish: Wish) {
    waiting = wish == running ? nil : wish
    begin()
  }

  private func begin() {
    guard running == nil, let wish = waiting else { return }
    waiting = nil
    running = wish
    let work = work
    let loop = loop
    DispatchQueue.global(qos: .userInitiated).async {
      let product = work(wish)
      loop.post {
        self.running = nil
        self.take(wish, product)
        self.begin()
      }
    }
  }
}
