import Contacts
import VCard

/// A vCard 3.0 for a code that is scanned: the name of a contact, and of its phone numbers, emails, organization and
/// addresses what there is room for, in that order.
public struct CompactCard: Hashable, Sendable {
  /// The card. Its lines are neither folded nor ended by CR, which readers of codes do not need.
  public let text: String
  /// A field of the contact that the card lacks or has only in part.
  public struct Omission: Hashable, Sendable {
    /// The field.
    public let field: ContactField
    /// How many of its values the card lacks.
    public let count: Int
    /// How many values it has, at least ``count``.
    public let total: Int
  }

  /// What the card lacks, in the order of a form.
  public let leftOut: [Omission]
  /// Whether the card lacks the labels of its values, for want of room.
  public let lacksLabels: Bool
  /// Whether more room would add to the card.
  public var isShortened: Bool { lacksLabels || leftOut.contains { Self.isIncluded($0.field) } }

  /// Returns the card with as much as fits into so many bytes; nil if nothing but the name would fit, or not even that.
  public init?(of contact: Contact, capacity: Int) {
    var name = Contact()
    for field in ContactFields.standard.texts where Self.isOfName(field) { name[field] = contact[field] }
    // An organization may have no other name.
    if contact.kind == .organization {
      name.organization = contact.organization
      name.formattedName = contact.displayName
    }
    let additions = Self.additions(of: contact)
    var whole = name
    for add in additions { add(&whole, true) }
    var card = name
    if Self.text(of: whole, contact).utf8.count <= capacity {
      card = whole
      lacksLabels = false
    } else {
      for add in additions {
        var more = card
        add(&more, false)
        if Self.text(of: more, contact).utf8.count <= capacity { card = more }
      }
      guard card != name || (additions.isEmpty && Self.text(of: card, contact).utf8.count <= capacity) else {
        return nil
      }
      lacksLabels = card.labels.count < contact.labels.count
    }
    text = Self.text(of: card, contact)
    leftOut = ContactFields.standard.inFormOrder.compactMap { field in
      let (kept, total) = (card.valueCount(of: field), contact.valueCount(of: field))
      return kept < total ? Omission(field: field, count: total - kept, total: total) : nil
    }
  }

  /// What can be added to the name, in its order, with or without a label.
  private static func additions(of contact: Contact) -> [(inout Contact, _ labeled: Bool) -> Void] {
    var additions: [(inout Contact, Bool) -> Void] = []
    for list in [\Contact.phones, \.emails] {
      for value in contact[keyPath: list] {
        additions.append { $0[keyPath: list].append(LabeledValue(label: $1 ? value.label : "", value: value.value)) }
      }
    }
    for field in ContactFields.standard.texts where field.role == .employment && !contact[field].isEmpty {
      additions.append { card, _ in card[field] = contact[field] }
    }
    for address in contact.addresses {
      additions.append { card, isLabeled in
        var address = address
        if !isLabeled { address.label = "" }
        card.addresses.append(address)
      }
    }
    return additions
  }

  private static func isOfName(_ field: ContactField.Text) -> Bool { [.namePart, .fullName].contains(field.role) }

  /// Whether a card has the field if there is room.
  private static func isIncluded(_ field: ContactField) -> Bool {
    switch field {
    case .text(let text): isOfName(text) || text.role == .employment
    case .values(let values): ["phones", "emails"].contains(values.name)
    case .special(let special): special == .addresses
    }
  }

  private static func text(of card: Contact, _ contact: Contact) -> String {
    var card = card
    // A contact without a name is shown by another value.
    if card.displayName != contact.displayName { card.formattedName = contact.displayName }
    // INTERNET is the default of RFC 2426, 3.3.2.
    let lines = ContactCardWriter(version: .v30).card(for: card).lines.map { line in
      (line.isNamed("EMAIL") && line.types == ["internet"] ? line.withoutParameters(["TYPE"]) : line).verbatim
    }
    return (["BEGIN:VCARD", "VERSION:3.0"] + lines + ["END:VCARD"]).joined(separator: "\n")
  }
}

extension Contact {
  fileprivate var labels: [String] {
    (phones.map(\.label) + emails.map(\.label) + addresses.map(\.label)).filter { !$0.isEmpty }
  }

  /// How many values it has in a field, except those that are written in another way.
  fileprivate func valueCount(of field: ContactField) -> Int {
    switch field {
    case .text(let text): self[text].isEmpty || text.role == .fullName ? 0 : 1
    case .values(let values): self[keyPath: values.property].count
    case .special(.addresses): addresses.count
    case .special(.birthday): birthday == nil ? 0 : 1
    case .special(.groups): groups.isEmpty ? 0 : 1
    case .special(.photo): photo == nil ? 0 : 1
    case .special(.kind), .special(.cardLines): 0
    }
  }
}
