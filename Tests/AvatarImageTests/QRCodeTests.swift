import AvatarImage
import SharedMaterial
import Testing

/// QR codes, compared with libqrencode's own limits and read with zbar.
@Suite struct QRCodeTests {
  /// Each version holds what the table says, and not a byte more.
  @Test func theTableOfCapacitiesIsTheLibrarys() throws {
    for side in stride(from: 29, through: QRCode.largestSide, by: 4) {
      let capacity = QRCode.capacity(side: side)
      #expect(try QRCode([UInt8](repeating: 0x61, count: capacity)).side == side)
      #expect(try QRCode([UInt8](repeating: 0x61, count: capacity + 1)).side == side + 4)
      #expect(QRCode.capacity(side: side + 3) == capacity)
    }
    #expect(QRCode.capacity(side: 28) == 0)
    #expect(QRCode.capacity(side: 1000) == QRCode.capacity(side: QRCode.largestSide))
    #expect(throws: QRCode.Failure.unencodable) { try QRCode([]) }
    #expect(throws: QRCode.Failure.unencodable) { try QRCode([UInt8](repeating: 0x61, count: 3000)) }
  }

  @Test(
    .enabled(if: CodeReader.isInstalled, "zbar is not installed"),
    arguments: ["a", "王小明 𠮷野家 👨‍👩‍👧 ü", String(repeating: "長い名前", count: 100)])
  func aReaderReadsTheText(text: String) throws {
    let code = try QRCode(Array(text.utf8))
    let picture = code.picture()
    let lines = picture.plainText.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    #expect(try CodeReader.text(inHalfBlocks: lines) == text)
    for cell in picture.cells {
      #expect(cell.foreground == .rgb(0, 0, 0) && cell.background == .rgb(255, 255, 255))
    }
    let wide = code.picture(.palette256, inHalfBlocks: false)
    let rows = (0..<wide.rows).map { row in
      stride(from: 0, to: wide.columns, by: 2).map { wide[row, $0].background == .palette(16) }
    }
    #expect(wide.columns == 2 * wide.rows && wide.plainText.allSatisfy { $0 == " " || $0 == "\n" })
    #expect(try CodeReader.text(inModules: rows) == text)
  }

  @Test func theQuietZoneIsFourModulesWide() throws {
    let picture = try QRCode([0x61]).picture()
    #expect(picture.columns == 29 && picture.rows == 15)
    for row in 0..<picture.rows {
      let line = (0..<picture.columns).map { picture[row, $0].text }
      #expect(line.prefix(4).allSatisfy { $0 == " " } && line.suffix(4).allSatisfy { $0 == " " })
      if row < 2 || row > 12 { #expect(line.allSatisfy { $0 == " " }) }
    }
  }
}
