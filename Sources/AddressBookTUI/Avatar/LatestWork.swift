import Dispatch
import TerminalKit

/// Work on another thread of which only the newest wish counts: wishes that were replaced before they began are forgotten.
@MainActor
final class LatestWork<Wish: Hashable & Sendable, Product: Sendable> {
  private let loop: any ProgramLoop
  private let work: @Sendable (Wish) -> Product
  private let take: @MainActor @Sendable (Wish, Product) -> Void
  private var waiting: Wish?
  private var running: Wish?

  /// - Parameters:
  ///   - work: done on another thread, one wish at a time.
  ///   - take: given each product on the main thread, also of a wish that is no longer the newest.
  init(
    loop: any ProgramLoop, work: @escaping @Sendable (Wish) -> Product,
    take: @escaping @MainActor @Sendable (Wish, Product) -> Void
  ) {
    self.loop = loop
    self.work = work
    self.take = take
  }

  /// True when nothing is being done.
  var isIdle: Bool { running == nil }

  /// Asks for a product; asking again for the one that is on its way changes nothing.
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
