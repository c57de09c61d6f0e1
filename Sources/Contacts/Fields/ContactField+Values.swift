extension ContactField {
  /// A field with any number of labeled values.
  public final class Values: Sendable {
    /// The format of a value.
    public enum Rule: Sendable {
      /// Anything.
      case any
      /// At least one digit.
      case phone
      /// `someone@somewhere`.
      case email
      /// A valid date in the form of ``PartialDate/iso``.
      case date
    }

    /// Which values of the list are the same value, written in different ways: see ``ContactField/Values/key(of:)``.
    public enum Sameness: Sendable {
      /// The same text, regardless of case and the number of blanks.
      case text
      /// The same digits, letters and `+ * #`.
      case phone
      /// The same text, regardless of the case of the domain.
      case email
      /// The same text, regardless of the case of the scheme and the host, and of a `/` with nothing after it.
      case link
      /// The same name in the same service, which is the label.
      case handle
    }

    /// Name in JSON, in key paths of issues, in merges and in the object graph: `phones`.
    public let name: String
    /// Name of one value in `--set` and, after `field.`, in the keys of a screen's strings: `phone`.
    public let singular: String
    /// The property of a contact with the values.
    public let property: WritableKeyPath<Contact, [LabeledValue]> & Sendable
    /// The getter of the values, for code that reads whole books: reading by a key path copies the contact.
    public let read: @Sendable (Contact) -> [LabeledValue]
    /// The table with the values, one row each.
    public let table: String
    /// Entity of a value in the object graph.
    public let entity: String
    /// The format of a value.
    public let rule: Rule
    /// Which values are the same.
    public let sameness: Sameness
    /// Whether lists show the first value if a contact has no name.
    public let isFallbackName: Bool
    /// How the values are searched; nil if they are not.
    public let search: SearchKind?
    /// The vCard property that holds a value.
    public let card: CardProperty
    /// Whether some programs write one value in several properties of a card; it then counts once.
    public let isOftenRepeated: Bool
    /// Position in a form, see ``ContactField/formRank``.
    public let formRank: Int
    /// The labels that a form offers; a new value usually gets the first one that is not used yet.
    public let labels: [String]

    /// Creates a row of the table.
    public init(
      _ name: String, of singular: String, _ property: WritableKeyPath<Contact, [LabeledValue]> & Sendable,
      _ read: @escaping @Sendable (Contact) -> [LabeledValue], table: String, entity: String, rule: Rule = .any,
      sameness: Sameness = .text, isFallbackName: Bool = false,
      search: SearchKind? = nil,
      card: CardProperty, isOftenRepeated: Bool = false, form: Int, labels: [String]
    ) {
      self.name = name
      self.singular = singular
      self.property = property
      self.read = read
      self.table = table
      self.entity = entity
      self.rule = rule
      self.sameness = sameness
      self.isFallbackName = isFallbackName
      self.search = search
      self.card = card
      self.isOftenRepeated = isOftenRepeated
      formRank = form
      self.labels = labels
    }
  }
}

extension ContactField.Values: Hashable {
  /// Compares by identity.
  public static func == (one: ContactField.Values, other: ContactField.Values) -> Bool { one === other }

  /// Hashes the identity.
  public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
