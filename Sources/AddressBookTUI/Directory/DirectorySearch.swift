import AddressBookModel
import Contacts
import Dispatch
import LDAPDirectory
import TerminalKit

/// Searches a directory while the user types: after a short pause, on another thread. Only the newest search is
/// reported.
@MainActor
final class DirectorySearch {
  /// The maximum number of entries to request.
  nonisolated static let limit = 200
  /// The pause after the last key, in milliseconds, so that not every letter starts a search.
  private static let pause = 250

  /// Called with each change of the newest search.
  var onChange: @MainActor (Change) -> Void = { _ in }
  private let source: any DirectorySource
  private let names: NameStyle
  private let loop: any ProgramLoop
  private var number = 0
  private var running: CancellationFlag?

  /// The progress of a search.
  enum Change: Sendable {
    case found([DirectoryState.Entry])
    case ended(isCut: Bool)
    case failed(DirectoryError)
  }

  /// - Parameter names: how names are displayed, which decides the order of the entries.
  init(_ source: any DirectorySource, names: NameStyle, loop: any ProgramLoop) {
    self.source = source
    self.names = names
    self.loop = loop
  }

  /// Stops the search that is running or about to start.
  func stop() {
    number += 1
    running?.set()
    running = nil
  }

  /// Searches for the text after a pause; earlier searches are stopped.
  func request(_ text: String) {
    stop()
    let number = number
    loop.schedule(after: Self.pause) { [weak self] in
      guard let self, self.number == number else { return }
      begin(text, number)
    }
  }

  private func begin(_ text: String, _ number: Int) {
    let flag = CancellationFlag()
    running = flag
    let (source, names, loop) = (source, names, loop)
    let report = { @Sendable [weak self] (change: Change) in
      loop.post {
        guard let self, self.number == number else { return }
        self.onChange(change)
      }
    }
    DispatchQueue.global(qos: .userInitiated).async {
      do throws(DirectoryError) {
        let answer = try source.search(text, limit: Self.limit, isCancelled: { flag.isSet }) { found in
          report(.found(found.map { DirectoryState.Entry($0, names: names) }))
        }
        report(.ended(isCut: answer.isCut))
      } catch {
        report(.failed(error))
      }
    }
  }
}
