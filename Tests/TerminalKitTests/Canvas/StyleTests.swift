import Testing

@testable import TerminalKit

@Suite struct StyleTests {
  private let colors: [Color] = [
    .standard, .palette(0), .palette(255), .rgb(0, 0, 0), .rgb(255, 255, 255), .rgb(1, 2, 3),
  ]

  @Test func keepsItsColorsAndAttributes() {
    for foreground in colors {
      for background in colors {
        for attributes: Style.Attributes in [
          [], .bold, [.dim, .italic], [.bold, .dim, .underline, .reverse, .italic],
        ] {
          let style = Style(foreground: foreground, background: background, attributes: attributes)
          #expect(style.foreground == foreground)
          #expect(style.background == background)
          #expect(style.attributes == attributes)
        }
      }
    }
  }

  @Test func hexadecimalColors() {
    #expect(Color(hexadecimal: "#0aF10b") == .rgb(0x0A, 0xF1, 0x0B))
    for text in ["", "#", "123456", "#12345", "#1234567", "#+12345", "#-00000", "#12345g", "#１２", "##12345"] {
      #expect(Color(hexadecimal: text) == nil, "\(text)")
    }
  }

  @Test func eachPartChangesIndependently() {
    var style = Style(foreground: .rgb(9, 8, 7), background: .palette(200), attributes: [.bold, .reverse])
    style.foreground = .palette(3)
    style.background = .standard
    #expect(style == Style(foreground: .palette(3), attributes: [.bold, .reverse]))
    style.attributes = .dim
    #expect(style.adding(.italic) == Style(foreground: .palette(3), attributes: [.dim, .italic]))
    #expect(style.with(background: .rgb(1, 1, 1)).foreground == .palette(3))
    #expect(style.with(foreground: .standard) == Style(attributes: .dim))
    #expect(Style.plain == Style())
  }
}
