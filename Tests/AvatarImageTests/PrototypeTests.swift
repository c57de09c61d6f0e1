import Foundation
import Testing

/// The functions of gdk-pixbuf, chafa, libqrencode and libldap are declared by hand: the libraries are loaded
/// with `dlopen`, so a build does not need their headers.
/// Where their headers are installed (Debian: `libgdk-pixbuf-2.0-dev`, `libchafa-dev`, `libqrencode-dev`, `libldap-dev`), the
/// compiler checks the declarations.
@Suite struct PrototypeTests {
  @Test(.enabled(if: canCompare(with: "gdk-pixbuf-2.0"), "clang or the headers of gdk-pixbuf are not installed"))
  func agreeWithGDKPixbuf() throws { try compare("CPictures", "pixbuf.c", with: "gdk-pixbuf-2.0") }

  @Test(.enabled(if: canCompare(with: "chafa"), "clang or the headers of chafa are not installed"))
  func agreeWithChafa() throws { try compare("CPictures", "chafa.c", with: "chafa") }

  @Test(.enabled(if: canCompare(with: "libqrencode"), "clang or the headers of libqrencode are not installed"))
  func agreeWithQRencode() throws { try compare("CPictures", "qrencode.c", with: "libqrencode") }

  @Test(.enabled(if: canCompare(with: "ldap"), "clang or the headers of libldap are not installed"))
  func agreeWithLDAP() throws { try compare("CLDAP", "ldap.c", with: "ldap") }

  private func compare(_ target: String, _ file: String, with package: String) throws {
    let folder = "Sources/\(target)"
    let command = """
      clang -fsyntax-only -Wall -Wextra -Werror -DCHECK_PROTOTYPES -I\(folder)/include \
      $(pkg-config --cflags \(package)) \(folder)/\(file)
      """
    #expect(try Self.run(command) == 0)
  }

  private static func canCompare(with package: String) -> Bool {
    (try? run("command -v clang && pkg-config --exists \(package)")) == 0
  }

  /// Runs a shell command in the folder of the project, and returns its exit status.
  private static func run(_ command: String) throws -> Int32 {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/bin/sh")
    process.arguments = ["-c", command]
    process.currentDirectoryURL = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
    process.standardOutput = FileHandle.nullDevice
    try process.run()
    process.waitUntilExit()
    return process.terminationStatus
  }
}
