import Contacts

extension ContactJSON {
  /// Returns a value of a conflict as JSON: as in the JSON of a contact, `null` if it is missing; a whole contact as
  /// `"present"`, `"changed"` or `"deleted"`.
  public static func encode(_ value: MergeConflict.Value) -> String {
    switch value {
    case .none: "null"
    case .text(let text): encode(text)
    case .day(let day): encode(day.iso)
    case .labeled(let item): object([("label", item.label), ("value", item.value)])
    case .address(let address):
      object([("label", address.label)] + AddressPart.inCardOrder.map { ($0.rawValue, address[$0]) })
    case .photo(let photo): "{\"bytes\": \(photo.bytes), \"sha256\": \(encode(photo.sha256))}"
    case .present: encode("present")
    case .changed: encode("changed")
    case .deleted: encode("deleted")
    }
  }

  /// Returns a conflict of a merge as JSON: `{"field", "base", "mine", "theirs", "kept"}`.
  public static func encode(_ conflict: MergeConflict) -> String {
    let values = [("base", conflict.base), ("mine", conflict.mine), ("theirs", conflict.theirs)]
      .map { ", \"\($0)\": \(encode($1))" }
    return "{\"field\": \(encode(conflict.fieldName))\(values.joined()), \"kept\": \(encode(conflict.kept.rawValue))}"
  }

  private static func object(_ texts: [(key: String, value: String)]) -> String {
    "{" + texts.map { "\"\($0.key)\": \(encode($0.value))" }.joined(separator: ", ") + "}"
  }
}
