import Foundation
import Testing

@testable import ObjectGraph

/// Mappings that do not fit the model or the tables.
extension MappedStoreTests {
  private func open(_ mapping: StoreMapping) throws -> InvalidMapping? {
    let model = try Self.model()
    do throws(ObjectGraphError) {
      _ = try ObjectStack(model: model, store: .mapped(host, identifier: UUID(), mapping))
      return nil
    } catch {
      guard case .mapping(let problem) = error else { throw error }
      return problem
    }
  }

  @Test func aMappingThatDoesNotFitIsRefused() throws {
    func mapping(_ entity: String, _ change: (inout EntityMapping) -> Void) -> StoreMapping {
      var mapping = Self.mapping
      if var entry = mapping.entities[entity] {
        change(&entry)
        mapping.entities[entity] = entry
      }
      return mapping
    }
    #expect(try open(Self.mapping) == nil)
    var none = Self.mapping
    none.entities["Circle"] = nil
    #expect(try open(none) == .unmappedEntity("Circle"))
    #expect(try open(mapping("Person") { $0.table = "persons" }) == .missingTable("persons"))
    #expect(
      try open(mapping("Person") { $0.properties.attributes["family"] = "surname" })
        == .missingColumn("surname", table: "people"))
    #expect(try open(mapping("Person") { $0.version = "revision" }) == .missingColumn("revision", table: "people"))
    #expect(
      try open(mapping("Person") { $0.deletion = .marked(column: "gone", value: { "x" }) })
        == .missingColumn("gone", table: "people"))
    #expect(
      try open(mapping("Person") { $0.properties.relationships["circles"] = nil })
        == .badProperty("circles", entity: "Person"))
    #expect(
      try open(mapping("Phone") { $0.properties.relationships["person"] = .column("owner") })
        == .badProperty("phones", entity: "Person"))
    #expect(try open(mapping("Phone") { $0.deletion = .withOwner("value") }) == .badProperty("value", entity: "Phone"))
    #expect(
      try open(mapping("Person") { $0.properties.attributes["kind"] = MappedColumn("sort", .timestamp) })
        == .badProperty("kind", entity: "Person"))
    #expect(try integer("SELECT count(*) FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite%'") == 5)
  }
}
