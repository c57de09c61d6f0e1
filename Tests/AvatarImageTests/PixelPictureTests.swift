import Testing

@testable import AvatarImage

struct PixelPictureTests {
  private func picture(_ width: Int, _ height: Int, in columns: Int, _ rows: Int, cell: (Int, Int) = (10, 20)) throws
    -> PixelPicture
  {
    try PixelPicture(
      RasterImage(width: width, height: height, filledWith: RasterImage.Pixel(red: 200, green: 90, blue: 10)),
      columns: columns, rows: rows, cellWidth: cell.0, cellHeight: cell.1)
  }

  @Test(arguments: [
    (256, 256, 16, 8, 16, 8), (256, 256, 60, 20, 40, 20), (400, 100, 40, 40, 40, 5), (100, 400, 40, 40, 20, 40),
    (1, 4000, 10, 10, 1, 10), (4000, 1, 10, 10, 10, 1), (256, 256, 0, -3, 1, 1),
  ])
  func keepsItsShape(width: Int, height: Int, inColumns: Int, inRows: Int, columns: Int, rows: Int) throws {
    let picture = try picture(width, height, in: inColumns, inRows)
    #expect(picture.columns == columns && picture.rows == rows)
  }

  @Test func theTerminalsCellSizeIsUsed() throws {
    let wide = try picture(256, 256, in: 16, 8, cell: (8, 20))
    #expect((wide.columns, wide.rows) == (16, 6))
    let high = try picture(256, 256, in: 16, 8, cell: (14, 20))
    #expect((high.columns, high.rows) == (11, 8))
  }

  @Test func noMorePixelsAreMadeThanAreShown() throws {
    func size(_ picture: PixelPicture) throws -> (Int, Int) {
      let image = try ImageDecoder.decode(picture.png)
      return (image.width, image.height)
    }
    #expect(try size(picture(256, 256, in: 12, 6)) == (120, 120))
    #expect(try size(picture(50, 40, in: 12, 6)) == (50, 40))
    #expect(try size(picture(3000, 1500, in: 200, 100)) == (400, 200))
    #expect(try size(picture(4000, 1, in: 200, 100)) == (400, 1))
  }
}
