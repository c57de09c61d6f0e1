import Contacts
import Foundation
import VCard

/// The facts of a card in the form of an index: what can be compared as text.
enum CardFacts {
  /// Returns the fact of this name as text, or nil for a fact that this module does not know.
  static func of(_ card: Card, _ name: String) -> String? {
    switch name {
    case "fn": return normalized(card.first("FN")?.text ?? "")
    case "n":
      let parts = card.first("N")?.components ?? []
      return normalized((0..<5).map { $0 < parts.count ? parts[$0] : "" })
    case "tel", "email": return normalized(card.all(name.uppercased()).filter { !$0.text.isEmpty }.map(typed))
    case "tel_values": return normalized(card.all("TEL").map(\.text))
    case "email_values": return normalized(card.all("EMAIL").map(\.text))
    case "org": return normalized(card.first("ORG")?.components ?? [])
    case "title", "note", "uid": return normalized(card.first(name.uppercased())?.text ?? "")
    case "url": return normalized(card.all("URL").map(\.text))
    case "categories": return normalized(card.first("CATEGORIES")?.list ?? [])
    case "bday": return normalized(card.first("BDAY").map(day) ?? "")
    case "adr", "adr_values":
      // The index leaves empty addresses out.
      let filled = card.all("ADR").filter { $0.components.contains { !$0.isEmpty } }
      return normalized(filled.map { address($0, types: name == "adr") })
    case "photo":
      return normalized(
        card.all("PHOTO").map { line -> [String: Any] in
          guard let binary = line.binary else { return ["url": line.text] }
          return ["bytes": binary.bytes.count, "sha256": SHA256.hexadecimal(of: binary.bytes)]
        })
    default: return nil
    }
  }

  /// Returns any value of an index or a card as text: keys sorted, without blanks at the ends of texts and empty ends
  /// of lists.
  static func normalized(_ value: Any) -> String {
    switch value {
    case let text as String:
      return text.replacingOccurrences(of: "\r\n", with: "\n").trimmingCharacters(in: .whitespacesAndNewlines)
    case let list as [Any]:
      var items = list.map(normalized)
      while items.last == "" { items.removeLast() }
      return "[" + items.joined(separator: " | ") + "]"
    case let object as [String: Any]:
      return "{" + object.keys.sorted().map { "\($0): \(normalized(object[$0] ?? ""))" }.joined(separator: ", ") + "}"
    default: return "\(value)"
    }
  }

  private static func typed(_ line: CardLine) -> [String: Any] {
    ["value": line.text, "types": line.types.sorted()]
  }

  private static func address(_ line: CardLine, types: Bool) -> [String: Any] {
    let parts = line.components
    var result: [String: Any] = [:]
    for (index, key) in ["pobox", "ext", "street", "city", "region", "zip", "country"].enumerated() {
      result[key] = index < parts.count ? parts[index] : ""
    }
    if types { result["types"] = line.types.sorted() }
    return result
  }

  /// Returns a date as `1996-04-15` or `--04-15`; any other text unchanged.
  private static func day(_ line: CardLine) -> String {
    let text = line.text
    let isOmitted = !line.values(of: "X-APPLE-OMIT-YEAR").isEmpty
    let date = text.prefix { $0 != "T" && $0 != " " }
    let digits = date.filter(\.isNumber)
    if text.hasPrefix("--"), digits.count == 4 { return "--\(digits.prefix(2))-\(digits.suffix(2))" }
    guard digits.count == 8 else { return text }
    let day = "\(digits.dropFirst(4).prefix(2))-\(digits.suffix(2))"
    return isOmitted ? "--\(day)" : "\(digits.prefix(4))-\(day)"
  }
}
