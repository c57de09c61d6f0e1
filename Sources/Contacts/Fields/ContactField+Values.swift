extension ContactField {
  /// A field that holds any number of values, each with a label.
  public final class Values: Sendable {
    /// What a value must look like, beyond its length.
    public enum Rule: Sendable {
      /// Anything.
      case any
      /// At least one digit.
      case phone
      /// `someone@somewhere`.
      case email
      /// A day of the calendar in the form of ``PartialDate/iso``.
      case date
    }

    /// When two values of the list are the same value, written in two ways: see ``ContactField/Values/key(of:)``.
    public enum Sameness: Sendable {
      /// The same text, whatever the case of its letters and the number of its blanks.
      case text
      /// The same digits and letters.
      case phone
      /// The same text, the domain in either case.
      case email
      /// The same text, scheme and host in either case.
      case link
      /// The same name in the same service, which is the label.
      case handle
    }

    /// Name in JSON, in key paths of issues, in merges and in the object graph: `phones`.
    public let name: String
    /// Name of one value in `--set` and, after `field.`, in the keys of a screen's words: `phone`.
    public let singular: String
    /// Where a contact keeps them.
    public let property: WritableKeyPath<Contact, [LabelledValue]> & Sendable
    /// Table that holds them, a row a value.
    public let table: String
    /// Entity of a value in the object graph.
    public let entity: String
    /// What a value must look like.
    public let rule: Rule
    /// When two values are the same.
    public let sameness: Sameness
    /// True where a value can stand for a missing name, so that lists show the first one.
    public let standsForName: Bool
    /// What a search takes the values for; nil for what is not searched.
    public let search: SearchKind?
    /// The property of a vCard that holds one of them.
    public let card: CardProperty
    /// True where some programs write one value in several properties of a card: it counts once.
    public let isOftenRepeated: Bool
    /// Place in a form, see ``ContactField/formRank``.
    public let formRank: Int
    /// The labels that a form offers; the first is a new value's.
    public let labels: [String]

    /// A row of the table.
    public init(
      _ name: String, of singular: String, _ property: WritableKeyPath<Contact, [LabelledValue]> & Sendable,
      table: String, entity: String, rule: Rule = .any, sameness: Sameness = .text, standsForName: Bool = false, search: SearchKind? = nil,
      card: CardProperty, isOftenRepeated: Bool = false, form: Int, labels: [String]
    ) {
      self.name = name
      self.singular = singular
      self.property = property
      self.table = table
      self.entity = entity
      self.rule = rule
      self.sameness = sameness
      self.standsForName = standsForName
      self.search = search
      self.card = card
      self.isOftenRepeated = isOftenRepeated
      formRank = form
      self.labels = labels
    }
  }
}

extension ContactField.Values: Hashable {
  /// A row is equal to itself alone.
  public static func == (one: ContactField.Values, other: ContactField.Values) -> Bool { one === other }

  /// By identity.
  public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
