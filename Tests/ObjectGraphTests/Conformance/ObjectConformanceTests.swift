import Foundation
import SharedMaterial
import Testing

@testable import ObjectGraph

/// Plays every case of the file that OBJECT_CASES names. Cases of the default store type run on every kind of
/// store, except that those that change the model do not run on mapped stores.
struct ObjectConformance {
  private struct File: Decodable {
    let header: JSONValue
    let cases: [JSONValue]
  }

  @Test(
    .enabled(if: SharedMaterial.objectCases.isNamed, "OBJECT_CASES is not set"), arguments: CaseWorld.Backend.allCases)
  func everyCase(on backend: CaseWorld.Backend) throws {
    let file = try JSONDecoder().decode(File.self, from: Data(contentsOf: SharedMaterial.objectCases.url))
    var failed = 0
    var played = 0
    var (set, read) = (0, 0)
    for item in file.cases where backend == .sqlite || (item["type"] == nil && item["stores"] == nil) {
      // A mapped store neither knows the model that its tables were made for nor migrates them.
      if backend.isMapped, Self.changesModel(item) { continue }
      played += 1
      let (failures, ownSet, ownRead) = try CasePlayer.play(header: file.header, item: item, backend: backend)
      (set, read) = (set + ownSet, read + ownRead)
      if !failures.isEmpty {
        failed += 1
        print("\(backend.rawValue): \(item["group"]?.text ?? "") / \(item["name"]?.text ?? "")")
        for failure in failures.prefix(4) { print("    \(failure)") }
      }
    }
    print("\(backend.rawValue): \(played - failed) of \(played) cases pass; properties: \(set) set, \(read) read")
    #expect(failed == 0 && played > 0 && set > 0 && read > 0)
  }

  /// What the classes declare is what the file describes.
  @Test(.enabled(if: SharedMaterial.objectCases.isNamed, "OBJECT_CASES is not set"))
  func classesDeclareTheModels() throws {
    let file = try JSONDecoder().decode(File.self, from: Data(contentsOf: SharedMaterial.objectCases.url))
    var count = 0
    for (name, json) in file.header["models"]?.fields ?? [:] {
      guard let classes = CaseClasses.classes(name) else { continue }
      count += 1
      let (described, declared) = (try CaseModel.model(json), try ObjectModel(classes: classes))
      #expect(described.entities.map(\.name).sorted() == declared.entities.map(\.name).sorted(), "\(name)")
      for entity in described.entities {
        let other = try declared.entity(entity.name).description
        #expect(Set(other.attributes) == Set(entity.description.attributes), "\(name).\(entity.name)")
        #expect(Set(other.relationships) == Set(entity.description.relationships), "\(name).\(entity.name)")
      }
    }
    #expect(count == 8)
  }

  private static func changesModel(_ item: JSONValue) -> Bool {
    (item["steps"]?.items ?? []).contains { step in
      step["do"]?.text == "migrate" || (step["do"]?.text == "reopen" && step["model"] != nil)
    }
  }
}
