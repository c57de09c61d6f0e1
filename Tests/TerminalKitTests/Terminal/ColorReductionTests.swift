import Testing

@testable import TerminalKit

@Suite struct ColorReductionTests {
  @Test func everyColorFits() {
    for colors in [8, 16, 88, 256] {
      for index in UInt8.min...UInt8.max {
        let number = ColorReduction.number(.palette(index), colors: colors)
        #expect((0..<Int32(colors)).contains(number))
        let direct = ColorReduction.number(.rgb(index, 255 - index, index / 2), colors: colors)
        #expect((0..<Int32(colors)).contains(direct))
      }
      #expect(ColorReduction.number(.standard, colors: colors) == -1)
    }
  }

  @Test func paletteColorsFindThemselves() {
    for index in UInt8(16)...UInt8.max {
      let value = ColorReduction.rgb(ofPalette: index)
      let found = ColorReduction.number(.rgb(value.red, value.green, value.blue), colors: 256)
      #expect(ColorReduction.rgb(ofPalette: UInt8(found)) == value)
    }
  }

  @Test func nearest() {
    #expect(ColorReduction.number(.rgb(250, 5, 5), colors: 16) == 9)
    #expect(ColorReduction.number(.rgb(200, 0, 0), colors: 8) == 1)
    #expect(ColorReduction.number(.rgb(0x12, 0x34, 0x56), colors: 16_777_216) == 0x123456)
    #expect(ColorReduction.number(.palette(7), colors: 16_777_216) == 7)
    #expect(ColorReduction.number(.rgb(0, 0, 2), colors: 16_777_216) == 0)
  }
}
