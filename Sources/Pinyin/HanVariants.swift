/// The simplified forms of traditional characters, for searching and comparing text in either form.
public enum HanVariants {
  /// Returns the simplified form of a Han character; the character itself if it has none.
  public static func form(of value: UInt32) -> UInt32 { simplified[value] ?? value }

  private static let simplified: [UInt32: UInt32] = {
    let text = hanVariantTable.withUTF8Buffer { String(decoding: $0, as: UTF8.self) }
    var forms: [UInt32: UInt32] = [:]
    forms.reserveCapacity(hanVariantTable.utf8CodeUnitCount / 6)
    var traditional: UInt32?
    for scalar in text.unicodeScalars {
      if let first = traditional {
        forms[first] = scalar.value
        traditional = nil
      } else {
        traditional = scalar.value
      }
    }
    return forms
  }()
}
