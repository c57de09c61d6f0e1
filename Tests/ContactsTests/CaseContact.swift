import Foundation

@testable import Contacts

/// Contacts as in case files: the JSON of a contact without empty values, with `name` only if it differs from the name
/// made from the parts, and with `lines` for the lines of a card.
enum CaseContact {
  typealias Object = [String: Any]

  static func read(_ value: Any?) -> Contact? {
    guard let object = value as? Object else { return nil }
    var contact = Contact()
    contact.uid = object["uid"] as? String ?? ""
    for field in ContactFields.standard.all {
      let value = object[field == .special(.cardLines) ? "lines" : field.jsonKey]
      switch field {
      case .text(let text): contact[text] = value as? String ?? ""
      case .values(let list): contact[keyPath: list.property] = (value as? [Object] ?? []).map(labeled)
      case .special(.kind): contact.kind = value as? String == "organization" ? .organization : .person
      case .special(.addresses): contact.addresses = (value as? [Object] ?? []).map(address)
      case .special(.birthday): contact.birthday = (value as? String).flatMap(PartialDate.init)
      case .special(.groups): contact.groups = (value as? [String] ?? []).sorted()
      case .special(.photo): contact.photo = photo(value)
      case .special(.cardLines): contact.cardLines = value as? [String] ?? []
      }
    }
    return contact
  }

  /// Returns the content of a contact as text that is identical for equal contacts. Lists keep their order, groups are
  /// sorted, and card lines are grouped into units.
  static func letters(_ contact: Contact?) -> [String] {
    guard let contact else { return ["deleted"] }
    return ContactFields.standard.all.flatMap { field -> [String] in
      let values: [String] =
        switch field {
        case .text(let text): [contact[text]]
        case .values(let list): contact[keyPath: list.property].map { "\($0.label)|\($0.value)" }
        case .special(.kind): [contact.kind.name]
        case .special(.addresses):
          contact.addresses.map { address in
            ([address.label] + AddressPart.inCardOrder.map { address[$0] }).joined(separator: "|")
          }
        case .special(.birthday): [contact.birthday?.iso ?? ""]
        case .special(.groups): Set(contact.groups).sorted()
        case .special(.photo): [contact.photo?.sha256 ?? ""]
        case .special(.cardLines): units(contact.cardLines)
        }
      return values.filter { !$0.isEmpty }.map { "\(field.jsonKey): \(escaped($0))" }
    }
  }

  /// Returns the sorted keys of the units of lines, without the lines about the card itself.
  static func units(_ lines: [String]) -> [String] {
    CardLineUnit.units(of: lines.filter { !CardLineUnit.isAboutCard($0) }).map { "\($0.key)" }.sorted()
  }

  /// Returns a value of a conflict as text.
  static func value(_ value: MergeConflict.Value) -> String {
    switch value {
    case .none: ""
    case .text(let text): escaped(text)
    case .day(let day): day.iso
    case .labeled(let item): "\(item.label)|\(escaped(item.value))"
    case .address(let address):
      ([address.label] + AddressPart.inCardOrder.map { address[$0] }).joined(separator: "|")
    case .photo(let photo): photo.sha256
    case .present: "present"
    case .changed: "changed"
    case .deleted: "deleted"
    }
  }

  /// Returns the value of a conflict in a case file in the same form.
  static func value(_ value: Any?, of field: String) -> String {
    if let text = value as? String { return escaped(text) }
    guard let object = value as? Object else { return "" }
    switch field {
    case "photo": return photo(object)?.sha256 ?? ""
    case "addresses": return Self.value(.address(address(object)))
    default: return Self.value(.labeled(labeled(object)))
    }
  }

  /// Replaces each code point that is not printable ASCII by its number, so that texts that only look alike differ.
  private static func escaped(_ text: String) -> String {
    text.unicodeScalars.map { (0x20..<0x7F).contains($0.value) ? String($0) : "{\(String($0.value, radix: 16))}" }
      .joined()
  }

  private static func labeled(_ object: Object) -> LabeledValue {
    LabeledValue(label: object["label"] as? String ?? "", value: object["value"] as? String ?? "")
  }

  private static func address(_ object: Object) -> PostalAddress {
    PostalAddress(label: object["label"] as? String ?? "") { object[$0.rawValue] as? String ?? "" }
  }

  private static func photo(_ value: Any?) -> PhotoSummary? {
    guard let object = value as? Object, let digest = object["sha256"] as? String else { return nil }
    return PhotoSummary(mediaType: "image/png", bytes: object["bytes"] as? Int ?? 0, sha256: digest)
  }
}
