import Glibc

/// How bright a color looks, from 0 for black to 1 for white (WCAG 2.2, relative luminance).
enum RelativeLuminance {
  /// On a brighter background black text has more contrast, on a darker one white text.
  static let middle = 0.179

  /// Returns the luminance of a color in sRGB, whose channels are from 0 to 1.
  static func of(_ red: Double, _ green: Double, _ blue: Double) -> Double {
    func linear(_ value: Double) -> Double { value <= 0.04045 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4) }
    return 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue)
  }

  /// Returns the ratio of two luminances, from 1 to 21. Text needs at least 4.5 (WCAG 2.2, contrast minimum).
  static func contrast(_ one: Double, _ other: Double) -> Double {
    (max(one, other) + 0.05) / (min(one, other) + 0.05)
  }
}
