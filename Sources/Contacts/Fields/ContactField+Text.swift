extension ContactField {
  /// A field that holds one text.
  public final class Text: Sendable {
    /// What the text is to a person, which says how it is edited and shown.
    public enum Role: Sendable {
      /// A part of the name. When it changes, a full name that was set apart is dropped.
      case namePart
      /// The full name where it differs from the name that the parts make.
      case wholeName
      /// How a part of the name is said.
      case phonetic
      /// What the person does, and where: shown below the name.
      case position
      /// Shown on a line of its own.
      case detail
      /// Free text of several lines: not trimmed, edited in an area, shown last.
      case prose
    }

    /// How the text stands in JSON.
    public enum JSONForm: Sendable {
      /// Under its name, also when it is empty.
      case always
      /// Under its name where it is not empty.
      case whenFilled
      /// Under `name`, which always says what is shown and which, read, sets the text only where it says something else.
      case shownName
    }

    /// Where a form shows the field.
    public struct FormPlace: Sendable {
      /// Lower ones first, see ``ContactField/formRank``.
      public let rank: Int
      /// True for what few people have: shown where it is filled in, or when it is asked for.
      public let isRare: Bool

      /// A place in the form.
      public init(_ rank: Int, isRare: Bool = false) {
        self.rank = rank
        self.isRare = isRare
      }
    }

    /// Name in key paths of issues, in merges, in the object graph and, after `field.`, in the keys of a screen's words.
    public let name: String
    /// Reads it. A key path would take a seventh of the time of an import.
    public let read: @Sendable (Contact) -> String
    /// Writes it.
    public let write: @Sendable (inout Contact, String) -> Void
    /// Column of the table of contacts.
    public let column: String
    /// Name in the keys of its words: `Property/<title>/Entity/Person`.
    public let title: String
    /// What it is to a person.
    public let role: Role
    /// Greatest length in Unicode scalars.
    public let limit: Int
    /// How it stands in JSON.
    public let json: JSONForm
    /// What a search takes it for; nil for what is found only as a part of the shown name, if at all.
    public let search: SearchKind?
    /// The property of a vCard that holds it.
    public let card: CardProperty
    /// Where a form shows it.
    public let form: FormPlace

    /// Key in JSON and in `--set`.
    public var jsonKey: String { json == .shownName ? "name" : name }
    /// True where line ends and tabs are usual.
    public var allowsLines: Bool { role == .prose }

    /// A row of the table.
    /// - Parameters:
    ///   - column: nil for the name in snake case.
    ///   - title: nil for the name.
    public init(
      _ name: String, _ read: @escaping @Sendable (Contact) -> String,
      _ write: @escaping @Sendable (inout Contact, String) -> Void, column: String? = nil, title: String? = nil,
      role: Role = .detail, limit: Int = Limits.name, json: JSONForm = .always, search: SearchKind? = nil,
      card: CardProperty, form: FormPlace
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
  /// A row is equal to itself alone.
  public static func == (one: ContactField.Text, other: ContactField.Text) -> Bool { one === other }

  /// By identity.
  public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

extension Contact {
  /// The text of a field.
  public subscript(field: ContactField.Text) -> String {
    get { field.read(self) }
    set { field.write(&self, newValue) }
  }
}
