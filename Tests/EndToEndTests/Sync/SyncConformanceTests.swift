import Foundation
import SharedMaterial
import Testing

/// Runs the program on every case of the file that `SYNC_CASES` names, with a separate book and folder for each case.
@Suite(.enabled(if: SharedMaterial.syncCases.isNamed, "SYNC_CASES is not set")) struct SyncConformanceTests {
  private typealias Object = [String: Any]

  @Test func everyCaseGivesItsExpectedResult() throws {
    let file = try JSONSerialization.jsonObject(with: Data(contentsOf: SharedMaterial.syncCases.url)) as? Object
    let cases = try #require(file?["cases"] as? [Object])
    #expect(!cases.isEmpty)
    for item in cases {
      let name = "\(item["group"] ?? "")/\(item["name"] ?? "")"
      var player = try SyncCasePlayer(name: name)
      for (number, step) in (item["steps"] as? [Object] ?? []).enumerated() {
        player.step = "\(name), step \(number + 1)"
        try player.play(step)
      }
      try player.checkThatNothingIsLeft()
    }
  }
}
