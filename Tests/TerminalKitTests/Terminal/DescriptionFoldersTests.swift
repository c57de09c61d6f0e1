import Foundation
import ReferenceTerminals
import Testing

@testable import TerminalKit

/// Terminal descriptions in folders that ncurses does not search.
@MainActor @Suite(.serialized) struct DescriptionFoldersTests {
  /// Makes a folder with descriptions of terminals, all with 16 colors.
  private func folder() throws -> URL {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("terminfo-\(UUID())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let source = folder.appendingPathComponent("source")
    let descriptions = """
      unheard-of|test,
      \tcolors#16, use=xterm-256color,
      xterm-unheard-of|test,
      \tuse=unheard-of,
      contour|test,
      \tuse=unheard-of,

      """
    try Data(descriptions.utf8).write(to: source)
    let tic = Process()
    tic.executableURL = URL(fileURLWithPath: "/usr/bin/tic")
    tic.arguments = ["-x", "-o", folder.path, source.path]
    try tic.run()
    tic.waitUntilExit()
    try #require(tic.terminationStatus == 0)
    return folder
  }

  private func screen(_ type: String, in folders: [String]) throws -> NcursesScreen {
    let pseudo = try PseudoTerminal(Size(rows: 6, columns: 30))
    let device = try TerminalDevice(input: pseudo.slave, output: pseudo.slave)
    return try NcursesScreen(type: type, device: device, wantsColor: true, folders: DescriptionFolders(folders))
  }

  private func colors(_ type: String, in folders: [String]) throws -> Int { try screen(type, in: folders).colors }

  @Test(arguments: [("contour", false), ("cons25", true), ("linux", true), ("xterm", false)])
  func consolesAreRecognized(type: String, isConsole: Bool) throws {
    let folder = try folder()
    defer { try? FileManager.default.removeItem(at: folder) }
    #expect(try screen(type, in: [folder.path]).isConsole == isConsole)
  }

  @Test func aDescriptionIsFoundInAnotherFolder() throws {
    let folder = try folder()
    defer { try? FileManager.default.removeItem(at: folder) }
    #expect(try screen("unheard-of", in: []).type == "xterm-256color")
    #expect(try colors("unheard-of", in: ["/nonexistent", folder.path]) == 16)
    // The exact type is preferred to `xterm-256color`, which is used for unknown types.
    #expect(try colors("xterm-unheard-of", in: []) == 256)
    #expect(try colors("xterm-unheard-of", in: [folder.path]) == 16)
  }

  @Test(arguments: [nil, "/nonexistent/terminfo"]) func theVariableIsRestored(value: String?) throws {
    let before = getenv("TERMINFO_DIRS").map { String(cString: $0) }
    defer { if let before { setenv("TERMINFO_DIRS", before, 1) } else { unsetenv("TERMINFO_DIRS") } }
    if let value { setenv("TERMINFO_DIRS", value, 1) } else { unsetenv("TERMINFO_DIRS") }
    let folder = try folder()
    defer { try? FileManager.default.removeItem(at: folder) }
    #expect(try colors("unheard-of", in: [folder.path]) == 16)
    #expect(try screen("nobody", in: [folder.path]).type == "xterm-256color")
    #expect(getenv("TERMINFO_DIRS").map { String(cString: $0) } == value)
  }

  @Test func theUsualFoldersAreThoseOfManySystems() {
    #expect(DescriptionFolders.usual.contains("/usr/share/terminfo"))
    #expect(DescriptionFolders.usual.contains("/run/current-system/sw/share/terminfo"))
    #expect(DescriptionFolders.usual.allSatisfy { $0.hasPrefix("/") && !$0.contains(":") })
  }
}
