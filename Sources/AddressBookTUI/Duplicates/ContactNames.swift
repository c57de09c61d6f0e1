import AddressBookModel
import ResultsController

/// The names of the contacts on the screen, read when they come to be seen.
@MainActor
final class ContactNames {
  private let environment: AppEnvironment
  private var names: [Int64: String] = [:]
  /// Names beyond this many are read again.
  private static let limit = 2000

  init(environment: AppEnvironment) { self.environment = environment }

  /// What a contact is called; nil if it was not read, or is gone.
  func name(_ id: Int64) -> String? { names[id] }

  /// Reads the names that are needed.
  func prepare(_ ids: [Int64], _ status: StatusLine) {
    let unknown = ids.filter { names[$0] == nil }
    guard !unknown.isEmpty else { return }
    if names.count > Self.limit { names = [:] }
    do {
      for contact in try environment.book.contacts(ids: unknown) {
        names[contact.id] = contact.displayName.isEmpty ? environment.strings("contact.nameless") : contact.displayName
      }
    } catch {
      status.show(reading: error)
    }
  }

  /// Forgets what others may have written.
  func forget(_ writes: ResultsWrites) {
    if writes.mayLackUpdates { return names = [:] }
    for id in writes.updated.union(writes.deleted) { names[id] = nil }
  }
}
