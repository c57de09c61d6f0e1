import Foundation
import Glibc
import Testing

@testable import SystemCalls

/// A file with a random name in a folder of its own, which is removed after the test.
private final class TemporaryFile {
  let folder: String
  var path: String { folder + "/file" }

  init(_ bytes: [UInt8]) throws {
    var template = Array((NSTemporaryDirectory() + "/system-calls-XXXXXX").utf8CString)
    folder = template.withUnsafeMutableBufferPointer { String(cString: mkdtemp($0.baseAddress!)) }
    try Data(bytes).write(to: URL(fileURLWithPath: path))
  }

  deinit { try? FileManager.default.removeItem(atPath: folder) }
}

struct FilesTests {
  @Test func bytesAreReadFromAPosition() throws {
    let temporary = try TemporaryFile([1, 2, 3, 4])
    let file = try #require(ReadableFile(temporary.path))
    #expect(file.bytes(2, at: 1) == [2, 3])
    #expect(file.bytes(2, at: 3) == nil && file.bytes(upTo: 2, at: 3) == [4] && errno == 0)
    #expect(file.bytes(upTo: 9) == [1, 2, 3, 4] && file.bytes(upTo: 9, at: 7) == [])
    #expect(ReadableFile(temporary.folder)?.bytes(upTo: 1) == [] && errno == EISDIR)
    #expect(ReadableFile(temporary.path + "/x") == nil && errno == ENOTDIR)
  }

  @Test func aFileIsReadToItsEndUpToALimit() throws {
    let temporary = try TemporaryFile([1, 2, 3, 4])
    let (path, folder) = (temporary.path, temporary.folder)
    #expect(try FileBytes.all(of: path) == [1, 2, 3, 4] && FileBytes.all(of: path, atMost: 4)?.count == 4)
    #expect(throws: FileFailure(path, EFBIG)) { try FileBytes.all(of: path, atMost: 3) }
    #expect(throws: FileFailure(folder, EINVAL, isNotAFile: true)) { try FileBytes.all(of: folder) }
    #expect(try FileBytes.read(folder) == nil && FileBytes.read(folder + "/missing") == nil)
    #expect(mkfifo(folder + "/pipe", 0o600) == 0)
    #expect(try FileBytes.read(folder + "/pipe") == nil)
    #expect(try FileBytes.all(of: "/proc/self/status")?.isEmpty == false, "its size is 0")
    #expect(FileBytes.count(of: path) == 4 && FileBytes.count(of: folder + "/missing") == 0)
  }

  @Test func theNamesInAFolderAreWithoutItselfAndItsParent() throws {
    let temporary = try TemporaryFile([])
    #expect(Folder.names(in: temporary.folder) == ["file"])
    #expect(Folder.names(in: temporary.path) == [])
    #expect(throws: FileFailure(temporary.path, ENOTDIR)) { try Folder.forEachName(in: temporary.path) { _ in true } }
  }

  @Test func aWatchTellsWhatHappenedSinceTheLastTime() throws {
    let temporary = try TemporaryFile([1])
    let watch = try #require(FileWatch())
    #expect(watch.add(temporary.path, IN_MODIFY, IN_ATTRIB) && watch.add(temporary.folder, IN_CREATE))
    #expect(!watch.add(temporary.folder + "/missing", IN_CREATE))
    #expect(watch.next() == [])
    #expect(chmod(temporary.path, 0o600) == 0 && mkfifo(temporary.folder + "/pipe", 0o600) == 0)
    let expected = [
      FileWatch.Event(mask: UInt32(IN_ATTRIB), name: ""), FileWatch.Event(mask: UInt32(IN_CREATE), name: "pipe"),
    ]
    #expect(watch.next() == expected)
    #expect(watch.next() == [])
  }

  @Test func aHeldFileIsKnownUnderEachOfItsNames() throws {
    let temporary = try TemporaryFile([1])
    let (path, other) = (temporary.path, temporary.folder + "/other")
    #expect(link(path, other) == 0)
    try Data([2]).write(to: URL(fileURLWithPath: path + "-wal"))
    var known: [String] = []
    func whileClosed(_ path: String) -> Int? { HeldFiles.ifClosed(path, orElse: { known.append($0) }) { 7 } }
    #expect(whileClosed(path) == 7 && known == [])
    let identity = try #require(HeldFiles.add(path))
    _ = HeldFiles.add(other)
    #expect(HeldFiles.contain(path) && HeldFiles.contain(other) && HeldFiles.contain(path + "-wal"))
    #expect(!HeldFiles.contain(temporary.folder) && !HeldFiles.contain(temporary.folder + "/missing"))
    #expect(whileClosed(other) == nil && known == [RealPath.target(of: path)])
    #expect(throws: FileFailure(path, EBUSY, isOpenDatabase: true)) { try FileReplacement(path: path) }
    HeldFiles.remove(identity)
    #expect(HeldFiles.contain(path))
    HeldFiles.remove(identity)
    #expect(!HeldFiles.contain(path))
  }

  /// Nanoseconds since 1970 in 64 bits end in 2262.
  @Test(arguments: [10_000_000_000, -10_000_000_000]) func aFileMayHaveAnyTime(seconds: Int) throws {
    let temporary = try TemporaryFile([1])
    let before = try #require(FileStamp(of: temporary.path))
    let times = [timespec](repeating: timespec(tv_sec: seconds, tv_nsec: 5), count: 2)
    #expect(utimensat(AT_FDCWD, temporary.path, times, 0) == 0)
    let status = try #require(stat(of: temporary.path))
    // A file system may keep the nearest time that it can express.
    #expect(status.modified == FileTime(seconds: status.st_mtim.tv_sec, nanoseconds: status.st_mtim.tv_nsec))
    #expect((status.modified < FileTime()) == (seconds < 0))
    #expect(FileStamp(status) != before && FileStamp(status) == FileStamp(of: temporary.path))
  }

  @Test func workRunsOnAnotherThread() async {
    await withCheckedContinuation { done in
      #expect(SystemThread.start { done.resume() })
    }
    #expect(SystemThread.isAvailable)
  }

  /// The standard descriptors are open, so not all of the first 64 descriptors are free.
  @Test func freeDescriptorsAreCountedWithoutOpeningFiles() {
    #expect(SystemLimits.hasFreeDescriptors(0) && !SystemLimits.hasFreeDescriptors(64))
    #expect(SystemLimits.canOpen(1) && SystemLimits.hasAddresses(1 << 20))
  }
}
