import Contacts

/// A birthday whose year, month and day are separate values.
struct BirthdayParts {
  enum Part: Hashable {
    case year, month, day
  }

  private var values: [Part: Int] = [:]

  /// Stores a part.
  mutating func add(_ text: String, as part: Part) -> ContactAssembler.Outcome {
    guard let number = Int(text.trimmedBlanks) else { return .notADate }
    guard values[part] == nil || values[part] == number else { return .noField }
    values[part] = number
    return .stored
  }

  /// Whether no part says anything: some programs write 0.
  var isEmpty: Bool { values.values.allSatisfy { $0 == 0 } }

  /// The day, perhaps without a year; nil if the parts are not a date.
  var day: PartialDate? {
    guard let month = values[.month], let day = values[.day] else { return nil }
    return PartialDate(year: values[.year].flatMap { $0 > 0 ? $0 : nil }, month: month, day: day)
  }

  /// The parts for a message: `1990-?-3`.
  var text: String { [Part.year, .month, .day].map { values[$0].map(String.init) ?? "?" }.joined(separator: "-") }
}

extension PostalAddress {
  /// Returns whether the parts have every word of a text, in any order.
  func hasWords(of text: String) -> Bool {
    func words(_ text: String) -> [String] {
      text.lowercased().split { !$0.isLetter && !$0.isNumber }.map(String.init)
    }
    let own = Set(AddressPart.inCardOrder.flatMap { words(self[$0]) })
    return words(text).allSatisfy(own.contains)
  }
}
