import Contacts
import Foundation
import VCard

/// A value of a JSON document and its path.
struct JSONNode {
  let path: String
  let value: Any

  var isNull: Bool { value is NSNull }

  func text() throws(ContactJSONError) -> String {
    guard let text = value as? String else { throw .wrongType(path: path, expected: .text) }
    return text
  }

  func integer() throws(ContactJSONError) -> Int {
    // A JSON number may be bridged to Bool; only its Objective-C type, `c`, identifies true and false.
    guard let number = value as? NSNumber, String(cString: number.objCType) != "c",
      let whole = Int(exactly: number)
    else {
      throw .wrongType(path: path, expected: .integer)
    }
    return whole
  }

  func object() throws(ContactJSONError) -> [String: Any] {
    guard let object = value as? [String: Any] else { throw .wrongType(path: path, expected: .object) }
    return object
  }

  func list<Item>(_ read: (JSONNode) throws(ContactJSONError) -> Item) throws(ContactJSONError) -> [Item] {
    guard let values = value as? [Any] else { throw .wrongType(path: path, expected: .list) }
    var items: [Item] = []
    for (index, value) in values.enumerated() {
      items.append(try read(JSONNode(path: "\(path)[\(index)]", value: value)))
    }
    return items
  }

  func kind() throws(ContactJSONError) -> Contact.Kind {
    switch try text() {
    case "person": return .person
    case "organization": return .organization
    case let other: throw .invalidValue(path: path, value: other)
    }
  }

  func day() throws(ContactJSONError) -> PartialDate {
    let text = try text()
    guard let day = PartialDate(text) else { throw .invalidValue(path: path, value: text) }
    return day
  }

  /// Returns the strings of an object that has no other keys than these.
  private func fields(_ keys: [String]) throws(ContactJSONError) -> [String: String] {
    var found: [String: String] = [:]
    let object = try object()
    for key in object.keys.sorted() {
      guard let value = object[key] else { continue }
      let node = JSONNode(path: "\(path).\(key)", value: value)
      guard keys.contains(key) else { throw .unknownKey(path: node.path) }
      found[key] = try node.text()
    }
    return found
  }

  func labeled() throws(ContactJSONError) -> LabeledValue {
    let found = try fields(["label", "value"])
    guard let value = found["value"] else { throw .missingKey(path: "\(path).value") }
    return LabeledValue(label: found["label"] ?? "", value: value)
  }

  func labeledDate() throws(ContactJSONError) -> LabeledValue {
    var date = try labeled()
    date.value = try JSONNode(path: "\(path).value", value: date.value).day().iso
    return date
  }

  func address() throws(ContactJSONError) -> PostalAddress {
    let found = try fields(["label"] + AddressPart.inCardOrder.map(\.rawValue))
    return PostalAddress(label: found["label"] ?? "") { found[$0.rawValue] ?? "" }
  }

  /// Returns the value of `photo`; nil if it has neither `data` nor `sha256`. `bytes` is ignored, and `data`, in
  /// base64, takes precedence over `sha256`.
  func picture() throws(ContactJSONError) -> ContactPatch.Picture? {
    let object = try object()
    for key in object.keys.sorted() where !["bytes", "sha256", "data"].contains(key) {
      throw .unknownKey(path: "\(path).\(key)")
    }
    if let data = object["data"] {
      let text = try JSONNode(path: "\(path).data", value: data).text()
      return .data(Base64.decode(text.utf8) ?? [])
    }
    guard let digest = object["sha256"] else { return nil }
    return .digest(try JSONNode(path: "\(path).sha256", value: digest).text())
  }

  /// Returns a line as a contact keeps it: a property of a card, or the version of the card. Only AGENT may contain
  /// line ends.
  func cardLine() throws(ContactJSONError) -> String {
    let text = try text()
    guard let line = CardLine(text),
      line.isNamed("AGENT") || text.utf8.allSatisfy({ $0 >= 0x20 || $0 == 0x09 })
    else { throw .invalidValue(path: path, value: text) }
    return text
  }
}
