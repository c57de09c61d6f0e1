/// Labels as a person reads them.
struct LabelText {
  let strings: Strings

  /// A standard label's word, the person's own label, or the name of the field where there is none.
  func text(of label: String, else field: String) -> String {
    label.isEmpty ? strings("field." + field) : strings.localization.label(label)
  }
}
