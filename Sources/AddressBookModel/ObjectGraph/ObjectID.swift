import Synchronization

/// Which object it is: the row of an entity, or an object that has no row yet.
public struct ObjectID: Hashable, Sendable, CustomStringConvertible {
  enum Key: Hashable, Sendable {
    case row(Int64)
    case temporary(UInt64)
  }

  /// Name of the entity.
  public let entity: String
  let key: Key

  /// The object in a row.
  public init(entity: String, row: Int64) {
    self.entity = entity
    key = .row(row)
  }

  private init(entity: String, key: Key) {
    self.entity = entity
    self.key = key
  }

  /// A name for an object without a row; no two contexts of this process give the same one.
  static func temporary(_ entity: String) -> ObjectID {
    ObjectID(entity: entity, key: .temporary(counter.add(1, ordering: .relaxed).newValue))
  }

  /// Id of the row; nil before the first save.
  public var row: Int64? {
    if case .row(let id) = key { return id }
    return nil
  }

  /// `Person/12`, or `Person/new7` before the first save.
  public var description: String {
    switch key {
    case .row(let id): return "\(entity)/\(id)"
    case .temporary(let number): return "\(entity)/new\(number)"
    }
  }

  private static let counter = Atomic<UInt64>(0)
}
