/// The classes of scalars that matter for names: those that are not visible, with which a name does not begin, and Han.
enum ScalarClass {
  /// Returns whether a scalar is a blank, a control, a format or other default-ignorable character (zero width,
  /// bidirectional), or a nonspacing or enclosing mark.
  static func isBlank(_ value: UInt32) -> Bool {
    if value < 0x7F { return value <= 0x20 }
    if value <= 0xA0 { return true }
    if isHan(value) { return false }
    guard let properties = Unicode.Scalar(value)?.properties else { return true }
    if properties.isWhitespace || properties.isDefaultIgnorableCodePoint { return true }
    switch properties.generalCategory {
    case .control, .format, .nonspacingMark, .enclosingMark: return true
    default: return false
    }
  }

  /// Returns whether a scalar is in the blocks of unified and compatibility ideographs, assigned or not.
  static func isHan(_ value: UInt32) -> Bool {
    (0x3400...0x9FFF).contains(value) && !(0x4DC0...0x4DFF).contains(value)
      || (0xF900...0xFAFF).contains(value) || (0x20000...0x3FFFD).contains(value)
  }
}
