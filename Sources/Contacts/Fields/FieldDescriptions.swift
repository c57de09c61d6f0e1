extension ContactField {
  /// How a text is searched: the kind of field in which a query finds it, which also decides how high a match ranks.
  /// Texts of one kind are searched as one text.
  public enum SearchKind: Hashable, Sendable, CaseIterable {
    case family, given, phoneticFamily, phoneticGiven, nickname, organization, department, title, note
    case phone, email, url
    /// Searched like the note.
    case more
  }

  /// The vCard property of a field.
  public struct CardProperty: Sendable {
    /// How the property holds the field.
    public enum Form: Hashable, Sendable {
      /// As its text value: TITLE.
      case text
      /// As its text value, which may be several names separated by commas: NICKNAME.
      case names
      /// As one part of a structured value, by its index: N, ORG.
      case part(Int)
      /// As the display name, which every card must have: FN.
      case shownName
      /// A phone number: TEL.
      case phone
      /// An email address: EMAIL.
      case email
      /// A website: URL.
      case link
      /// A labeled date: X-ABDATE; ANNIVERSARY and older names are read too.
      case date
      /// A social account: IMPP; the properties of specific services are read too.
      case handle
      /// A related person by name: X-ABRELATEDNAMES, RELATED; older names are read too.
      case related
    }

    /// Name of the property in upper case, as it is written; the usual one if there are several.
    public let name: String
    /// How it holds the field.
    public let form: Form
    /// Lower ranks are written first, see ``ContactField/cardRank``.
    public let rank: Int
    /// The first version of the rules for reading cards with the property. Contacts that keep the card they came from
    /// may have lines for a field that was added later.
    public let since: Int

    /// Creates the description of a property.
    public init(_ name: String, _ form: Form = .text, rank: Int, since: Int = 1) {
      self.name = name
      self.form = form
      self.rank = rank
      self.since = since
    }
  }
}
