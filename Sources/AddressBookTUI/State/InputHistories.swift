import TerminalKit

/// What was entered before into the search field, and as paths; kept from one session to the next.
struct InputHistories: Codable, Equatable {
  enum Field: String { case searches, paths }

  private var histories: [String: InputHistory] = [:]

  subscript(_ field: Field) -> InputHistory {
    get { histories[field.rawValue] ?? InputHistory() }
    set { histories[field.rawValue] = newValue }
  }

  init() {}

  init(from decoder: any Decoder) throws {
    histories = try decoder.singleValueContainer().decode([String: InputHistory].self)
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(histories)
  }
}
