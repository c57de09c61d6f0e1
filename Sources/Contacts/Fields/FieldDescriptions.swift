extension ContactField {
  /// What a search takes a text for: it says in which kind of field a query finds it and what a match is worth. Fields of
  /// one kind are searched as one text.
  public enum SearchKind: Hashable, Sendable, CaseIterable {
    case family, given, phoneticFamily, phoneticGiven, nickname, organization, department, title, note
    case phone, email, url
  }

  /// The property of a vCard that holds a field.
  public struct CardProperty: Sendable {
    /// How the property holds it.
    public enum Form: Hashable, Sendable {
      /// As its text: TITLE.
      case text
      /// As its text, which may be several names with commas between them: NICKNAME.
      case names
      /// As one part of a structured value, by its place from 0: N, ORG.
      case part(Int)
      /// As what is shown as the name, which every card must have: FN.
      case shownName
      /// A telephone number: TEL.
      case phone
      /// An email address: EMAIL.
      case email
      /// A link: URL.
      case link
      /// A day with a label: X-ABDATE; ANNIVERSARY and its older spellings are read too.
      case date
      /// A name in a chat service: IMPP; the properties of single services are read too.
      case handle
      /// A related person by name: X-ABRELATEDNAMES, RELATED; older spellings are read too.
      case related
    }

    /// Name of the property in capitals as it is written, or of the usual one of several.
    public let name: String
    /// How it holds the field.
    public let form: Form
    /// Lower ones are written first, see ``ContactField/cardRank``.
    public let rank: Int

    /// A property.
    public init(_ name: String, _ form: Form = .text, rank: Int) {
      self.name = name
      self.form = form
      self.rank = rank
    }
  }
}
