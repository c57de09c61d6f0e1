import Testing

@testable import AvatarImage

@Suite struct AvatarRendererTests {
  private let quadrants = RasterImage.quadrants(width: 64, height: 64)

  @Test func keepsThePicturesShape() {
    #expect(AvatarRenderer.fit(width: 100, height: 100, columns: 20, rows: 10) == (20, 10))
    #expect(AvatarRenderer.fit(width: 100, height: 100, columns: 80, rows: 10) == (20, 10))
    #expect(AvatarRenderer.fit(width: 100, height: 100, columns: 20, rows: 50) == (20, 10))
    #expect(AvatarRenderer.fit(width: 96, height: 64, columns: 24, rows: 24) == (24, 8))
    #expect(AvatarRenderer.fit(width: 4000, height: 1, columns: 24, rows: 24) == (24, 1))
    #expect(AvatarRenderer.fit(width: 1, height: 4000, columns: 24, rows: 24) == (1, 24))
    for columns in 1...30 {
      for rows in 1...30 {
        let size = AvatarRenderer.fit(width: 7, height: 5, columns: columns, rows: rows)
        #expect((1...columns).contains(size.columns) && (1...rows).contains(size.rows))
        #expect(size.columns == columns || size.rows == rows)
      }
    }
  }

  @Test func trueColorsAreThoseOfThePicture() throws {
    let picture = try #require(AvatarRenderer().render(quadrants, columns: 8, rows: 4))
    #expect((picture.columns, picture.rows) == (8, 4))
    for (row, column, wanted) in [
      (0, 0, RasterImage.red), (0, 7, RasterImage.green), (3, 0, RasterImage.blue), (3, 7, RasterImage.yellow),
    ] {
      #expect(shown(picture[row, column]) == .rgb(wanted.red, wanted.green, wanted.blue))
    }
  }

  @Test func paletteColorsAreInTheirRange() throws {
    let of256 = try #require(AvatarRenderer(colors: .palette256).render(quadrants, columns: 8, rows: 4))
    for cell in of256.cells {
      for case .palette(let entry) in [cell.foreground, cell.background] { #expect(entry >= 16) }
    }
    let of16 = try #require(AvatarRenderer(colors: .palette16).render(quadrants, columns: 8, rows: 4))
    for cell in of16.cells {
      for case .palette(let entry) in [cell.foreground, cell.background] { #expect(entry < 16) }
      #expect(cell.foreground != .standard || cell.background != .standard)
    }
    guard case .palette = shown(of256[0, 0]) else {
      Issue.record("no palette color: \(of256[0, 0])")
      return
    }
  }

  @Test func monochromeUsesNoColor() throws {
    var image = RasterImage(width: 16, height: 16, filledWith: RasterImage.Pixel(red: 0, green: 0, blue: 0))
    for row in 0..<16 {
      for column in 0..<8 { image[column: column, row: row] = RasterImage.Pixel(red: 255, green: 255, blue: 255) }
    }
    let dark = try #require(AvatarRenderer(colors: .monochrome).render(image, columns: 4, rows: 2))
    for cell in dark.cells { #expect(cell.foreground == .standard && cell.background == .standard) }
    #expect(dark.plainText == "██  \n██  ")
    let light = try #require(
      AvatarRenderer(colors: .monochrome, isLightBackground: true).render(image, columns: 4, rows: 2))
    #expect(light.plainText == "  ██\n  ██")
  }

  @Test func grayIsADotPatternOfThatDensity() throws {
    var image = RasterImage(width: 64, height: 64)
    for row in 0..<64 {
      for column in 0..<64 {
        let gray = UInt8(column * 4)
        image[column: column, row: row] = RasterImage.Pixel(red: gray, green: gray, blue: gray)
      }
    }
    let picture = try #require(
      AvatarRenderer(colors: .monochrome, symbols: .halves).render(image, columns: 32, rows: 16))
    func lit(_ columns: Range<Int>) -> Int {
      columns.reduce(0) { sum, column in
        sum + (0..<16).reduce(0) { $0 + (["█": 2, "▀": 1, "▄": 1][picture[$1, column].text] ?? 0) }
      }
    }
    #expect(lit(0..<8) < lit(8..<16) && lit(8..<16) < lit(16..<24) && lit(16..<24) < lit(24..<32))
    #expect((448...576).contains(lit(0..<32)))
  }

  @Test func sixthsAreNumberedAsInUnicode() {
    #expect(BlockSymbols.sixths(1) == "\u{1FB00}" && BlockSymbols.sixths(62) == "\u{1FB3B}")
    #expect(BlockSymbols.sixths(22) == "\u{1FB14}" && BlockSymbols.sixths(21) == "▌" && BlockSymbols.sixths(42) == "▐")
    #expect(Set((0..<64).map(BlockSymbols.sixths)).count == 64)
  }

  @Test func symbolsStayInTheirSet() throws {
    let noise = RasterImage.noise(width: 80, height: 80, seed: 9)
    let sets: [(CellSymbols, (UInt32) -> Bool)] = [
      (.halves, { [0x20, 0x2580, 0x2584, 0x2588, 0x258C, 0x2590].contains($0) }),
      (.quadrants, { $0 == 0x20 || (0x2580...0x259F).contains($0) }),
      (.sextants, { $0 == 0x20 || (0x2580...0x259F).contains($0) || (0x1FB00...0x1FB3B).contains($0) }),
      (.ascii, { (0x20...0x7E).contains($0) }),
    ]
    for (symbols, isAllowed) in sets {
      for colors in CellColors.allCases {
        let picture = try #require(
          AvatarRenderer(colors: colors, symbols: symbols).render(noise, columns: 20, rows: 10))
        for cell in picture.cells {
          #expect(cell.text.unicodeScalars.count == 1)
          for scalar in cell.text.unicodeScalars { #expect(isAllowed(scalar.value), "\(symbols) \(scalar)") }
        }
      }
    }
  }

  @Test func clearPixelsShowTheTerminal() throws {
    let clear = RasterImage(width: 8, height: 8)
    let picture = try #require(AvatarRenderer().render(clear, columns: 4, rows: 2))
    for cell in picture.cells { #expect(cell.text == " " && cell.background == .standard) }
  }

  @Test func drawingIsDeterministicAtEverySize() throws {
    for columns in [1, 2, 5, 40] {
      let one = try #require(AvatarRenderer().render(quadrants, columns: columns, rows: columns))
      #expect(AvatarRenderer().render(quadrants, columns: columns, rows: columns) == one)
    }
    #expect(AvatarRenderer().render(quadrants, columns: 0, rows: 5) == nil)
    let strip = RasterImage.noise(width: 4000, height: 1, seed: 2)
    #expect(AvatarRenderer().render(strip, columns: 20, rows: 10)?.rows == 1)
  }

  /// Returns the color that most of a cell shows.
  private func shown(_ cell: CellPicture.Cell) -> CellColor {
    cell.text == " " ? cell.background : cell.foreground
  }
}
