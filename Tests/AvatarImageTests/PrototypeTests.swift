import Foundation
import Testing

/// The functions of gdk-pixbuf, chafa and libldap are declared by hand: the libraries are loaded
/// with `dlopen`, so a build does not need their headers.
/// Where their headers are installed (Debian: `libgdk-pixbuf-2.0-dev`, `libchafa-dev`, `libldap-dev`), the
/// compiler checks the declarations.
@Suite struct PrototypeTests {
  @Test(arguments: [
    ("CPixbuf", "pixbuf.c", "gdk-pixbuf-2.0"), ("CChafa", "chafa.c", "chafa"), ("CLDAP", "ldap.c", "ldap"),
  ])
  func agreeWithTheHeaders(target: String, file: String, package: String) throws {
    let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
    guard try run("command -v clang && pkg-config --exists \(package)", in: root) == 0 else {
      print("clang or the headers of \(package) are not installed: skipping the comparison with \(target)")
      return
    }
    let folder = "Sources/\(target)"
    let command = """
      clang -fsyntax-only -Wall -Wextra -Werror -DCHECK_PROTOTYPES -I\(folder)/include \
      $(pkg-config --cflags \(package)) \(folder)/\(file)
      """
    #expect(try run(command, in: root) == 0)
  }

  private func run(_ command: String, in folder: URL) throws -> Int32 {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/bin/sh")
    process.arguments = ["-c", command]
    process.currentDirectoryURL = folder
    process.standardOutput = FileHandle.nullDevice
    try process.run()
    process.waitUntilExit()
    return process.terminationStatus
  }
}
