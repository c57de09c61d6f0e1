import Foundation

/// A store in a property list file, read as a whole and written as a whole.
final class PropertyListStore: ObjectStore {
  let identifier = UUID()
  init(path: String, format: StoreDescription.PropertyListFormat, model: ObjectModel, entities: [Entity]) throws {}
  func read<Result>(_ body: (any StoreReader) throws -> Result) throws -> Result {
    throw StoreFailure(reason: .other, description: "")
  }
  func write<Result>(_ body: (any StoreWriter) throws -> Result) throws -> Result {
    throw StoreFailure(reason: .other, description: "")
  }
  func close() throws {}
}
