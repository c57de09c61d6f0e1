import Synchronization

/// The contacts that differed from their checksums when they were last read, because of a disk, cable or memory error.
public final class DamageLog: Sendable {
  /// The part of a contact that was compared.
  package enum Scope: Hashable {
    /// Everything except the bytes of the photo.
    case whole
    /// The bytes of the photo.
    case photo
  }

  private struct State {
    var contacts: [Int64: Set<Scope>] = [:]
    var isListIncomplete = false
    var onChange: (@Sendable () -> Void)?
  }

  private let state = Mutex(State())

  /// An empty log.
  package init() {}

  /// The ids of the damaged contacts, in ascending order.
  public var contacts: [Int64] { state.withLock { $0.contacts.keys.sorted() } }

  /// True if the list of all contacts lacked a contact, had one twice, or had one at the wrong position, or if the
  /// groups and their members are not intact (``AddressBook/checkGroups()``).
  public var isListIncomplete: Bool { state.withLock { $0.isListIncomplete } }

  /// True if no damage is recorded.
  public var isEmpty: Bool { state.withLock { $0.contacts.isEmpty && !$0.isListIncomplete } }

  /// Returns true if the contact with this id was found to be damaged.
  public func has(_ id: Int64) -> Bool { state.withLock { $0.contacts[id] != nil } }

  /// Sets the function that is called, on any thread, whenever a contact is found to be damaged or no longer damaged. It
  /// replaces the previous one.
  public func onChange(_ body: @escaping @Sendable () -> Void) { state.withLock { $0.onChange = body } }

  package func note(_ id: Int64, _ scope: Scope, isDamaged: Bool) {
    let onChange = state.withLock { state -> (@Sendable () -> Void)? in
      // The usual case, which must be fast: this runs for every contact that is read.
      if !isDamaged, state.contacts.isEmpty { return nil }
      let before = state.contacts[id]
      guard isDamaged || before != nil else { return nil }
      var scopes = before ?? []
      if isDamaged { scopes.insert(scope) } else { scopes.remove(scope) }
      state.contacts[id] = scopes.isEmpty ? nil : scopes
      return (before == nil) != scopes.isEmpty ? state.onChange : nil
    }
    onChange?()
  }

  package func noteIncompleteList() { state.withLock { $0.isListIncomplete = true } }
}
