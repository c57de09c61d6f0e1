import Testing

@testable import AvatarImage

struct SixelPictureTests {
  private func drawn(
    _ width: Int, _ height: Int, in columns: Int, _ rows: Int, cell: (Int, Int) = (10, 20),
    _ pixel: RasterImage.Pixel = RasterImage.Pixel(red: 200, green: 90, blue: 10)
  ) -> SixelPicture? {
    SixelPicture(
      RasterImage(width: width, height: height, filledWith: pixel), columns: columns, rows: rows, cellWidth: cell.0,
      cellHeight: cell.1)
  }

  /// Returns the size that the raster attributes give.
  private func size(_ picture: SixelPicture) throws -> [Int] {
    let text = String(decoding: picture.sixels, as: UTF8.self)
    let match = try #require(text.wholeMatch(of: /\u{1B}P0;1;0q"1;1;([0-9]+);([0-9]+)[?-~#!$0-9;-]*\u{1B}\\/))
    return try [#require(Int(match.output.1)), #require(Int(match.output.2))]
  }

  @Test(arguments: [
    (256, 256, 16, 8, 16, 8, [156, 156]), (96, 64, 16, 8, 16, 5, [144, 96]), (4, 4, 6, 3, 6, 3, [60, 60]),
    (400, 100, 40, 40, 40, 5, [384, 96]), (1, 4000, 10, 10, 1, 10, [1, 198]), (256, 256, 300, 200, 64, 32, [636, 636]),
  ])
  func itFillsItsCellsAndKeepsItsShape(
    width: Int, height: Int, inColumns: Int, inRows: Int, columns: Int, rows: Int, pixels: [Int]
  ) throws {
    let picture = try #require(drawn(width, height, in: inColumns, inRows))
    #expect((picture.columns, picture.rows) == (columns, rows))
    #expect(try size(picture) == pixels)
  }

  @Test func itNeverReachesBeyondItsCells() throws {
    for cell in [(6, 13), (7, 15), (8, 16), (9, 19), (11, 23), (14, 29)] {
      for rows in 1...9 {
        for (width, height) in [(256, 256), (300, 200), (200, 301), (997, 13), (13, 997)] {
          guard let picture = drawn(width, height, in: 2 * rows, rows, cell: cell) else { continue }
          let size = try size(picture)
          #expect(size[0] <= picture.columns * cell.0 && size[1] <= picture.rows * cell.1 && size[1] % 6 == 0)
        }
      }
    }
  }

  @Test func aPictureNeedsRoomForSixRowsOfPixels() {
    #expect(drawn(10, 10, in: 1, 1, cell: (4, 8)) == nil)
    #expect(drawn(4000, 1, in: 10, 10) == nil)
  }

  @Test func transparentPixelsAreLeftOut() throws {
    let clear = RasterImage.Pixel(red: 1, green: 2, blue: 3, alpha: 0)
    var image = RasterImage(width: 12, height: 12, filledWith: clear)
    for row in 0..<12 {
      for column in 0..<6 { image[column: column, row: row] = RasterImage.Pixel(red: 255, green: 0, blue: 0) }
    }
    let picture = try #require(SixelPicture(image, columns: 2, rows: 1, cellWidth: 6, cellHeight: 12))
    let text = String(decoding: picture.sixels, as: UTF8.self)
    #expect(text.contains("0;1;0q\"1;1;12;12"))
    #expect(text.contains("!6~") || text.contains("~~~~~~"))
    #expect(!text.contains("!12~"))
  }
}
