import Contacts
import VCard

/// Converts vCards to contacts.
///
/// Everything that the contact has no field for is kept verbatim in ``Contact/cardLines``: unknown properties, known
/// ones with a group, with parameters or in a form that says more than the field, and repeated ones of a field that a
/// contact has once. The version is kept there too, unless it is 3.0. ``ContactCardWriter`` writes all of it again.
///
/// The first photo embedded in the card is imported. Further ones are dropped with a diagnostic, because they are large
/// and no program shows them. Photos by URI are kept as lines and never fetched.
public struct ContactCardReader: Sendable {
  /// A photo that cannot be decoded is kept as a line if it is at most this large, in bytes.
  private static let keptPhotoBytes = 64 << 10

  private let vocabulary: CardVocabulary

  /// A reader.
  /// - Parameter fields: the table of a contact's fields; nil for ``ContactFields/standard``.
  public init(fields: ContactFields? = nil) { vocabulary = fields.map(CardVocabulary.init) ?? .standard }

  /// The contact or group of a card.
  public func read(_ card: Card) -> ImportedCard {
    var result = ImportedCard()
    result.lineNumber = card.lineNumber
    result.diagnostics = card.diagnostics
    var keeper = LineKeeper(card)
    var formattedName: String?
    var members: [String] = []
    var isGroup = false
    var furtherPhotos = 0
    var seen: Set<CardField> = []

    for (index, line) in card.lines.enumerated() {
      switch line.key {
      case "KIND", "X-ADDRESSBOOKSERVER-KIND":
        if line.text.trimmedBlanks.lowercased() == "group" { isGroup = true }
      case "MEMBER", "X-ADDRESSBOOKSERVER-MEMBER": members.append(line.text.trimmedBlanks)
      case "PHOTO":
        guard let binary = line.binary else {
          let isEncoded = !line.text.contains(":")
          if isEncoded { result.diagnostics.append(Diagnostic(line: line.lineNumber, problem: .unreadablePhoto)) }
          if !isEncoded || line.rawValue.utf8.count <= Self.keptPhotoBytes { keeper.keep(index) }
          continue
        }
        if result.photo == nil {
          result.photo = binary
        } else {
          furtherPhotos += 1
        }
        continue
      default: break
      }
      guard let understood = vocabulary.understand(line, label: keeper.label(of: line)) else {
        keeper.keep(index)
        continue
      }
      if understood.field.isSingle, keeper.isFurther(understood.field, index) { continue }
      // Only one list of groups is rewritten; if a card has several, the others are kept.
      let isFurtherList = understood.field.identity == .groups && keeper.hasGroups
      if understood.field.identity == .groups { keeper.hasGroups = true }
      if !understood.isExact || isFurtherList { keeper.keep(index) }
      if understood.field.isOftenRepeated, !seen.insert(understood.field).inserted { continue }
      if case .shownName(let text) = understood.field {
        formattedName = text
      } else {
        understood.field.store(in: &result.contact)
      }
    }
    if furtherPhotos > 0 {
      result.diagnostics.append(Diagnostic(line: card.lineNumber, problem: .furtherPhotos(furtherPhotos)))
    }
    finishName(formattedName, &result.contact)
    result.contact.cardLines = keeper.lines
    if isGroup {
      let contact = result.contact
      result.kind = .group(name: (formattedName ?? contact.displayName).trimmedBlanks, memberUIDs: members)
    }
    return result
  }

  /// Keeps FN only if the contact would not display that name anyway. A card without N whose FN, if it has one, equals
  /// its ORG is an organization.
  private func finishName(_ formattedName: String?, _ contact: inout Contact) {
    contact.groups = Array(Set(contact.groups)).sorted()
    let name = formattedName?.trimmedBlanks ?? ""
    let composed = contact.composedName
    if composed.isEmpty, !contact.organization.isEmpty, name.isEmpty || name == contact.organization {
      contact.kind = .organization
    }
    if name != (composed.isEmpty ? contact.displayName : composed) { contact.formattedName = name }
  }
}

/// Collects the lines of a card to keep, and the labels of its groups.
private struct LineKeeper {
  private let card: Card
  private var isKept: [Bool]
  /// The first property of each field that a contact has once.
  private var firstOfSingle: [CardField.Identity: Int] = [:]
  /// True after a list of groups.
  var hasGroups = false
  /// X-ABLabel by group, in lower case.
  private var labels: [String: String] = [:]

  init(_ card: Card) {
    self.card = card
    isKept = Array(repeating: false, count: card.lines.count)
    for line in card.lines where line.hasGroup && line.key == "X-ABLABEL" {
      labels[line.group.lowercased()] = CardLabels.label(ofAppleLabel: line.text)
    }
  }

  func label(of line: CardLine) -> String? {
    guard line.hasGroup, !labels.isEmpty else { return nil }
    return labels[line.group.lowercased()]
  }

  mutating func keep(_ index: Int) { isKept[index] = true }

  /// True for a property after the first of its field. Then the first is kept too, to tell them apart.
  mutating func isFurther(_ field: CardField, _ index: Int) -> Bool {
    guard let first = firstOfSingle[field.identity] else {
      firstOfSingle[field.identity] = index
      return false
    }
    keep(first)
    keep(index)
    return true
  }

  var lines: [String] {
    let texts = card.lines.indices.filter { isKept[$0] }.map { card.lines[$0].verbatim }
    return card.version == .v30 ? texts : ["VERSION:\(card.version.rawValue)"] + texts
  }
}
