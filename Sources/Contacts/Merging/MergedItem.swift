/// An element of a list, as the merge of lists sees it.
struct MergedItem<Value> {
  /// What a merge needs to know about a value. It is not a protocol, because the key of a labeled value depends on its
  /// field.
  struct Kind {
    let key: (Value) -> ValueKey
    let label: (Value) -> String
    let relabeled: (Value, String) -> Value
    let isExact: (Value, Value) -> Bool
  }

  let value: Value
  let key: ValueKey
  /// The label, regardless of case.
  let label: String

  init(_ value: Value, _ kind: Kind) {
    self.value = value
    key = kind.key(value)
    label = SameText.folded(kind.label(value))
  }
}

extension MergedItem<LabeledValue>.Kind {
  static func values(of field: ContactField.Values) -> Self {
    Self(
      key: field.key, label: \.label, relabeled: { LabeledValue(label: $1, value: $0.value) },
      isExact: { SameText.isExact($0.label, $1.label) && SameText.isExact($0.value, $1.value) })
  }
}

extension MergedItem<PostalAddress>.Kind {
  static var addresses: Self {
    Self(
      key: \.key, label: \.label,
      relabeled: { address, label in
        var address = address
        address.label = label
        return address
      },
      isExact: { one, other in
        SameText.isExact(one.label, other.label)
          && AddressPart.inCardOrder.allSatisfy { SameText.isExact(one[$0], other[$0]) }
      })
  }
}

extension MergedItem<CardLineUnit>.Kind {
  static var units: Self {
    Self(key: \.key, label: { _ in "" }, relabeled: { unit, _ in unit }, isExact: { $0.isExact($1) })
  }
}
