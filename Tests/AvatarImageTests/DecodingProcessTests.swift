import Foundation
import PictureFormat
import Testing

@testable import AvatarImage

/// A decoding process, simulated by scripts that do what a broken decoder could do.
@Suite struct DecodingProcessTests {
  private let folder = FileManager.default.temporaryDirectory.appendingPathComponent("decoding-\(UUID().uuidString)")
  private let picture: [UInt8]

  init() throws {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    picture = PNGChunks.file(width: 2, height: 1, rows: [[1, 2, 3, 4, 5, 6]])
  }

  /// Makes a decoder of a script that adds a line to a file each time it is started.
  private func decoder(_ script: String, timeout: Double = 20) throws -> DecodingProcess {
    let path = folder.appendingPathComponent("helper").path
    try "#!/bin/sh\necho >>\(starts)\n\(script)\n".write(toFile: path, atomically: true, encoding: .utf8)
    #expect(chmod(path, 0o700) == 0)
    return DecodingProcess(executable: path, timeout: timeout)
  }

  private var starts: String { folder.appendingPathComponent("starts").path }

  private var startCount: Int {
    (try? String(contentsOfFile: starts, encoding: .utf8))?.utf8.count ?? 0
  }

  private func remove() { try? FileManager.default.removeItem(at: folder) }

  /// Returns the `printf` command for a reply with a status.
  private func answer(_ status: Int) -> String { "printf 'ABP1\\00\(status)\\000\\000\\000'" }

  @Test(arguments: [
    "exit 0", "exit 3", "kill -SEGV $$", "head -c 40 >/dev/null; kill -ABRT $$", "printf 'nonsense'; cat >/dev/null",
    "head -c 40 >/dev/null; printf 'ABP1\\000\\000\\000\\000xx'", "printf 'ABP1\\011\\000\\000\\000'; cat >/dev/null",
  ])
  func aPhotoThatCrashesTheDecoderIsTriedOnce(script: String) throws {
    defer { remove() }
    let decoder = try decoder(script)
    for _ in 0..<3 {
      #expect(throws: ImageRefusal.decoderFailed(.png)) { try ImageDecoder.decode(picture, in: decoder) }
    }
    #expect(startCount == 1)
    let other = PNGChunks.file(width: 1, height: 1, rows: [[7, 8, 9]])
    #expect(throws: ImageRefusal.decoderFailed(.png)) { try ImageDecoder.decode(other, in: decoder) }
    #expect(startCount == 2)
  }

  @Test func aDecoderThatHangsIsKilled() throws {
    defer { remove() }
    let decoder = try decoder("cat >/dev/null", timeout: 0.2)
    #expect(throws: ImageRefusal.decoderFailed(.png)) { try ImageDecoder.decode(picture, in: decoder) }
    #expect(throws: ImageRefusal.decoderFailed(.png)) { try ImageDecoder.decode(picture, in: decoder) }
    #expect(startCount == 1)
  }

  @Test func answersOfTheDecoderAreParsed() throws {
    defer { remove() }
    let size = FrameMessage.requestHeaderSize + (try ImageHeader(picture)).payload.bytes.count
    let decoder = try decoder(
      "head -c \(size) >/dev/null; \(answer(0)); printf 'abcdefgh'\n"
        + "head -c \(size) >/dev/null; \(answer(4))\nhead -c \(size) >/dev/null; \(answer(5))")
    let image = try ImageDecoder.decode(picture, in: decoder)
    #expect(image == RasterImage(width: 2, height: 1, rgba: Array("abcdefgh".utf8)))
    // An error that the decoder reports about an image is not a failure of the process.
    #expect(throws: ImageRefusal.noMemory) { try ImageDecoder.decode(picture, in: decoder) }
    #expect(throws: ImageRefusal.damaged(.png)) { try ImageDecoder.decode(picture, in: decoder) }
    #expect(startCount == 1)
  }

  /// A decoder ends by itself after a long time without requests, or it is killed.
  @Test func aDecoderThatEndedWhileIdleIsReplaced() throws {
    defer { remove() }
    let size = FrameMessage.requestHeaderSize + (try ImageHeader(picture)).payload.bytes.count
    let decoder = try decoder("head -c \(size) >/dev/null; \(answer(0)); printf 'abcdefgh'")
    for _ in 0..<5 { #expect(try ImageDecoder.decode(picture, in: decoder).width == 2) }
    #expect(startCount == 5)
  }

  @Test func aMissingDecoderProgramIsAnError() {
    defer { remove() }
    let decoder = DecodingProcess(executable: "/no/such/program")
    #expect(throws: ImageRefusal.noMemory) { try ImageDecoder.decode(picture, in: decoder) }
  }

  @Test func theProcessEndsWithItsOwner() throws {
    defer { remove() }
    let numbers = folder.appendingPathComponent("number").path
    let size = FrameMessage.requestHeaderSize + (try ImageHeader(picture)).payload.bytes.count
    var decoder: DecodingProcess? = try decoder(
      "echo $$ >\(numbers); head -c \(size) >/dev/null; \(answer(0)); printf 'abcdefgh'; exec cat >/dev/null")
    #expect(try ImageDecoder.decode(picture, in: decoder).width == 2)
    let text = try String(contentsOfFile: numbers, encoding: .utf8)
    let number = try #require(Int32(text.trimmingCharacters(in: .whitespacesAndNewlines)))
    #expect(kill(number, 0) == 0)
    decoder = nil
    // The process was reaped, so no process has its id.
    #expect(kill(number, 0) == -1)
  }

  @Test func requestsSurviveEncodingAndDecoding() throws {
    let request = FrameRequest(
      format: .webp, bytes: [1, 2, 3], width: 70_000, height: 5, targetWidth: 300, targetHeight: 2)
    let bytes = FrameMessage.encode(request)
    let (read, count) = try #require(FrameMessage.decodeRequest(Array(bytes.prefix(FrameMessage.requestHeaderSize))))
    #expect(count == 3 && bytes.count == FrameMessage.requestHeaderSize + 3)
    #expect(read.format == .webp && read.width == 70_000 && read.height == 5)
    #expect(read.targetWidth == 300 && read.targetHeight == 2)
    #expect(FrameMessage.decodeRequest([]) == nil)
    #expect(FrameMessage.decodeRequest(Array(repeating: 0xFF, count: FrameMessage.requestHeaderSize)) == nil)
  }
}
