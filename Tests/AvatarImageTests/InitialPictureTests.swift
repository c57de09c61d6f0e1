import Testing

@testable import AvatarImage

@Suite struct InitialPictureTests {
  @Test func initialIsTheFirstLetter() {
    #expect(InitialPicture.initial(of: "李小龙") == "李")
    #expect(InitialPicture.initial(of: " (åsa)") == "Å")
    #expect(InitialPicture.initial(of: "ßtraße") == "S")
    #expect(InitialPicture.initial(of: "7-Eleven") == "7")
    #expect(InitialPicture.initial(of: "…!") == nil)
    #expect(InitialPicture.initial(of: "") == nil)
  }

  @Test func drawsADisc() {
    let picture = InitialPicture(initial: "李", initialWidth: 2, uid: "a")
    let disc = picture.render(columns: 8, rows: 4, colors: .trueColor)
    #expect(disc.plainText == " ▄████▄ \n▟██李██▙\n▜██████▛\n ▀████▀ ")
    let mono = picture.render(columns: 8, rows: 3, colors: .monochrome)
    #expect(mono.plainText == "▗▄████▄▖\n██ 李 ██\n▝▀████▀▘")
    for cell in mono.cells { #expect(cell.foreground == .standard && cell.background == .standard) }
  }

  @Test func fitsEverySize() {
    for columns in 0...24 {
      for rows in 0...12 {
        for colors in CellColors.allCases {
          for symbols in CellSymbols.allCases {
            for (initial, width) in [("W" as Character, 1), ("龍", 2)] {
              let picture = InitialPicture(initial: initial, initialWidth: width, uid: "x")
                .render(columns: columns, rows: rows, colors: colors, symbols: symbols)
              #expect(picture.rows == rows && picture.columns == columns)
              let shows = picture.cells.filter { $0.text == String(initial) }.count
              #expect(shows == (rows > 0 && columns >= width ? 1 : 0))
              #expect(picture.cells.filter(\.text.isEmpty).count == (width == 2 ? shows : 0))
            }
          }
        }
      }
    }
  }

  @Test func colorIsStableAndSpread() {
    for (uid, color) in [("urn:uuid:1", 91), ("李小龙", 23)] as [(String, UInt8)] {
      #expect(InitialColor.of(uid: uid).palette256 == color, "the same in every session")
    }
    var counts: [UInt8: Int] = [:]
    for number in 0..<1200 { counts[InitialColor.of(uid: "contact-\(number)").palette256, default: 0] += 1 }
    #expect(counts.count == InitialColor.all.count)
    for (_, count) in counts { #expect((50...160).contains(count)) }
  }

  /// WCAG 2.1, 1.4.3: white on each color at 4.5 or more.
  @Test func whiteIsLegible() {
    for color in InitialColor.all {
      #expect(contrastWithWhite(color.rgb) >= 4.5, "\(color)")
      #expect(contrastWithWhite(cube(color.palette256)) >= 4.5, "\(color)")
    }
  }

  private func cube(_ entry: UInt8) -> (UInt8, UInt8, UInt8) {
    let steps: [UInt8] = [0, 95, 135, 175, 215, 255]
    let index = Int(entry) - 16
    return (steps[index / 36], steps[index / 6 % 6], steps[index % 6])
  }

  private func contrastWithWhite(_ color: (UInt8, UInt8, UInt8)) -> Double {
    // Approximates the conversion of sRGB to linear light, closely enough for a threshold.
    func linear(_ value: UInt8) -> Double {
      let part = Double(value) / 255
      return part * part * (0.8 * part + 0.2) + 0.012 * part
    }
    return 1.05 / (0.2126 * linear(color.0) + 0.7152 * linear(color.1) + 0.0722 * linear(color.2) + 0.05)
  }
}
