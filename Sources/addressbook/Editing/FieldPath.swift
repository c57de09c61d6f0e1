import AddressBookModel
import ArgumentParser
import Contacts

/// The left side of `--set`: a single field (`family`), a labeled value (`phone[mobile]`), the first value without a
/// label (`phone`), or a part of an address (`address[home].city`).
enum FieldPath: Hashable {
  case text(ContactField.Text)
  case uid
  case birthday
  case kind
  case labeled(ContactField.Values, label: String)
  case address(label: String, part: AddressPart?)

  /// Parses a path.
  /// - Throws: `ValidationError` that lists the valid fields.
  init(_ text: String) throws {
    let (name, label, part) = Self.split(text)
    if name == "birthday", label == nil, part == nil {
      self = .birthday
    } else if name == "kind", label == nil, part == nil {
      self = .kind
    } else if name == "uid", label == nil, part == nil {
      self = .uid
    } else if let field = Self.textField(name), label == nil, part == nil {
      self = .text(field)
    } else if let field = Self.labeledField(name), part == nil {
      self = .labeled(field, label: label ?? "")
    } else if ["address", "addresses"].contains(name), part == nil || part.flatMap(AddressPart.init) != nil {
      self = .address(label: label ?? "", part: part.flatMap(AddressPart.init))
    } else {
      throw ValidationError(strings("Misuse/unknownField", text, Self.allNames))
    }
  }

  private static func textField(_ name: String) -> ContactField.Text? {
    let name = name == "org" ? "organization" : name
    return ContactFields.standard.texts.first { $0.jsonKey == name || $0.name == name }
  }

  private static func labeledField(_ name: String) -> ContactField.Values? {
    ContactFields.standard.values.first { $0.singular == name || $0.singular + "s" == name }
  }

  private static var allNames: String {
    let texts = ContactFields.standard.texts.map(\.jsonKey) + ["uid", "birthday", "kind"]
    let lists = ContactFields.standard.values.map { $0.singular + "[…]" }
    let parts = AddressPart.allCases.map { "address[…]." + $0.rawValue }
    return (texts + lists + parts).joined(separator: ", ")
  }

  /// Splits `name[label].part`; a label may contain anything but a closing bracket.
  private static func split(_ text: String) -> (name: String, label: String?, part: String?) {
    guard let open = text.firstIndex(of: "["), let close = text.lastIndex(of: "]"), open < close else {
      guard text.hasPrefix("address."), let dot = text.firstIndex(of: ".") else { return (text, nil, nil) }
      return (String(text[..<dot]), nil, String(text[text.index(after: dot)...]))
    }
    let rest = text[text.index(after: close)...]
    let label = String(text[text.index(after: open)..<close])
    if rest.isEmpty { return (String(text[..<open]), label, nil) }
    return (String(text[..<open]), label, rest.hasPrefix(".") ? String(rest.dropFirst()) : String(rest))
  }
}
