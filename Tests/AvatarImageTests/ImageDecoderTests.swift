import Testing

@testable import AvatarImage
@testable import PictureFormat

@Suite struct ImageDecoderTests {
  @Test func largePicturesAreMadeSmaller() throws {
    let limits = ImageLimits(workingPixels: 96)
    let folder = try ImageFolder.fixtures()
    for name in ["jpeg-baseline.jpg", "jpeg-progressive.jpg", "png-rgb16.png", "webp-animated.webp"] {
      let image = try ImageDecoder.decode(folder.bytes(name), limits: limits)
      #expect((image.width, image.height) == (12, 8))
      let pixel = image[column: 2, row: 1]
      #expect(abs(Int(pixel.red) - 220) <= 24 && abs(Int(pixel.green) - 20) <= 24)
    }
    let strip = try ImageDecoder.decode(folder.bytes("png-4000x1.png"), limits: limits)
    #expect(strip.height == 1 && strip.width > 0)
  }

  /// Some cameras and programs omit the end marker; a truncated image is different.
  @Test(arguments: ["jpeg-baseline.jpg", "jpeg-progressive.jpg", "jpeg-gray.jpg", "jpeg-cmyk.jpg"])
  func aJPEGThatLacksOnlyItsEndMarkerIsWhole(name: String) throws {
    let bytes = try ImageFolder.fixtures().bytes(name)
    let end = try #require(bytes.lastIndex(of: 0xD9))
    #expect(bytes[end - 1] == 0xFF)
    let whole = try ImageDecoder.decode(bytes)
    #expect(try ImageDecoder.decode(Array(bytes[..<end])) == whole)
    #expect(try ImageDecoder.decode(Array(bytes[..<(end - 1)])) == whole)
    #expect(try ImageDecoder.decode(Array(bytes[..<(end - 1)]) + [0xFF, 0xFF]) == whole)
    for missing in [12, 40, bytes.count / 3] {
      let rest = Array(bytes[..<(end - missing)])
      if name == "jpeg-progressive.jpg" {
        // Its last scans add nothing to areas of one color, and may be missing.
        if let image = try? ImageDecoder.decode(rest) { #expect(image == whole, "\(missing)") }
      } else {
        #expect(throws: ImageRefusal.truncated(.jpeg), "\(missing)") { try ImageDecoder.decode(rest) }
      }
    }
  }

  @Test func workingSizeKeepsShapeAndBound() {
    #expect(ImageDecoder.workingSize(width: 4000, height: 3000, 2_000_000) == (1632, 1224))
    #expect(ImageDecoder.workingSize(width: 32_768, height: 1, 100) == (1810, 1))
    #expect(ImageDecoder.workingSize(width: 10, height: 10, 100) == (10, 10))
  }

  /// Pixels that the data do not cover are black or transparent, never the contents of memory.
  @Test func missingPixelsAreEmpty() throws {
    let rows = (0..<4).map { _ in [UInt8](repeating: 9, count: 300) }
    let png = try ImageDecoder.decode(PNGChunks.file(width: 100, height: 80, rows: rows))
    #expect(png[column: 0, row: 3] == RasterImage.Pixel(red: 9, green: 9, blue: 9))
    #expect(png.rgba[(4 * 100 * 4)...].allSatisfy { $0 == 0 || $0 == 255 })
    // One pixel, then the end.
    let gif = try ImageDecoder.decode(RawFiles.gif(screen: (100, 80), frame: (100, 80)))
    #expect(gif.rgba.allSatisfy { $0 == 0 || $0 == 255 })
    // Run lengths: one pixel, then the end of the bitmap.
    let runs = [UInt8](repeating: 7, count: 1024) + [1, 0, 0, 1]
    let bmp = try ImageDecoder.decode(RawFiles.bmp(width: 100, height: 80, depth: 8, compression: 1, pixels: runs))
    #expect(bmp.rgba.allSatisfy { [0, 7, 255].contains($0) })
  }

  @Test func rowsFromTheTopAreReadFromTheTop() throws {
    // Two rows, each of one pixel (blue, green, red) and a filler byte. A negative height puts the first row on top.
    let pixels: [UInt8] = [0, 0, 255, 0, 255, 0, 0, 0]
    let down = try ImageDecoder.decode(RawFiles.bmp(width: 1, height: -2, pixels: pixels))
    let up = try ImageDecoder.decode(RawFiles.bmp(width: 1, height: 2, pixels: pixels))
    #expect(down[column: 0, row: 0].red == 255 && down[column: 0, row: 1].blue == 255)
    #expect(up[column: 0, row: 0].blue == 255 && up[column: 0, row: 1].red == 255)
  }

  @Test func clearPixelsDoNotBleedTheirColor() {
    var image = RasterImage(width: 2, height: 1)
    image[column: 0, row: 0] = RasterImage.Pixel(red: 200, green: 100, blue: 50)
    image[column: 1, row: 0] = RasterImage.Pixel(red: 0, green: 255, blue: 0, alpha: 0)
    let mean = image.scaled(toWidth: 1, height: 1)[column: 0, row: 0]
    #expect(mean == RasterImage.Pixel(red: 200, green: 100, blue: 50, alpha: 128))
  }

  @Test func scalingAgreesWithTheMean() {
    let image = RasterImage.noise(width: 30, height: 21, seed: 5)
    for (width, height) in [(1, 1), (7, 3), (30, 21), (45, 40), (13, 20)] {
      let scaled = image.scaled(toWidth: width, height: height)
      for row in 0..<height {
        for column in 0..<width {
          let expected = mean(image, column, row, width, height)
          #expect(abs(Double(scaled[column: column, row: row].green) - expected) < 0.51)
        }
      }
    }
    #expect(image.scaled(toWidth: 30, height: 21) == image)
  }

  /// Returns the mean of green over the area that a scaled pixel covers, in floating point.
  private func mean(_ image: RasterImage, _ column: Int, _ row: Int, _ width: Int, _ height: Int) -> Double {
    let across = Double(image.width) / Double(width)
    let down = Double(image.height) / Double(height)
    var sum = 0.0
    for y in 0..<image.height {
      let high = max(0, min(Double(y + 1), Double(row + 1) * down) - max(Double(y), Double(row) * down))
      for x in 0..<image.width where high > 0 {
        let wide = max(0, min(Double(x + 1), Double(column + 1) * across) - max(Double(x), Double(column) * across))
        sum += high * wide * Double(image[column: x, row: y].green)
      }
    }
    return sum / (across * down)
  }

  @Test func orientationsAreInversesOfOneAnother() {
    let image = RasterImage.noise(width: 5, height: 3, seed: 1)
    let inverse: [ImageOrientation: ImageOrientation] = [.right: .left, .left: .right]
    for orientation in ImageOrientation.allCases {
      let turned = image.turned(orientation)
      #expect((turned.width == 3) == orientation.swapsSides)
      #expect(turned.turned(inverse[orientation] ?? orientation) == image)
    }
    // "right" is a quarter clockwise: the first row becomes the last column.
    #expect(image.turned(.right)[column: 2, row: 0] == image[column: 0, row: 0])
  }
}
