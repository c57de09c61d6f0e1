import Foundation
import TerminalKit
import Testing

@Suite struct PathCompletionTests {
  @Test(.enabled(if: getenv("HOME") != nil)) func theHomeFolderIsCompletedAsItIsTyped() {
    #expect(PathCompletion.completed("~") == "~/")
    #expect(PathCompletion.completed("~nobody-of-that-name") == "~nobody-of-that-name")
  }

  @Test func namesAreCompletedAsFarAsTheyAreTheSame() throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("completion-\(UUID())").path
    defer { try? FileManager.default.removeItem(atPath: folder) }
    for name in ["photos", "李小龙"] {
      try FileManager.default.createDirectory(atPath: "\(folder)/\(name)", withIntermediateDirectories: true)
    }
    for name in ["card 1.vcf", "card 2.vcf", ".hidden"] {
      try Data().write(to: URL(fileURLWithPath: "\(folder)/\(name)"))
    }
    for (typed, completed) in [
      ("c", "card "), ("card 1", "card 1.vcf"), ("p", "photos/"), ("photos/", "photos/"), ("李", "李小龙/"), ("x", "x"),
      ("", ""), (".h", ".hidden"),
    ] {
      #expect(PathCompletion.completed("\(folder)/\(typed)") == "\(folder)/\(completed)")
    }
  }
}
