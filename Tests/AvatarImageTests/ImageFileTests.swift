import Glibc
import Testing

@testable import AvatarImage

@Suite struct ImageFileTests {
  private func failure(_ path: String, limit: Int = 1000, followsLinks: Bool = true) -> ImageFileError? {
    do {
      _ = try ImageFile.read(path: path, limit: limit, followsLinks: followsLinks)
      return nil
    } catch {
      return error
    }
  }

  @Test func onlyOrdinaryFilesAreRead() throws {
    try withFolder { (folder) throws in
      write([1, 2, 3], to: folder + "/file")
      mkfifo(folder + "/pipe", 0o600)
      mkdir(folder + "/folder", 0o700)
      symlink("file", folder + "/link")
      symlink("pipe", folder + "/pipe-link")
      symlink("loop", folder + "/loop")
      symlink("/dev/zero", folder + "/zero-link")
      #expect(try ImageFile.read(path: folder + "/file") == [1, 2, 3])
      #expect(try ImageFile.read(path: folder + "/link") == [1, 2, 3])
      #expect(failure(folder + "/link", followsLinks: false) == .symbolicLink)
      #expect(failure(folder + "/pipe") == .notRegular(.pipe))
      #expect(failure(folder + "/pipe-link") == .notRegular(.pipe))
      #expect(failure(folder + "/folder") == .notRegular(.folder))
      #expect(failure(folder + "/zero-link") == .notRegular(.device))
      #expect(failure(folder + "/loop") == .symbolicLink)
      #expect(failure(folder + "/none") == .notFound)
      #expect(failure(folder + "/file/none") == .notFound)
      #expect(failure("") == .notFound)
      #expect(failure("a\0b") == .impossibleName)
      #expect(failure(String(repeating: "x", count: 5000)) == .impossibleName)
      #expect(failure(folder + "/file", limit: 2) == .tooLarge(limit: 2))
      #expect(failure(folder + "/file", limit: 3) == nil)
      // A file in /proc claims to be a regular file, has a size of 0 and grows while it is read.
      #expect(failure("/proc/self/maps", limit: 10) == .tooLarge(limit: 10))
    }
  }

  @Test func oddNamesAreOnlyNames() throws {
    try withFolder { (folder) throws in
      for name in ["-rf.png", ".hidden.png", "esc\u{1B}]0;pwn\u{7}.png", "$(id).png", "~", "a\nb", "李.png"] {
        write([7], to: folder + "/" + name)
        #expect(try ImageFile.read(path: folder + "/" + name) == [7])
      }
      // Not UTF-8.
      let bytes = Array(folder.utf8) + Array("/".utf8) + [0xFF, 0xFE]
      let descriptor = open(bytes.map { CChar(bitPattern: $0) } + [0], O_CREAT | O_WRONLY, 0o600)
      close(descriptor)
      #expect(try ImageFile.read(path: bytes) == [])
    }
  }

  @Test func aStreamStopsAtTheLimit() throws {
    let zero = open("/dev/zero", O_RDONLY)
    defer { close(zero) }
    #expect(throws: ImageFileError.tooLarge(limit: 100_000)) {
      try ImageFile.read(descriptor: zero, limit: 100_000)
    }
  }

  private func withFolder(_ body: (String) throws -> Void) throws {
    var template = Array("/tmp/avatar-tests-XXXXXX".utf8CString)
    let folder = mkdtemp(&template).map { String(cString: $0) }
    let path = try #require(folder)
    defer { remove(path) }
    try body(path)
  }

  /// Removes a folder and its contents, one level deep; follows no links.
  private func remove(_ path: String) {
    guard let stream = opendir(path) else { return }
    while let entry = readdir(stream) {
      var bytes = withUnsafeBytes(of: entry.pointee.d_name) { Array($0.prefix { $0 != 0 }) }
      guard bytes != [0x2E], bytes != [0x2E, 0x2E] else { continue }
      bytes = Array(path.utf8) + [0x2F] + bytes
      let name = bytes.map { CChar(bitPattern: $0) } + [0]
      if unlink(name) != 0 { rmdir(name) }
    }
    closedir(stream)
    rmdir(path)
  }

  private func write(_ bytes: [UInt8], to path: String) {
    let descriptor = open(path, O_CREAT | O_WRONLY, 0o600)
    #expect(Glibc.write(descriptor, bytes, bytes.count) == bytes.count)
    close(descriptor)
  }
}
