import Foundation
import Testing

@testable import PictureFormat

/// Metadata is removed; the image and its orientation stay.
@Suite struct PictureMetadataTests {
  private static let images = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .appending(path: "Fixtures/Images")

  private func fixture(_ name: String) throws -> [UInt8] {
    try [UInt8](Data(contentsOf: Self.images.appending(path: name)))
  }

  /// Makes an Exif structure with a camera's name, an orientation and a place.
  private func exif(_ orientation: UInt8) -> [UInt8] {
    let entries: [[UInt8]] = [
      [0x0F, 0x01, 2, 0, 4, 0, 0, 0] + Array("Cam\0".utf8), [0x12, 0x01, 3, 0, 1, 0, 0, 0, orientation, 0, 0, 0],
      [0x25, 0x88, 4, 0, 1, 0, 0, 0, 0, 0, 0, 0],
    ]
    return [0x49, 0x49, 42, 0, 8, 0, 0, 0, 3, 0] + entries.joined() + [0, 0, 0, 0] + Array("GPS 47N 8E".utf8)
  }

  private func holds(_ bytes: [UInt8], _ text: String) -> Bool {
    Data(bytes).range(of: Data(text.utf8)) != nil
  }

  // MARK: JPEG

  private func segment(_ marker: UInt8, _ data: [UInt8]) -> [UInt8] {
    [0xFF, marker, UInt8((data.count + 2) >> 8), UInt8((data.count + 2) & 255)] + data
  }

  private let jfif: [UInt8] = Array("JFIF\0".utf8) + [1, 1, 0, 0, 1, 0, 1, 0, 0]

  @Test func aJPEGKeepsItsPictureProfileAndOrientation() {
    let scan: [UInt8] = [0xFF, 0xDA, 0, 3, 7, 0xFF, 0, 0xFF, 0xD0, 9]
    let kept = [
      segment(0xE2, Array("ICC_PROFILE\0\u{1}\u{1}profile".utf8)), segment(0xEE, Array("Adobe\0d\0\0\0\0\u{1}".utf8)),
      segment(0xDB, [1, 2, 3]), segment(0xC0, [8, 0, 2, 0, 3, 1, 1, 0x11, 0]), scan,
    ]
    let file =
      [0xFF, 0xD8] + segment(0xE0, jfif) + segment(0xE1, Array("Exif\0\0".utf8) + exif(6))
      + segment(0xE1, Array("http://ns.adobe.com/xap/1.0/\0<xmp>".utf8)) + segment(0xED, Array("Photoshop".utf8))
      + segment(0xE2, Array("MPF\0".utf8)) + kept[0] + kept[1] + segment(0xFE, Array("comment".utf8)) + kept[2]
      + kept[3] + segment(0xE5, [1]) + kept[4] + segment(0xFE, [2]) + kept[4] + [0xFF, 0xD9] + Array("film".utf8)
    let orientation = segment(0xE1, Array("Exif\0\0".utf8) + PictureMetadata.exif(.right))
    let expected =
      [0xFF, 0xD8] + segment(0xE0, jfif) + orientation + kept.joined() + kept[4] + [0xFF, 0xD9]
    #expect(PictureMetadata.stripped(file, format: .jpeg) == expected)
    #expect(PictureMetadata.stripped(expected, format: .jpeg) == expected)
  }

  @Test func aThumbnailGoesWithItsSegment() {
    var header = jfif
    header[12] = 1
    header[13] = 1
    let rest = segment(0xDB, [1]) + [0xFF, 0xD9]
    let file =
      [0xFF, 0xD8] + segment(0xE0, header + [9, 9, 9]) + segment(0xE1, Array("Exif\0\0".utf8) + exif(3)) + rest
    let expected =
      [0xFF, 0xD8] + segment(0xE0, jfif) + segment(0xE1, Array("Exif\0\0".utf8) + PictureMetadata.exif(.half)) + rest
    #expect(PictureMetadata.stripped(file, format: .jpeg) == expected)
    let extended = [0xFF, 0xD8] + segment(0xE0, jfif) + segment(0xE0, Array("JFXX\0".utf8) + [0x10, 1, 2]) + rest
    #expect(PictureMetadata.stripped(extended, format: .jpeg) == [0xFF, 0xD8] + segment(0xE0, jfif) + rest)
  }

  /// Found by fuzzing: a byte before the next marker moved into the first three bytes, by which a JPEG is recognized.
  @Test func dataAfterASegmentIsRemovedWithIt() {
    let rest = segment(0xDB, [1]) + [0xFF, 0xD9]
    let file = [0xFF, 0xD8] + segment(0xEE, []) + [1, 2] + rest
    #expect(PictureMetadata.stripped(file, format: .jpeg) == [0xFF, 0xD8] + rest)
    // A byte between the first two segments, where the orientation is inserted.
    let turned = [0xFF, 0xD8] + segment(0xE0, jfif) + [0] + segment(0xE1, Array("Exif\0\0".utf8) + exif(3)) + rest
    let once = PictureMetadata.stripped(turned, format: .jpeg)
    #expect(
      once == [0xFF, 0xD8] + segment(0xE0, jfif) + segment(0xE1, Array("Exif\0\0".utf8) + PictureMetadata.exif(.half))
        + rest)
    #expect(PictureMetadata.stripped(once, format: .jpeg) == once)
  }

  // MARK: PNG

  private func chunk(_ name: String, _ data: [UInt8]) -> [UInt8] {
    [0, 0, 0, UInt8(data.count)] + Array(name.utf8) + data + [1, 2, 3, 4]
  }

  @Test func aPNGKeepsDisplayChunks() throws {
    let head = PNGHeader.signature + chunk("IHDR", [0, 0, 0, 1, 0, 0, 0, 1, 8, 2, 0, 0, 0])
    let kept = chunk("gAMA", [1]) + chunk("iCCP", [2]) + chunk("tRNS", [3]) + chunk("IDAT", [4])
    let file =
      head + chunk("tEXt", Array("Author\0me".utf8)) + chunk("gAMA", [1]) + chunk("tIME", [0]) + chunk("iCCP", [2])
      + chunk("iTXt", Array("XML:com.adobe.xmp".utf8)) + chunk("prVW", [5]) + chunk("tRNS", [3]) + chunk("IDAT", [4])
      + chunk("zTXt", [6]) + chunk("IEND", []) + Array("more".utf8)
    #expect(PictureMetadata.stripped(file, format: .png) == head + kept + chunk("IEND", []))
    let turned = PictureMetadata.stripped(head + kept + chunk("eXIf", exif(8)) + chunk("IEND", []), format: .png)
    #expect(!holds(turned, "GPS") && !holds(turned, "Cam"))
    #expect(try ImageHeader(turned).orientation == .left)
    #expect(PictureMetadata.stripped(turned, format: .png) == turned)
  }

  // MARK: GIF

  @Test func aGIFKeepsItsFramesAndRepetitions() {
    let head = Array("GIF89a".utf8) + [1, 0, 1, 0, 0x80, 0, 0] + [1, 2, 3, 4, 5, 6]
    func application(_ name: String) -> [UInt8] { [0x21, 0xFF, 11] + Array(name.utf8) + [3, 1, 0, 0, 0] }
    let frame: [UInt8] = [0x2C, 0, 0, 0, 0, 1, 0, 1, 0, 0, 2, 2, 0x4C, 1, 0]
    let comment: [UInt8] = [0x21, 0xFE, 4] + Array("here".utf8) + [0]
    let control: [UInt8] = [0x21, 0xF9, 4, 0, 0, 0, 0, 0]
    let file =
      head + application("NETSCAPE2.0") + comment + application("XMP DataXMP") + control + frame + comment + frame
      + [0x3B] + Array("more".utf8)
    let expected = head + application("NETSCAPE2.0") + control + frame + frame + [0x3B]
    #expect(PictureMetadata.stripped(file, format: .gif) == expected)
  }

  // MARK: WebP

  @Test func aWebPKeepsItsPictureAndOrientation() throws {
    func chunk(_ name: String, _ data: [UInt8]) -> [UInt8] {
      Array(name.utf8) + [UInt8(data.count), 0, 0, 0] + data + [UInt8](repeating: 0, count: data.count % 2)
    }
    func file(_ chunks: [UInt8]) -> [UInt8] {
      Array("RIFF".utf8) + [UInt8(chunks.count + 4), 0, 0, 0] + Array("WEBP".utf8) + chunks
    }
    let picture = chunk("VP8L", [0x2F, 0, 0, 0, 0])
    func canvas(_ flags: UInt8) -> [UInt8] { chunk("VP8X", [flags, 0, 0, 0, 0, 0, 0, 0, 0, 0]) }
    let all =
      canvas(0x2C) + chunk("ICCP", [1]) + picture + chunk("EXIF", exif(6)) + chunk("XMP ", Array("<xmp>".utf8))
      + chunk("note", [1])
    let stripped = PictureMetadata.stripped(file(all) + [1, 2], format: .webp)
    let orientation = chunk("EXIF", PictureMetadata.exif(.right))
    #expect(stripped == file(canvas(0x28) + chunk("ICCP", [1]) + picture + orientation))
    #expect(try ImageHeader(stripped).orientation == .right)
    #expect(PictureMetadata.stripped(stripped, format: .webp) == stripped)
    // A byte after the last chunk, which the size counts.
    var odd = file(all) + [0]
    odd[4] += 1
    #expect(PictureMetadata.stripped(odd, format: .webp) == stripped)
    let upright = PictureMetadata.stripped(file(canvas(0x0C) + picture + chunk("EXIF", exif(1))), format: .webp)
    #expect(upright == file(canvas(0) + picture))
  }

  // MARK: Real pictures

  /// Returns a JPEG without its application segments, its comments and the data after its end.
  private func jpegPicture(_ bytes: [UInt8]) -> [UInt8] {
    var (picture, offset) = ([UInt8](), 2)
    while offset + 4 <= bytes.count, bytes[offset] == 0xFF, bytes[offset + 1] != 0xD9 {
      let start = offset
      let marker = bytes[offset + 1]
      offset += 2 + Int(bytes[offset + 2]) << 8 + Int(bytes[offset + 3])
      // The data of a scan ends at the next marker; a zero or a restart is a part of the data.
      while marker == 0xDA, offset + 1 < bytes.count,
        bytes[offset] != 0xFF || bytes[offset + 1] == 0 || (0xD0...0xD7).contains(bytes[offset + 1])
      { offset += 1 }
      if !(0xE0...0xEF).contains(marker), marker != 0xFE { picture += bytes[start..<min(offset, bytes.count)] }
    }
    return picture
  }

  /// Removing metadata again changes nothing, images stay valid, and the camera's name is gone.
  @Test func everyPictureKeepsItsPixels() throws {
    let names = try FileManager.default.contentsOfDirectory(atPath: Self.images.path).sorted()
    var count = 0
    for name in names {
      let bytes = try fixture(name)
      guard let format = try? ImageFacts(bytes).format else { continue }
      let stripped = PictureMetadata.stripped(bytes, format: format)
      #expect(PictureMetadata.stripped(stripped, format: format) == stripped, "\(name)")
      #expect(try ImageFacts(stripped) == ImageFacts(bytes), "\(name)")
      #expect(!holds(stripped, "TestCam") && stripped.count <= bytes.count + 40, "\(name)")
      let (before, after) = (try? ImageHeader(bytes), try? ImageHeader(stripped))
      #expect(before?.orientation == after?.orientation && before?.width == after?.width, "\(name)")
      if format == .jpeg {
        #expect(jpegPicture(stripped) == jpegPicture(bytes), "\(name)")
      } else {
        #expect(before?.payload == after?.payload, "\(name)")
      }
      count += 1
    }
    #expect(count > 30)
    #expect(holds(try fixture("jpeg-exif-orientation-6.jpg"), "TestCam"))
  }

  /// Files that are truncated anywhere or have changed bytes give a result and never trap, and grow at most by an
  /// orientation.
  @Test func damagedFilesGiveAResult() throws {
    let seed: UInt64 = 20_261_122
    print("seed \(seed)")
    var state = seed
    func random(_ bound: Int) -> Int {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int(state >> 33) % bound
    }
    for name in [
      "jpeg-exif-orientation-6.jpg", "jpeg-progressive.jpg", "png-exif-6.png", "gif-animated.gif", "webp-exif-6.webp",
      "webp-animated.webp", "bmp-8.bmp",
    ] {
      let original = try fixture(name)
      let format = try ImageFacts(original).format
      for _ in 0..<300 {
        var bytes = original
        for _ in 0...random(3) { bytes[random(bytes.count)] = UInt8(random(256)) }
        if random(2) == 0 { bytes.removeLast(random(bytes.count)) }
        let stripped = PictureMetadata.stripped(bytes, format: format)
        #expect(stripped.count <= bytes.count + 40)
        #expect(PictureMetadata.stripped(stripped, format: format).count <= stripped.count + 40)
      }
    }
  }
}
