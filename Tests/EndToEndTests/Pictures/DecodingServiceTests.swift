import AvatarImage
import Foundation
import PictureFormat
import Testing

/// The program as its own decoding process.
@Suite(.serialized) struct DecodingServiceTests {
  private static let images = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().appendingPathComponent("Fixtures/Images").path

  private func result(_ bytes: [UInt8], in process: DecodingProcess?) -> Result<RasterImage, ImageRefusal> {
    do { return .success(try ImageDecoder.decode(bytes, in: process)) } catch { return .failure(error) }
  }

  @Test func everyPictureIsDecodedAsInOneProcess() throws {
    let process = DecodingProcess(executable: Program.path)
    var pictures = 0
    for name in try FileManager.default.contentsOfDirectory(atPath: Self.images).sorted() {
      let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: Self.images + "/" + name)))
      let apart = result(bytes, in: process)
      #expect(apart == result(bytes, in: nil), "\(name)")
      if case .success = apart { pictures += 1 }
    }
    #expect(pictures > 20)
  }

  @Test func pictureAfterPictureIsDecodedByOneProcess() throws {
    let process = DecodingProcess(executable: Program.path)
    let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: Self.images + "/jpeg-baseline.jpg")))
    let clock = ContinuousClock()
    let first = try clock.measure { _ = try ImageDecoder.decode(bytes, in: process) }
    let child = try #require(children().first)
    let rest = try clock.measure { for _ in 0..<100 { _ = try ImageDecoder.decode(bytes, in: process) } }
    let alone = try clock.measure { for _ in 0..<100 { _ = try ImageDecoder.decode(bytes) } }
    print("first \(first), then \(rest / 100) a picture, in this process \(alone / 100)")
    #expect(children() == [child])
  }

  /// Starts a decoder, which ends when the returned object is released. Also returns its process id.
  private func startedDecoder() throws -> (process: DecodingProcess, child: Int32) {
    let process = DecodingProcess(executable: Program.path)
    let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: Self.images + "/jpeg-baseline.jpg")))
    _ = try ImageDecoder.decode(bytes, in: process)
    return (process, try #require(children().first))
  }

  @Test func theDecoderIsLimited() throws {
    let (process, child) = try startedDecoder()
    defer { withExtendedLifetime(process) {} }
    let limits = try String(contentsOfFile: "/proc/\(child)/limits", encoding: .utf8)
    func limit(_ name: String) -> String? {
      limits.split(separator: "\n").first { $0.hasPrefix(name) }?.dropFirst(name.count).split(separator: " ").first
        .map(String.init)
    }
    #expect(limit("Max address space") == String(1 << 30))
    #expect(limit("Max file size") == "0")
    #expect(limit("Max core file size") == "0")
    #expect(limit("Max cpu time").flatMap { Int($0) } ?? .max < 30)
    // The process has a session of its own, without a terminal.
    let stat = try String(contentsOfFile: "/proc/\(child)/stat", encoding: .utf8)
    let fields = stat[stat.index(after: try #require(stat.lastIndex(of: ")")))...].split(separator: " ")
    #expect(fields[3] == "\(child)" && fields[4] == "0")
  }

  @Test(.enabled(if: geteuid() == 0, "only root can list the open files of a process that is not dumpable"))
  func theDecoderHasOnlyTheStandardFiles() throws {
    let (process, child) = try startedDecoder()
    defer { withExtendedLifetime(process) {} }
    #expect(try Set(FileManager.default.contentsOfDirectory(atPath: "/proc/\(child)/fd")) == ["0", "1", "2"])
  }

  private static func status(of process: String) throws -> String {
    try String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8)
  }

  private static let filtersSystemCalls = (try? status(of: "self").contains("\nSeccomp:")) ?? false

  @Test(.enabled(if: filtersSystemCalls, "this system cannot filter system calls"))
  func theDecoderHasASystemCallFilter() throws {
    let (process, child) = try startedDecoder()
    defer { withExtendedLifetime(process) {} }
    let status = try Self.status(of: String(child))
    #expect(status.contains("\nSeccomp:\t2"))
    #expect(status.contains("\nNoNewPrivs:\t1"))
    // In a container, these tests have a filter too. The kernel counts them since 5.9.
    func filters(_ status: String) -> Int? {
      status.split(separator: "\n").first { $0.hasPrefix("Seccomp_filters:") }?.split(separator: "\t").last
        .flatMap { Int($0) }
    }
    let (own, inherited) = (filters(status), filters(try Self.status(of: "self")))
    #expect(own == inherited.map { $0 + 1 })
  }

  @Test(.enabled(if: filtersSystemCalls, "this system cannot filter system calls"))
  func theFilterRefusesWhatADecoderDoesNotNeed() throws {
    let folder = try Program.Folder()
    try Data("text".utf8).write(to: URL(fileURLWithPath: folder.path + "/file"))
    let tests = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
    let (process, pipe) = (Process(), Pipe())
    process.executableURL = URL(fileURLWithPath: tests).deletingLastPathComponent()
      .appendingPathComponent("ConfinedProbe")
    process.arguments = [folder.path]
    // The process can write to a pipe, but not to a file.
    process.standardOutput = pipe
    try process.run()
    let output = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    let refused = [
      "socket", "create", "write", "truncate", "chmod", "rename", "link", "mkdir", "unlink", "signal", "attributes",
      "owner of a file's signals", "shared memory", "host name",
    ]
    let missing = ["chmod of Linux 6.6", "attributes of Linux 6.13"]
    // Of all system calls, fewer than 80 are allowed.
    let allowed = ["read", "own limits", "own signal", "thread", "passed"]
    #expect(
      output.split(separator: "\n").map(String.init)
        == refused.map { "\($0) \(EPERM)" } + missing.map { "\($0) \(ENOSYS)" } + ["spawn \(EPERM)"]
        + allowed.map { "\($0) 0" } + ["exec \(EPERM)"])
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["file"])
  }

  /// Returns the child processes of this process that decode pictures.
  private func children() -> [Int32] {
    let all = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
    return all.compactMap { Int32($0) }.filter { number in
      guard let stat = try? String(contentsOfFile: "/proc/\(number)/stat", encoding: .utf8),
        let end = stat.lastIndex(of: ")")
      else { return false }
      let fields = stat[stat.index(after: end)...].split(separator: " ")
      guard fields.count > 1, fields[1] == "\(getpid())" else { return false }
      let command = (try? String(contentsOfFile: "/proc/\(number)/cmdline", encoding: .utf8)) ?? ""
      return command.contains(DecodingService.argument)
    }
  }

  /// Makes a book of contacts with photos. Returns it, and how many bytes of the first photo the decoder gets.
  private func book(people: Int = 1) throws -> (program: Program, bytes: Int) {
    let program = try Program()
    let pictures = ["jpeg-baseline.jpg", "png-rgb16.png", "webp-lossy.webp"]
    for number in 0..<people {
      try program.run("add", "--set", "family=A\(number)")
      #expect(try program.run("photo", "set", "\(number + 1)", Self.images + "/" + pictures[number]).status == 0)
    }
    let photo = try program.run("photo", "save", "1", "-").outputBytes
    return (program, try ImageHeader(photo).payload.bytes.count)
  }

  @Test func aCrashOfTheDecoderIsAMessageOfTheCommand() throws {
    var (program, bytes) = try book()
    program.environment["ADDRESSBOOK_DECODER_CRASH"] = String(bytes)
    let result = try program.run("photo", "show", "1")
    #expect(result.status == 3)
    #expect(result.errors.contains("could not be decoded"), "\(result.errors)")
    program.environment["ADDRESSBOOK_DECODER_CRASH"] = "1"
    #expect(try program.run("photo", "show", "1").status == 0)
  }

  /// The screen shows the initial instead of the photo, and goes on to show other photos.
  @Test func aCrashOfTheDecoderDoesNotEndTheScreen() throws {
    let (program, bytes) = try book(people: 3)
    let session = try PictureSession(
      program, environment: ["KITTY_WINDOW_ID": "1", "ADDRESSBOOK_DECODER_CRASH": String(bytes)])
    try session.wait("the list") { $0.count(of: "A1") > 0 }
    session.press("j")
    try session.wait("the second photo") { $0.reader.placeholders.count == 1 }
    session.press("k")
    session.press("j")
    session.press("j")
    try session.wait("the third photo") { $0.reader.placeholders.count == 2 }
    session.press("q")
    #expect(try session.end() == 0)
    #expect(session.reader.sent == 2)
  }
}
