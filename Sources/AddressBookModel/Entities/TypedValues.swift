import ContactInterchange
import Contacts

/// What somebody typed or pasted as one value of a list, as it is stored.
public struct TypedValues: Hashable, Sendable {
  /// The values: all addresses in the text of an email field, and otherwise the text. A date is in ISO format. Marks that
  /// nobody sees, such as those for the direction of a text, which come along when a number or an address is copied, are
  /// left out.
  public private(set) var values: [String]
  /// The name beside the first address that has one; empty if there is none.
  public private(set) var name = ""

  /// Takes a text apart.
  public init(_ text: String, in field: ContactField.Values) {
    let isLink = field.search == .url
    guard field.rule == .phone || field.rule == .email || isLink else {
      values = [field.rule == .date ? TypedDate.english.day(text.trimmed)?.iso ?? text : text]
      return
    }
    let visible = text.unicodeScalars.filter { scalar in
      // The joiners are letters of some domains.
      scalar.properties.generalCategory != .format || isLink && (scalar == "\u{200C}" || scalar == "\u{200D}")
    }
    values = [String(String.UnicodeScalarView(visible))]
    if field.rule == .email, let addresses = MailAddress.all(in: values[0]) {
      values = addresses.map(\.address)
      name = addresses.first { !$0.name.isEmpty }?.name ?? ""
    }
  }
}

extension Contact {
  /// Takes a name that was typed beside an address as the full name, if the contact has no other.
  public mutating func takeName(of typed: TypedValues) {
    if formattedName.isEmpty, !hasNamePart, organization.isEmpty, nickname.isEmpty { formattedName = typed.name }
  }
}
