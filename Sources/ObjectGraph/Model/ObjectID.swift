import Foundation

/// The identity of an object in a store: the same in every context, after reopening, and after a migration that does
/// not rename the object's entity.
///
/// An object that was never saved has a temporary id. The save replaces it with a permanent one; the context still
/// accepts the temporary one.
public struct ObjectID: Sendable {
  /// The number of an object, or a placeholder before its first save.
  public enum Key: Hashable, Sendable, Codable {
    /// Assigned by the store at the first save; an entity and its children share one sequence.
    case permanent(Int64)
    /// A placeholder before the first save.
    case temporary(UUID)
  }

  /// The identifier of the store.
  public let store: UUID
  /// Name of the object's own entity, never an abstract parent.
  public let entity: String
  /// The number of the object, or a placeholder.
  public let key: Key

  init(store: UUID, entity: String, key: Key) {
    self.store = store
    self.entity = entity
    self.key = key
  }

  /// True until the first save.
  public var isTemporary: Bool {
    if case .temporary = key { true } else { false }
  }

  /// The number that the store assigned; nil until the first save.
  public var number: Int64? {
    if case .permanent(let number) = key { number } else { nil }
  }
}

extension ObjectID: Hashable, Codable {
  /// Returns whether all parts are equal.
  public static func == (left: ObjectID, right: ObjectID) -> Bool {
    left.key == right.key && left.entity == right.entity && left.store == right.store
  }

  /// Hashes only the key: a hash table rarely contains ids of more than one entity.
  public func hash(into hasher: inout Hasher) {
    switch key {
    case .permanent(let number): hasher.combine(number)
    case .temporary(let uuid): hasher.combine(uuid)
    }
  }
}

extension ObjectID: CustomStringConvertible {
  /// The scheme of ``uri``.
  public static let scheme = "x-objectgraph"

  /// The id as a string, for use outside of the program: `x-objectgraph://STORE/Student/p7`, with `tUUID` instead of
  /// `p7` for a temporary one. Read it with ``init(uri:)``.
  public var uri: String {
    let name = entity.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? entity
    switch key {
    case .permanent(let number): return "\(Self.scheme)://\(store.uuidString)/\(name)/p\(number)"
    case .temporary(let uuid): return "\(Self.scheme)://\(store.uuidString)/\(name)/t\(uuid.uuidString)"
    }
  }

  /// Parses a ``uri``; nil if the string is not one. It does not check that the store has the object.
  public init?(uri: String) {
    let prefix = "\(Self.scheme)://"
    guard uri.hasPrefix(prefix) else { return nil }
    let parts = uri.dropFirst(prefix.count).split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count == 3, let store = UUID(uuidString: String(parts[0])),
      let entity = String(parts[1]).removingPercentEncoding, !entity.isEmpty
    else { return nil }
    let rest = String(parts[2].dropFirst())
    switch parts[2].first {
    case "p":
      guard let number = Int64(rest), number > 0, String(number) == rest else { return nil }
      self.init(store: store, entity: entity, key: .permanent(number))
    case "t":
      guard let uuid = UUID(uuidString: rest) else { return nil }
      self.init(store: store, entity: entity, key: .temporary(uuid))
    default: return nil
    }
  }

  /// The ``uri``.
  public var description: String { uri }
}
