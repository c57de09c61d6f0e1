import AddressBookModel
import ResultsController

/// The names of the contacts on the screen, read when they become visible.
@MainActor
final class ContactNames {
  private let environment: AppEnvironment
  private var names: [Int64: String] = [:]
  /// With more names than this, all are dropped before others are read.
  private static let limit = 2000

  init(environment: AppEnvironment) { self.environment = environment }

  /// Returns the name of a contact, as it is displayed; nil if it has not been read.
  func name(_ id: Int64) -> String? { names[id] }

  /// Reads the names that are not known yet.
  func prepare(_ ids: [Int64], _ status: StatusLine) {
    let unknown = ids.filter { names[$0] == nil }
    guard !unknown.isEmpty else { return }
    if names.count > Self.limit { names = [:] }
    do {
      for contact in try environment.book.contacts(ids: unknown) {
        let name = environment.names.name(of: contact)
        names[contact.id] = name.isEmpty ? environment.strings("contact.nameless") : name
      }
    } catch {
      status.show(reading: error)
    }
  }

  /// Drops the names of contacts that were written.
  func invalidate(_ writes: ResultsWrites) {
    if writes.mayLackUpdates { return names = [:] }
    for id in writes.updated.union(writes.deleted) { names[id] = nil }
  }
}
