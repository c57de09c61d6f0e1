import Foundation
import SeededRandom
import Testing

@testable import ObjectGraph

/// Random edits, undos, saves and reopens of a random model, compared with the same steps on dictionaries.
struct RandomEditsTests {
  /// Seeds that have found faults.
  private static let pinned: [UInt64] = [42015, 44032]

  @Test(arguments: (0..<40).map(TestSeed.seed) + pinned)
  func graphAgreesWithDictionaries(_ seed: UInt64) throws {
    let run = Int(seed % 1000)
    var random = SeededGenerator(seed: seed)
    let folder = try TemporaryFolder()
    let model = try RandomModel(&random)
    let store: StoreDescription =
      switch run % 4 {
      case 0: .memory(MemoryStorage())
      case 1: .propertyList(folder.path("store.xml"), format: run % 8 == 1 ? .xml : .binary)
      default: .sqlite(folder.path("store.db"))
      }
    var player = try RandomPlayer(model, store: store)
    for number in 0..<80 {
      let step = try player.play(&random)
      let problem = try player.problem()
      try #require(problem == nil, "seed \(seed), step \(number) \(step): \(problem ?? "")")
    }
  }
}

/// Seeds of random runs. `OBJECT_SEED` replaces the number that they are made from.
enum TestSeed {
  static func seed(_ run: Int) -> UInt64 {
    let base = ProcessInfo.processInfo.environment["OBJECT_SEED"].flatMap(UInt64.init) ?? 20_261_122
    return base &* 1000 &+ UInt64(run)
  }
}

/// A folder that is removed after its test.
final class TemporaryFolder {
  private let url: URL

  init() throws {
    url = FileManager.default.temporaryDirectory.appendingPathComponent("objectgraph-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(at: url) }

  func path(_ name: String) -> String { url.appendingPathComponent(name).path }
}
