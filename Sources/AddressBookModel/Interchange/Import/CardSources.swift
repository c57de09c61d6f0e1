import VCard

/// Cards of a vCard file.
final class VCardSource: CardSource {
  private let reader: VCardReader<ImportError>
  private let file: String
  private var pending: [CardEvent] = []

  init(_ input: ImportInput) {
    file = input.name
    reader = VCardReader { () throws(ImportError) -> [UInt8]? in try input.next() }
  }

  var bytesTaken: Int { reader.bytesRead }

  func next() throws -> CardEvent? {
    if !pending.isEmpty { return pending.removeFirst() }
    guard let event = try reader.next() else { return nil }
    switch event {
    case .skipped(let finding):
      switch finding.problem {
      case .notText: throw ImportError(.foreign, file: file, detail: "binary")
      case .cardTooLong: return .unreadable(line: finding.line, .card(finding.problem))
      default: return .finding(line: finding.line, .card(finding.problem))
      }
    case .card(let card):
      pending = card.diagnostics.map { .finding(line: $0.line, .card($0.problem)) }
      pending.append(.card(Self.incoming(card)))
      return pending.removeFirst()
    }
  }

  private static func incoming(_ card: Card) -> IncomingCard {
    var contact = Contact()
    contact.uid = card.first("UID")?.text ?? ""
    contact.formattedName = card.first("FN")?.text ?? ""
    for line in card.all("TEL") { contact.phones.append(LabelledValue(value: line.text)) }
    for line in card.all("EMAIL") { contact.emails.append(LabelledValue(value: line.text)) }
    return IncomingCard(line: card.lineNumber, contact: contact)
  }
}

/// Contacts of a JSON file.
final class JSONCardSource: CardSource {
  private var elements: JSONElements
  private let input: ImportInput

  init(_ input: ImportInput) {
    self.input = input
    elements = JSONElements(file: input.name) { () throws(ImportError) -> [UInt8]? in try input.next() }
  }

  var bytesTaken: Int { input.bytesRead }

  func next() throws -> CardEvent? {
    guard let element = try elements.next() else { return nil }
    return .unreadable(line: element.line, .unreadableObject(""))
  }
}
