import Foundation
import SharedMaterial
import Testing

@testable import PictureFormat

/// Format and size by the first bytes alone.
@Suite struct ImageFactsTests {
  @Test func formatAndSizeAreReadFromTheFirstBytes() {
    func expect(_ bytes: [UInt8], _ format: ImageFormat, _ width: Int, _ height: Int) {
      let facts = facts(bytes)
      #expect(facts?.format == format && facts?.width == width && facts?.height == height, "\(format)")
    }
    expect(Self.png(3, 2), .png, 3, 2)
    expect(Self.png(3, 2) + [1, 2, 3], .png, 3, 2)
    expect(Array("GIF89a".utf8) + [4, 1, 5, 0], .gif, 260, 5)
    expect([0xFF, 0xD8, 0xFF, 0xE0, 0, 4, 9, 9, 0xFF, 0xC2, 0, 17, 8, 0, 7, 0, 9, 3, 0, 0], .jpeg, 9, 7)
    let bmp = Array("BM".utf8) + Array(repeating: 0, count: 12) + [40, 0, 0, 0, 6, 0, 0, 0, 0xFB, 0xFF, 0xFF, 0xFF]
    expect(bmp, .bmp, 6, 5)
    expect(Array("RIFF....WEBPVP8X".utf8) + [10, 0, 0, 0, 0, 0, 0, 0, 9, 0, 0, 19, 0, 0], .webp, 10, 20)
    // A canvas without its ten bytes: the size would be read from the next chunk.
    let hollow = Array("RIFF....WEBPVP8X".utf8) + [0, 0, 0, 0] + Array("ANMF".utf8) + [0, 0, 0, 0, 0, 0]
    #expect(facts(hollow) == nil)
    // The size of an image without bytes must not be read from what follows.
    let frame: [UInt8] = [0xB0, 0x07, 0x00, 0x9D, 0x01, 0x2A, 10, 2, 64, 1]
    expect(Array("RIFF....WEBPVP8 ".utf8) + [10, 0, 0, 0] + frame, .webp, 522, 320)
    #expect(facts(Array("RIFF....WEBPVP8 ".utf8) + [0, 0, 0, 0] + frame) == nil)
  }

  @Test func otherFilesAreRefused() {
    #expect(facts([]) == nil)
    #expect(facts(Array("<svg/>".utf8)) == nil)
    #expect(facts(Self.png(0, 5)) == nil)
    // A first chunk without bytes: the size would be read from what follows.
    #expect(facts(Array(Self.png(3, 2).prefix(8)) + [0, 0, 0, 0] + Self.png(3, 2).dropFirst(12)) == nil)
    for count in 0..<24 { #expect(facts(Array(Self.png(3, 2).prefix(count))) == nil) }
  }

  @Test func limitsAreCheckedWithoutOverflow() {
    func refusal(_ picture: [UInt8], _ limits: ImageLimits = .standard) -> ImageRefusal? {
      do {
        _ = try ImageFacts(picture, limits: limits)
        return nil
      } catch {
        return error
      }
    }
    let most = 0x7FFF_FFFF
    #expect(refusal(Self.png(100, 100)) == nil)
    #expect(
      refusal(Self.png(UInt32(most), UInt32(most))) == .sideTooLong(width: most, height: most, limit: 32_768))
    #expect(
      refusal(Self.png(30_000, 30_000)) == .tooManyPixels(width: 30_000, height: 30_000, limit: 41_943_040))
    #expect(refusal(Array("text".utf8)) == .unsupported(.text))
    #expect(refusal(Self.png(1, 1), ImageLimits(bytes: 20)) == .tooManyBytes(limit: 20))
  }

  /// Up to 59 random bytes after a valid beginning never trap.
  @Test func randomBytesAreHandled() {
    let seed: UInt64 = 20_261_121
    print("seed \(seed)")
    var state = seed
    func random() -> UInt8 {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return UInt8(truncatingIfNeeded: state >> 33)
    }
    let beginnings: [[UInt8]] = [
      [0xFF, 0xD8, 0xFF], Array("GIF89a".utf8), Array("RIFF....WEBPVP8 ".utf8), Array("RIFF....WEBPVP8L".utf8),
      Array("BM".utf8), Array(Self.png(1, 1).prefix(16)),
    ]
    for round in 0..<20_000 {
      let rest = (0..<Int(random()) % 60).map { _ in random() }
      _ = facts(beginnings[round % beginnings.count] + rest)
    }
  }

  @Test(.enabled(if: SharedMaterial.images.isNamed, "IMAGE_CORPUS is not set"))
  func everyPictureOfTheCorpusIsMeasured() throws {
    struct Facts: Decodable {
      let file: String
      let expect: String
      let width: Int?
      let height: Int?
    }
    let folder = SharedMaterial.images.url
    let index = try JSONDecoder().decode(
      [Facts].self, from: Data(contentsOf: folder.appendingPathComponent("index.json")))
    for facts in index where facts.expect == "accept" {
      let header = try self.facts(Array(Data(contentsOf: folder.appendingPathComponent(facts.file))))
      #expect(header != nil, "\(facts.file)")
      // The index has the size after the rotation that Exif asks for.
      let sides = header.map { Set([$0.width, $0.height]) }
      if let width = facts.width, let height = facts.height { #expect(sides == Set([width, height]), "\(facts.file)") }
    }
    for facts in index where facts.file.hasPrefix("bomb") && facts.expect == "reject" {
      let picture = try Array(Data(contentsOf: folder.appendingPathComponent(facts.file)))
      #expect(throws: ImageRefusal.self, "\(facts.file)") { try ImageFacts(picture) }
    }
  }

  private func facts(_ bytes: [UInt8]) -> ImageFacts? { try? ImageFacts(bytes) }

  private static func png(_ width: UInt32, _ height: UInt32) -> [UInt8] {
    func big(_ value: UInt32) -> [UInt8] { (0..<4).map { UInt8(truncatingIfNeeded: value >> (24 - 8 * $0)) } }
    return [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A] + big(13) + Array("IHDR".utf8) + big(width) + big(height)
  }
}
