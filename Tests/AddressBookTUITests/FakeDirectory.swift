import Contacts
import Glibc
import LDAPDirectory
import Synchronization

@testable import AddressBookTUI

/// A company directory without a server.
final class FakeDirectory: DirectorySource {
  let host = "ldap.example.com"

  /// What the directory contains, how it responds, and what was searched.
  struct State {
    var entries: [DirectoryContact] = []
    /// Thrown by every call.
    var error: DirectoryError?
    var isCut = false
    /// Searches for these texts continue until they are canceled.
    var endless: Set<String> = []
    /// True to send only the first result until this is false again.
    var holdsResults = false
    /// The texts of the searches so far.
    var searches: [String] = []
  }

  let state = Mutex(State())

  init(_ contacts: [Contact] = []) {
    state.withLock { $0.entries = contacts.map { DirectoryContact(id: "uid=\($0.uid)", contact: $0) } }
  }

  func search(
    _ text: String, limit: Int, isCancelled: @Sendable () -> Bool, onContacts: @Sendable ([DirectoryContact]) -> Void
  ) throws(DirectoryError) -> DirectoryConnection.Answer {
    let (now, isEndless) = state.withLock { state in
      state.searches.append(text)
      return (state.entries, state.endless.contains(text))
    }
    while isEndless, !isCancelled() { usleep(1000) }
    if isCancelled() { throw DirectoryError(.cancelled) }
    if let error = state.withLock({ $0.error }) { throw error }
    let found = now.filter { $0.contact.displayName.lowercased().contains(text.lowercased()) }
    for (index, entry) in found.enumerated() {
      while index > 0, state.withLock({ $0.holdsResults }), !isCancelled() { usleep(1000) }
      onContacts([entry])
    }
    return DirectoryConnection.Answer(isCut: state.withLock { $0.isCut }, references: 0)
  }

  func contact(_ id: String, isCancelled: @Sendable () -> Bool) throws(DirectoryError) -> DirectoryContact? {
    if let error = state.withLock({ $0.error }) { throw error }
    return state.withLock { state in state.entries.first { $0.id == id } }
  }
}
