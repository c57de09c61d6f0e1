import Testing

@testable import AvatarImage
@testable import PictureFormat

@Suite struct ImageHeaderTests {
  private func refusal(_ bytes: [UInt8], limits: ImageLimits = .standard) -> ImageRefusal? {
    do {
      _ = try ImageHeader(bytes, limits: limits)
      return nil
    } catch {
      return error
    }
  }

  @Test func bombsAreRefusedByTheHeader() {
    let limit = ImageLimits.standard
    let png = limit.decodedBytes / 4
    #expect(
      refusal(PNGChunks.file(width: 30_000, height: 30_000))
        == .tooManyPixels(width: 30_000, height: 30_000, limit: png))
    let most = Int(Int32.max)
    #expect(
      refusal(PNGChunks.file(width: UInt32(most), height: UInt32(most)))
        == .sideTooLong(width: most, height: most, limit: limit.side))
    #expect(refusal(PNGChunks.file(width: 0, height: 0)) == .noPixels(.png))
    #expect(
      refusal(RawFiles.jpeg(width: 65_500, height: 65_500))
        == .sideTooLong(width: 65_500, height: 65_500, limit: limit.side))
    #expect(
      refusal(RawFiles.jpeg(width: 30_000, height: 30_000))
        == .tooManyPixels(width: 30_000, height: 30_000, limit: limit.pixels))
    #expect(
      refusal(RawFiles.gif(screen: (65_535, 65_535), frame: (1, 1)))
        == .sideTooLong(width: 65_535, height: 65_535, limit: limit.side))
    #expect(
      refusal(RawFiles.gif(screen: (1, 1), frame: (20_000, 20_000)))
        == .tooManyPixels(width: 20_000, height: 20_000, limit: limit.decodedBytes / 8))
    #expect(
      refusal(RawFiles.bmp(width: 100_000, height: 100_000))
        == .sideTooLong(width: 100_000, height: 100_000, limit: limit.side))
    #expect(
      refusal(RawFiles.bmp(width: 20_000, height: -20_000))
        == .tooManyPixels(width: 20_000, height: 20_000, limit: png))
    #expect(
      refusal(RawFiles.webp(width: 16_384, height: 16_384))
        == .tooManyPixels(width: 16_384, height: 16_384, limit: limit.decodedBytes / 10))
    ResourceUse.print(after: "the bombs")
  }

  @Test func progressiveScansAreBounded() {
    // Coefficients of three full planes are six bytes a pixel.
    let large = RawFiles.jpeg(width: 8000, height: 8000, frameMarker: 0xC2)
    guard case .tooManyPixels = refusal(large) else {
      Issue.record("a progressive JPEG of 64 megapixels was accepted")
      return
    }
    #expect(refusal(RawFiles.jpeg(width: 8000, height: 8000)) == nil)
    #expect(refusal(RawFiles.jpeg(width: 100, height: 100, frameMarker: 0xC2, scans: 900)) == nil)
    #expect(
      refusal(RawFiles.jpeg(width: 100, height: 100, frameMarker: 0xC2, scans: 1200))
        == .tooManyScans(count: 1200, limit: 1000))
    #expect(
      refusal(RawFiles.jpeg(width: 5000, height: 5000, frameMarker: 0xC2, scans: 40))
        == .tooManyScans(count: 40, limit: 20))
  }

  @Test func textChunksNeverReachTheDecoder() throws {
    let bomb = PNGChunks.file(
      width: 1, height: 1, rows: [[1, 2, 3]],
      before: [
        ("zTXt", [65, 0, 0] + [UInt8](repeating: 0x78, count: 5000)), ("iCCP", [65, 0, 0, 1]), ("tEXt", [65, 0]),
      ])
    let header = try ImageHeader(bomb)
    #expect(PNGChunks.names(header.payload.bytes) == ["IHDR", "IDAT", "IEND"])
    #expect(try ImageDecoder.decode(bomb)[column: 0, row: 0] == RasterImage.Pixel(red: 1, green: 2, blue: 3))
  }

  @Test func otherFormatsAreNamed() {
    let files: [(bytes: [UInt8], format: ForeignFormat)] = [
      (Array("<svg xmlns='x'/>".utf8), .svg), (Array("<?xml version='1.0'?>\n<!-- a -->\n<svg/>".utf8), .svg),
      (Array("\u{FEFF} <!DOCTYPE html><p>".utf8), .html), (Array("<?xml version='1.0'?><a/>".utf8), .xml),
      (Array("BEGIN:VCARD\r\nVERSION:3.0".utf8), .vCard), (Array("BMW, he said".utf8), .text),
      ([0, 0, 0, 24] + Array("ftypheic".utf8), .heic), ([0, 0, 0, 24] + Array("ftypavif".utf8), .avif),
      ([0, 0, 0, 24] + Array("ftypisom".utf8), .video), ([0x49, 0x49, 0x2A, 0], .tiff), ([0x1F, 0x8B, 8], .gzip),
      ([0x7F, 0x45, 0x4C, 0x46, 2], .elf), (Array("%PDF-1.7".utf8), .pdf), ([0x50, 0x4B, 3, 4], .zip),
      (Array("RIFF".utf8) + [1, 0, 0, 0] + Array("AVI ".utf8), .video), ([0, 0, 1, 0, 1, 0], .icon),
    ]
    for file in files { #expect(refusal(file.bytes) == .unsupported(file.format)) }
    #expect(refusal([]) == .empty)
    #expect(refusal([0xFF]) == .unrecognized)
    #expect(refusal([UInt8](repeating: 0, count: 100)) == .unrecognized)
    #expect(refusal(RawFiles.jpeg(width: 8, height: 8, frameMarker: 0xC3)) == .unsupportedVariant(.jpeg))
    #expect(refusal(RawFiles.bmp(width: 8, height: 8, compression: 5)) == .unsupportedVariant(.bmp))
  }

  @Test func filesThatEndTooEarlyOrAreTooLargeAreRefused() {
    #expect(refusal(Array(RawFiles.jpeg(width: 8, height: 8).prefix(30))) == .truncated(.jpeg))
    #expect(refusal(RawFiles.bmp(width: 8, height: 8)) == .truncated(.bmp))
    #expect(refusal(PNGHeader.signature) == .truncated(.png))
    #expect(refusal(Array("GIF89a".utf8)) == .truncated(.gif))
    #expect(refusal(PNGChunks.file(width: 1, height: 1), limits: ImageLimits(bytes: 20)) == .tooManyBytes(limit: 20))
  }

  /// No prefix of a valid file makes the parser trap.
  @Test func everyPrefixGivesAResult() throws {
    let folder = try ImageFolder.fixtures()
    for name in ["jpeg-baseline.jpg", "png-rgb16.png", "gif-animated.gif", "webp-animated.webp", "webp-alpha.webp"] {
      let bytes = try folder.bytes(name)
      for length in 0..<bytes.count { _ = try? ImageHeader(Array(bytes[..<length])) }
    }
  }

  @Test func orientationIsReadInBothByteOrders() {
    let little: [UInt8] = [0x49, 0x49, 42, 0, 8, 0, 0, 0, 1, 0, 0x12, 1, 3, 0, 1, 0, 0, 0, 6, 0, 0, 0]
    let big: [UInt8] = [0x4D, 0x4D, 0, 42, 0, 0, 0, 8, 0, 1, 1, 0x12, 0, 3, 0, 0, 0, 1, 0, 6, 0, 0]
    for bytes in [little, big] {
      #expect(ImageOrientation(exif: bytes, from: 0, to: bytes.count) == .right)
      for end in 0..<18 { #expect(ImageOrientation(exif: bytes, from: 0, to: end) == .upright) }
    }
    var bad = little
    bad[18] = 9
    #expect(ImageOrientation(exif: bad, from: 0, to: bad.count) == .upright)
  }
}
