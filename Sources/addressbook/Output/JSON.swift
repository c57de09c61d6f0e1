import ContactInterchange

/// A JSON value whose members keep their order.
enum JSON {
  case text(String)
  case number(Int)
  case boolean(Bool)
  case list([JSON])
  case object([(String, JSON)])
  /// Text that is JSON already, such as that of a contact.
  case encoded(String)
  case null

  /// The value on one line.
  var line: String {
    switch self {
    case .text(let text): ContactJSON.encode(text)
    case .number(let number): String(number)
    case .boolean(let value): String(value)
    case .list(let items): "[" + items.map(\.line).joined(separator: ", ") + "]"
    case .object(let members): "{" + members.map { "\"\($0.0)\": \($0.1.line)" }.joined(separator: ", ") + "}"
    case .encoded(let text): text
    case .null: "null"
    }
  }

  static func texts(_ texts: [String]) -> JSON { .list(texts.map(JSON.text)) }
}

/// The separators of a JSON array with one item per line.
struct JSONArrayLines {
  private var isEmpty = true

  /// Precedes the next item.
  var separator: String {
    mutating get {
      defer { isEmpty = false }
      return isEmpty ? "\n" : ",\n"
    }
  }

  /// Follows the last item.
  var end: String { isEmpty ? "]\n" : "\n]\n" }
}
