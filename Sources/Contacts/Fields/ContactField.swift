/// A field of a contact: a row of ``ContactFields``. Code that stores, reads, checks, merges, searches or displays
/// contacts iterates over the rows, and needs no change for a new text field or list of labeled values.
public enum ContactField: Hashable, Sendable {
  /// A single text.
  case text(Text)
  /// Any number of labeled values.
  case values(Values)
  /// A field with special treatment in each part of the program.
  case special(Special)

  /// The fields that are neither a single text nor a list of labeled values.
  public enum Special: String, Hashable, Sendable, CaseIterable {
    /// Person or organization.
    case kind
    /// Postal addresses; their parts are the cases of ``AddressPart``.
    case addresses
    /// Day of birth.
    case birthday
    /// The names of the contact's groups; the groups themselves belong to the book.
    case groups
    /// The photo; a contact has only its summary.
    case photo
    /// The lines of the contact's vCard; no form shows them.
    case cardLines
  }

  /// Name in key paths of issues, in the object graph, in the history and in drafts: `given`, `phones`, `birthday`. It
  /// is stored, so it must not change.
  public var name: String {
    switch self {
    case .text(let text): text.name
    case .values(let values): values.name
    case .special(let special): special.rawValue
    }
  }

  /// Key in the JSON of a contact. `--set` accepts it too, for all fields that it can set.
  public var jsonKey: String {
    switch self {
    case .text(let text): text.jsonKey
    case .special(.cardLines): "vcardLines"
    default: name
    }
  }

  /// Position among the fields of a form, lower ones first; nil if a form does not show it.
  public var formRank: Int? {
    switch self {
    case .text(let text): text.form.rank
    case .values(let values): values.formRank
    case .special(.kind): 0
    case .special(.photo): 10
    case .special(.addresses): 220
    case .special(.birthday): 260
    case .special(.groups): 280
    case .special(.cardLines): nil
    }
  }

  /// The vCard property of a text or a list.
  public var card: CardProperty? {
    switch self {
    case .text(let text): text.card
    case .values(let values): values.card
    case .special: nil
    }
  }

  /// Position among the properties of a vCard, lower ones first; fields that share a property share its position. Nil
  /// for the kept lines.
  public var cardRank: Int? {
    switch self {
    case .text, .values: card?.rank
    case .special(.kind): 0
    case .special(.addresses): 120
    case .special(.birthday): 140
    case .special(.groups): 180
    case .special(.photo): 200
    case .special(.cardLines): nil
    }
  }
}

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
    public var labels: [String] { shownLabels.isEmpty ? usualLabels : shownLabels }
    private let usualLabels: [String]
    /// The labels for which a form has a row even without a value: those of the user's own fields.
    public var shownLabels: [String] { card.form == .custom ? CustomFields.labels : [] }
    /// Whether a form offers to add a value: of the user's own fields, only if the settings name some.
    public var isOffered: Bool { card.form != .custom || !CustomFields.offered.isEmpty }

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
      usualLabels = labels
    }
  }
}

extension ContactField.Values: Hashable {
  /// Compares by identity.
  public static func == (one: ContactField.Values, other: ContactField.Values) -> Bool { one === other }

  /// Hashes the identity.
  public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

extension ContactField {
  /// A field with a single text value.
  public final class Text: Sendable {
    /// The meaning of the text, which decides how it is edited and displayed.
    public enum Role: Sendable {
      /// A part of the name. When it changes, the full name of a person is dropped
      /// (``Contact/dropOutdatedFullName(since:)``).
      case namePart
      /// The full name, if it differs from the name made from the parts.
      case fullName
      /// A phonetic part of the name.
      case phonetic
      /// Job title, department or organization: displayed below the name.
      case employment
      /// Displayed on a line of its own.
      case detail
      /// Free text of several lines: not trimmed, edited in a text area, displayed last.
      case prose
    }

    /// How the text is represented in JSON.
    public enum JSONForm: Sendable {
      /// Under its name, even if it is empty.
      case always
      /// Under its name, unless it is empty.
      case whenFilled
      /// Under `name`, which always has the display name. When read, it sets the text only if the contact would not
      /// have that display name without it.
      case shownName
    }

    /// The position of the field in a form.
    public struct FormPosition: Sendable {
      /// Lower ranks come first, see ``ContactField/formRank``.
      public let rank: Int
      /// Whether the field is rarely used: then a form shows it only if it is filled in or on request.
      public let isRare: Bool

      /// Creates a position in the form.
      public init(_ rank: Int, isRare: Bool = false) {
        self.rank = rank
        self.isRare = isRare
      }
    }

    /// Name in key paths of issues, in merges, in the object graph and, after `field.`, in the keys of a screen's
    /// strings.
    public let name: String
    /// The getter of the value. It is a closure, because a key path would make imports a seventh slower.
    public let read: @Sendable (Contact) -> String
    /// The setter of the value.
    public let write: @Sendable (inout Contact, String) -> Void
    /// Column of the contacts table.
    public let column: String
    /// Name in the keys of its localized names: `Property/<title>/Entity/Person`.
    public let title: String
    /// The meaning of the text.
    public let role: Role
    /// Maximum length in Unicode scalars.
    public let limit: Int
    /// How it is represented in JSON.
    public let json: JSONForm
    /// How it is searched; nil for text that is found only as part of the display name, if at all.
    public let search: SearchKind?
    /// The vCard property that holds it.
    public let card: CardProperty
    /// Its position in a form.
    public let form: FormPosition

    /// Key in JSON and in `--set`.
    public var jsonKey: String { json == .shownName ? "name" : name }
    /// Whether line ends and tabs are allowed.
    public var allowsLines: Bool { role == .prose }
    /// Whether it is the name, the phonetic name, or a part of one.
    public var isOfName: Bool { [.namePart, .fullName, .phonetic].contains(role) }

    /// Creates a text field, for ``ContactFields``.
    /// - Parameters:
    ///   - column: nil for the name in snake case.
    ///   - title: nil for the name.
    public init(
      _ name: String, _ read: @escaping @Sendable (Contact) -> String,
      _ write: @escaping @Sendable (inout Contact, String) -> Void, column: String? = nil, title: String? = nil,
      role: Role = .detail, limit: Int = Limits.name, json: JSONForm = .always, search: SearchKind? = nil,
      card: CardProperty, form: FormPosition
    ) {
      self.name = name
      self.read = read
      self.write = write
      self.column = column ?? Self.snakeCase(name)
      self.title = title ?? name
      self.role = role
      self.limit = limit
      self.json = json
      self.search = search
      self.card = card
      self.form = form
    }

    private static func snakeCase(_ name: String) -> String {
      name.reduce(into: "") { $0 += $1.isUppercase ? "_" + $1.lowercased() : String($1) }
    }
  }
}

extension ContactField.Text: Hashable {
  /// Compares by identity.
  public static func == (one: ContactField.Text, other: ContactField.Text) -> Bool { one === other }

  /// Hashes the identity.
  public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

extension Contact {
  /// Accesses the value of a field.
  public subscript(field: ContactField.Text) -> String {
    get { field.read(self) }
    set { field.write(&self, newValue) }
  }
}
