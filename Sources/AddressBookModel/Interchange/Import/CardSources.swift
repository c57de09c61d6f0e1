import VCard

/// Cards of a vCard file.
final class VCardSource: CardSource {
  private let reader: VCardReader<ImportError>
  private let contacts = ContactCardReader()
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
      let read = contacts.read(card)
      guard !read.diagnostics.isEmpty else { return .card(IncomingCard(read)) }
      pending = read.diagnostics.dropFirst().map { .finding(line: $0.line, .card($0.problem)) }
      pending.append(.card(IncomingCard(read)))
      return .finding(line: read.diagnostics[0].line, .card(read.diagnostics[0].problem))
    }
  }
}

extension IncomingCard {
  fileprivate init(_ card: ImportedCard) {
    line = card.lineNumber
    contact = card.contact
    picture = card.photo?.bytes
    if case .group(let name, let members) = card.kind, !name.isEmpty {
      group = GroupCard(line: line, uid: card.contact.uid, name: name, members: members)
    }
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
    do {
      return .card(IncomingCard(line: element.line, contact: try ContactJSON.decode(element.bytes)))
    } catch {
      return .unreadable(line: element.line, .unreadableObject(error))
    }
  }
}
