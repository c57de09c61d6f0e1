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
