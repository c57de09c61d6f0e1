import Foundation
import SystemCalls
import Testing

@testable import AddressBookModel

@Suite struct FileReplacementTests {
  private let folder = TemporaryFolder()

  private func replace(_ name: String, with text: String, isDurable: Bool = true) throws {
    let file = try FileReplacement(path: folder.file(name), isDurable: isDurable)
    try file.write(text.utf8)
    try file.commit()
  }

  private func failure(_ body: () throws -> Void) -> FileFailure? {
    do {
      try body()
      return nil
    } catch {
      return error as? FileFailure
    }
  }

  @Test(arguments: [true, false]) func replacesTheFileAndIsPrivate(isDurable: Bool) throws {
    _ = folder.write(Array("old".utf8), to: "a")
    chmod(folder.file("a"), 0o644)
    try replace("a", with: "new", isDurable: isDurable)
    #expect(folder.bytes(of: "a") == Array("new".utf8))
    #expect(folder.mode(of: "a") == 0o600)
    #expect(folder.names == ["a"])
  }

  @Test func manyPiecesAreOneFile() throws {
    let file = try FileReplacement(path: folder.file("a"))
    let piece = [UInt8](repeating: 7, count: 100_001)
    for _ in 0..<9 { try file.write(piece) }
    #expect(folder.bytes(of: "a").isEmpty)
    try file.commit()
    #expect(folder.bytes(of: "a") == [UInt8](repeating: 7, count: 900_009))
  }

  @Test func nothingIsReplacedBeforeTheCommit() throws {
    _ = folder.write(Array("old".utf8), to: "a")
    var file: FileReplacement? = try FileReplacement(path: folder.file("a"))
    try file?.write("new".utf8)
    #expect(folder.names.count == 2)
    file = nil
    #expect(folder.bytes(of: "a") == Array("old".utf8))
    #expect(folder.names == ["a"])
  }

  @Test func aLinkIsReplacedAndItsTargetLeftAlone() throws {
    _ = folder.write(Array("precious".utf8), to: "target")
    symlink("target", folder.file("link"))
    try replace("link", with: "new")
    #expect(folder.bytes(of: "target") == Array("precious".utf8))
    #expect(folder.bytes(of: "link") == Array("new".utf8))
    #expect(throws: (any Error).self) {
      try FileManager.default.destinationOfSymbolicLink(atPath: folder.file("link"))
    }
  }

  @Test func foldersAndPipesAreRefused() throws {
    try FileManager.default.createDirectory(atPath: folder.file("folder"), withIntermediateDirectories: true)
    mkfifo(folder.file("pipe"), 0o600)
    for name in ["folder", "pipe", ""] {
      let failure = try #require(failure { try replace(name, with: "new") })
      #expect(failure.isNotAFile)
      #expect(failure.path == folder.file(name))
    }
    #expect(folder.names == ["folder", "pipe"])
  }

  /// A device that is replaced by a file is gone for all programs.
  @Test func linksToFoldersPipesDevicesAndOpenFilesAreRefused() throws {
    try FileManager.default.createDirectory(atPath: folder.file("folder"), withIntermediateDirectories: true)
    mkfifo(folder.file("pipe"), 0o600)
    _ = folder.write(Array("open".utf8), to: "file")
    let descriptor = open(folder.file("file"), O_WRONLY)
    defer { close(descriptor) }
    let targets = ["folder", "pipe", "/dev/null", "/proc/self/fd/\(descriptor)", "/dev/fd/\(descriptor)"]
    for (number, target) in targets.enumerated() {
      symlink(target, folder.file("link\(number)"))
      symlink("link\(number)", folder.file("link of link\(number)"))
    }
    let names = folder.names
    for number in targets.indices {
      for name in ["link\(number)", "link of link\(number)"] {
        #expect(try #require(failure { try replace(name, with: "new") }).isNotAFile, "\(name)")
      }
    }
    #expect(folder.names == names && folder.bytes(of: "file") == Array("open".utf8))
  }

  @Test func reportsAMissingFolder() throws {
    let failure = try #require(failure { try replace("no/such", with: "new") })
    #expect(failure == FileFailure(folder.file("no/such"), ENOENT))
    #expect(failure.message == "No such file or directory")
  }

  @Test func theLongestFileNameCanBeReplaced() throws {
    let name = String(repeating: "长", count: 85)
    for text in ["old", "new"] { try replace(name, with: text) }
    #expect(folder.names == [name] && folder.bytes(of: name) == Array("new".utf8))
  }

  @Test func aPrivateFolderIsCreatedWithItsParents() throws {
    try PrivateFolder.make(folder.file("a/b//c/"))
    for name in ["a", "a/b", "a/b/c"] { #expect(folder.mode(of: name) == 0o700) }
    try PrivateFolder.make(folder.file("a/b"))
    _ = folder.write([], to: "file")
    let failure = try #require(failure { try PrivateFolder.make(folder.file("file/below")) })
    #expect(failure.code == ENOTDIR)
    #expect(failure.path.hasSuffix("/file"))
  }
}
