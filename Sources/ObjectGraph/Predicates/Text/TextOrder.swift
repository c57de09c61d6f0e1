/// Compares strings scalar by scalar. UTF-8 bytes sort like the scalars, and no scalar begins inside another; Swift's
/// own comparison treats composed and decomposed forms as equal.
enum TextOrder {
  static func isEqual(_ left: String, _ right: String) -> Bool {
    left.utf8.elementsEqual(right.utf8)
  }

  static func isLess(_ left: String, _ right: String) -> Bool {
    left.utf8.lexicographicallyPrecedes(right.utf8)
  }

  static func begins(_ text: String, with prefix: String) -> Bool {
    text.utf8.starts(with: prefix.utf8)
  }

  static func ends(_ text: String, with suffix: String) -> Bool {
    let (whole, end) = (text.utf8, suffix.utf8)
    return whole.count >= end.count && whole.suffix(end.count).elementsEqual(end)
  }

  static func contains(_ text: String, _ part: String) -> Bool {
    var (whole, sought) = (text, part)
    return whole.withUTF8 { whole in
      sought.withUTF8 { sought in
        guard let first = sought.first else { return true }
        var index = 0
        while index + sought.count <= whole.count {
          if whole[index] == first, whole[index..<(index + sought.count)].elementsEqual(sought) { return true }
          index += 1
        }
        return false
      }
    }
  }

  /// Returns the smallest string after all that begin with the prefix; nil if there is none.
  static func end(ofPrefix prefix: String) -> String? {
    var scalars = Array(prefix.unicodeScalars)
    while let last = scalars.popLast() {
      let next = last.value == 0xD7FF ? 0xE000 : last.value + 1
      if let scalar = Unicode.Scalar(next) {
        var view = String.UnicodeScalarView()
        view.append(contentsOf: scalars + [scalar])
        return String(view)
      }
    }
    return nil
  }
}

/// A string as a key of sets and dictionaries, compared scalar by scalar.
struct ScalarText: Hashable, Sendable {
  let text: String

  init(_ text: String) {
    self.text = text
  }

  static func == (left: ScalarText, right: ScalarText) -> Bool {
    TextOrder.isEqual(left.text, right.text)
  }

  func hash(into hasher: inout Hasher) {
    for byte in text.utf8 { hasher.combine(byte) }
  }
}
