/// Brings a store to another model.
public struct StoreMigration {
  private let store: StoreDescription

  /// A migration of a store.
  public init(_ store: StoreDescription) { self.store = store }

  /// Migrates.
  public func migrate(to model: ObjectModel) throws(ObjectGraphError) { throw .modelMismatch }
}
