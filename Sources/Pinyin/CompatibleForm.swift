/// Compatibility normalization (NFKC), which replaces full-width and half-width forms, ligatures, circled digits and the
/// like with ordinary characters.
public enum CompatibleForm {
  /// Returns the text in normalization form KC (UAX #15); unchanged if ICU cannot open its data. ASCII and common Han
  /// characters are already in this form.
  public static func of(_ text: String) -> String {
    text.unicodeScalars.allSatisfy { isStable($0.value) } ? text : ICU.compatibleForm(text)
  }

  private static func isStable(_ value: UInt32) -> Bool {
    value < 0xA0 || (0x4E00...0x9FFF).contains(value) || (0x3400...0x4DBF).contains(value)
  }
}
