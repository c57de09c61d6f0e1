import Contacts

/// A count of what an export leaves out because its format has no place for it.
public struct LossTally: Hashable, Sendable {
  /// The number of contacts that lose something in a field, keyed by ``ContactField/name``.
  public private(set) var counts: [String: Int] = [:]
  /// The number of contacts that lose the label of a value.
  public private(set) var labels = 0

  /// Creates an empty tally.
  public init() {}

  /// Whether nothing was lost.
  public var isEmpty: Bool { counts.isEmpty && labels == 0 }

  /// Counts a contact that loses these fields, and perhaps the label of a value.
  mutating func add(_ fields: Set<String>, labels losesLabel: Bool) {
    for field in fields { counts[field, default: 0] += 1 }
    if losesLabel { labels += 1 }
  }

  /// Returns the names of the fields of a contact that have a value, except the kind.
  static func filled(_ contact: Contact) -> Set<String> {
    var filled: Set<String> = []
    for field in ContactFields.standard.all where isFilled(field, contact) { filled.insert(field.name) }
    return filled
  }

  private static func isFilled(_ field: ContactField, _ contact: Contact) -> Bool {
    switch field {
    case .text(let text): !contact[text].isEmpty
    case .values(let values): !contact[keyPath: values.property].isEmpty
    case .special(.kind): false
    case .special(.addresses): !contact.addresses.isEmpty
    case .special(.birthday): contact.birthday != nil
    case .special(.groups): !contact.groups.isEmpty
    case .special(.photo): contact.photo != nil
    case .special(.cardLines): ParsedCard(kept: contact.cardLines, .standard).hasFurtherLines
    }
  }
}
