/// The shapes of one Han character: traditional and simplified, old and new Japanese ones, those of family registers, and
/// radicals. For searching and comparing text in any of them.
public enum HanVariants {
  /// Returns the shape that stands for a Han character, the simplified form if it has one; often the character itself.
  public static func form(of value: UInt32) -> UInt32 { forms[value] ?? value }

  private static let forms: [UInt32: UInt32] = {
    let text = hanVariantTable.withUTF8Buffer { String(decoding: $0, as: UTF8.self) }
    var forms: [UInt32: UInt32] = [:]
    forms.reserveCapacity(hanVariantTable.utf8CodeUnitCount / 6)
    var shape: UInt32?
    for scalar in text.unicodeScalars {
      if let first = shape {
        forms[first] = scalar.value
        shape = nil
      } else {
        shape = scalar.value
      }
    }
    return forms
  }()
}
