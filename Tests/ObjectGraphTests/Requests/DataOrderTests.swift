import Foundation
import Testing

@testable import ObjectGraph

/// Bytes compare in every store as they do in memory.
struct DataOrderTests {
  private static func model() throws -> ObjectModel {
    try ObjectModel(entities: [EntityDescription("Key", attributes: [AttributeDescription("bytes", .data)])])
  }

  @Test(arguments: ["sqlite", "xml", "memory"])
  func bytesAreSortedAndCompared(_ kind: String) throws {
    let folder = try TemporaryFolder()
    let path = folder.path("store")
    let store: StoreDescription =
      kind == "sqlite" ? .sqlite(path) : kind == "xml" ? .propertyList(path, format: .xml) : .memory()
    let context = try ObjectStack(model: Self.model(), store: store).newContext()
    let all: [[UInt8]?] = [[2], [1, 0xFF], nil, [], [1], [0x80], [1, 0]]
    for (index, bytes) in all.enumerated() {
      try context.insert("Key").set("bytes", to: bytes.map { .data(Data($0)) } ?? .null)
      // The rest is unsaved, and found in memory.
      if index == 3 { try context.save() }
    }
    func bytes(_ format: String?, _ arguments: PredicateConstant..., ascending: Bool = true) throws -> [[UInt8]?] {
      let predicate = try format.map { try ObjectPredicate($0, arguments: arguments) }
      let request = ObjectFetchRequest("Key", where: predicate, sort: [SortKey("bytes", ascending: ascending)])
      return try context.fetch(request).map { key in
        if case .data(let data) = try key.value("bytes") { Array(data) } else { nil }
      }
    }
    let sorted: [[UInt8]?] = [nil, [], [1], [1, 0], [1, 0xFF], [2], [0x80]]
    #expect(try bytes(nil) == sorted)
    #expect(try bytes(nil, ascending: false) == sorted.reversed())
    #expect(try bytes("bytes < %@", .value(.data(Data([1, 0])))) == [[], [1]])
    #expect(
      try bytes("bytes BETWEEN %@", [.value(.data(Data([1, 0]))), .value(.data(Data([2])))]) == [
        [1, 0], [1, 0xFF], [2],
      ])
    var request = ObjectFetchRequest("Key")
    request.properties = [.function(name: "last", .maximum, keyPath: "bytes")]
    #expect(try context.dictionaries(request) == [["last": .data(Data([0x80]))]])
  }
}
