import Testing

@testable import AddressBookTUI
@testable import TerminalKit

/// The default theme on the backgrounds that people use.
@Suite struct ThemeTests {
  /// xterm and GNOME, Tango, Solarized, Gruvbox, One, Catppuccin Latte, Ayu, Rosé Pine Dawn.
  static let light: [UInt32] = [0xFFFFFF, 0xEEEEEC, 0xFDF6E3, 0xFBF1C7, 0xFAFAFA, 0xEFF1F5, 0xFCFCFC, 0xFAF4ED]
  /// xterm, VS Code, Solarized, Gruvbox, One, Catppuccin Mocha, Nord, Dracula.
  static let dark: [UInt32] = [0x000000, 0x1E1E1E, 0x002B36, 0x282828, 0x282C34, 0x1E1E2E, 0x2E3440, 0x282A36]

  @Test(arguments: [true, false]) func theDefaultThemeIsReadable(isLight: Bool) {
    let theme = Theme.named(.terminal, colors: 256)
    for style in [theme.quiet, theme.accent, theme.header, theme.match, theme.error] {
      #expect(!style.attributes.contains(.dim))
      let number = ColorReduction.number(style.foreground, colors: 256, hasLightBackground: isLight)
      let color = ColorReduction.rgb(ofPalette: UInt8(number))
      let text = Self.luminance(color.red, color.green, color.blue)
      for background in isLight ? Self.light : Self.dark {
        let ground = Self.luminance(
          UInt8(background >> 16), UInt8(background >> 8 & 255), UInt8(background & 255))
        #expect((ground > RelativeLuminance.middle) == isLight)
        #expect(RelativeLuminance.contrast(text, ground) >= 4.5, "\(number) on \(String(background, radix: 16))")
      }
    }
  }

  /// Until the background is known, nothing has a color that may be unreadable.
  @Test func anUnknownBackgroundHasNoColors() {
    let theme = Theme.named(.terminal, colors: 256)
    for style in [theme.text, theme.quiet, theme.accent, theme.header, theme.match, theme.error, theme.selection] {
      #expect(ColorReduction.number(style.foreground, colors: 256) == -1)
      #expect(ColorReduction.number(style.background, colors: 256) == -1)
    }
  }

  /// Each theme looks different; only those for few colors have none.
  @Test func everyThemeHasItsOwnStyles() {
    for colors in [256, 1 << 24] {
      let themes = Theme.Name.allCases.map { Theme.named($0, colors: colors) }
      for (index, theme) in themes.enumerated() {
        #expect(!themes[..<index].contains(theme), "\(Theme.Name.allCases[index])")
        #expect(theme.accent.foreground == .standard || Theme.Name.allCases[index] != .monochrome)
      }
    }
  }

  private static func luminance(_ red: UInt8, _ green: UInt8, _ blue: UInt8) -> Double {
    RelativeLuminance.of(Double(red) / 255, Double(green) / 255, Double(blue) / 255)
  }
}
