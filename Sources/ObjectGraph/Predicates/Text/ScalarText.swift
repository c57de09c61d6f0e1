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
