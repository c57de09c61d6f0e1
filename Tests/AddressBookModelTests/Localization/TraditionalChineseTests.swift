import Foundation
import Testing

@testable import Messages

/// The strings in Traditional Chinese are what `Scripts/make-traditional.py` makes of those in Simplified Chinese.
struct TraditionalChineseTests {
  private static let root = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  /// Characters that Traditional Chinese does not have.
  private static let simplified = Set(
    """
    个们为么义书产亲仅从会传体关决况减击删务动区单历压双发变号启员响图国处备复够头夹实导对寻将\
    层属带帮开张当录彻态总户执扩扫择换据无时显暂机权标栏样检滚点状独环现电盘码确种称签简类级组\
    细终经结给络统继续缩网联脚节补规视览计认让议记许论设访证识词译试详语误说请读负账贴资转软载\
    输边达过运还这进连选邮钟链错键长门闭问间阅际随隐页项顺须预领频题颜验
    """)

  private static var hasConverter: Bool {
    let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
    return ["uconv", "python3"].allSatisfy { program in
      folders.contains { FileManager.default.isExecutableFile(atPath: "\($0)/\(program)") }
    }
  }

  @Test(.enabled(if: hasConverter, "uconv (icu-devtools) and python3 make the strings"))
  func theStringsAreThoseThatTheScriptMakes() throws {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = ["python3", Self.root.appending(path: "Scripts/make-traditional.py").path, "--check"]
    try process.run()
    process.waitUntilExit()
    #expect(process.terminationStatus == 0, "run Scripts/make-traditional.py")
  }

  @Test func noSimplifiedCharacterIsLeft() throws {
    for table in ["Command", "Model", "Screen"] {
      let file = Self.root.appending(path: "Resources/strings/zh-Hant.lproj/\(table).strings")
      for line in try String(contentsOf: file, encoding: .utf8).split(separator: "\n") {
        #expect(Self.simplified.isDisjoint(with: line), "\(line)")
        #expect(!line.contains("“") && !line.contains("”"), "\(line)")
      }
    }
  }
}
