import Contacts
import Foundation
import GRDB
import Pinyin
import Synchronization

/// SQL functions for orders whose keys are not stored. Only queries of this program use them, never the schema, so any
/// process can write to the book.
///
/// A list evaluates them for each contact once, when it gets that order, and then for contacts that are written.
enum OrderFunctions {
  static let all: [DatabaseFunction] = [
    DatabaseFunction("abk_organization_section", argumentCount: 2, pure: true) { values in
      section(organizations.key(of: values), values) ?? ContactSection.noOrganization.value
    },
    DatabaseFunction("abk_organization_key", argumentCount: 2, pure: true) { values in
      Data(organizations.key(of: values))
    },
    DatabaseFunction("abk_name_section", argumentCount: nameArguments, pure: true) { values in
      names.key(of: values).flatMap { section($0, values) }
    },
    DatabaseFunction("abk_name_key", argumentCount: nameArguments, pure: true) { values in
      names.key(of: values).map { Data($0) }
    },
  ]

  static func organizationSection(_ index: LocaleIndex?) -> String {
    "abk_organization_section(\(argument(index)), organization)"
  }

  static func organizationKey(_ index: LocaleIndex?) -> String {
    "abk_organization_key(\(argument(index)), organization)"
  }

  private static let organizations = OrganizationKeys()
  private static let names = NameKeys()

  private static let nameColumns = [
    "kind", "display_name", "formatted_name", "prefix", "given", "middle", "family", "suffix", "phonetic_family",
    "phonetic_given", "organization", "nickname",
  ]
  private static var nameArguments: Int { nameColumns.count + 2 }

  static func nameSection(_ style: NameStyle, _ index: LocaleIndex?) -> String {
    name("section", "abk_name_section", style, index)
  }

  static func nameKey(_ style: NameStyle, _ index: LocaleIndex?) -> String {
    name("sort_key", "abk_name_key", style, index)
  }

  /// Returns an expression for a section or key of a name. Without a locale, the stored value is used for an
  /// organization, for a contact with a phonetic name or without a family or given name, and for a name that the standard
  /// style displays the same way.
  private static func name(_ column: String, _ function: String, _ style: NameStyle, _ index: LocaleIndex?) -> String {
    let value = "\(function)(\(argument(index)), \(style.code), \(nameColumns.joined(separator: ", ")))"
    guard index == nil else { return value }
    return """
      CASE WHEN kind = 0 AND family <> '' AND given <> '' AND phonetic_family = '' AND phonetic_given = '' \
      THEN coalesce(\(value), \(column)) ELSE \(column) END
      """
  }

  /// The locale as an argument in SQL; a language tag has only letters, digits and hyphens.
  private static func argument(_ index: LocaleIndex?) -> String { "'\(index?.locale ?? "")'" }

  /// The locale of a call.
  private static func index(_ values: [DatabaseValue]) -> LocaleIndex? {
    let locale = text(values[0])
    return locale.isEmpty ? nil : LocaleIndex(locale)
  }

  private static func section(_ key: [UInt8], _ values: [DatabaseValue]) -> Int? {
    key.first.map { text(values[0]).isEmpty ? Int($0) : ContactSection.local(Int($0)).value }
  }

  private static func text(_ value: DatabaseValue) -> String { String.fromDatabaseValue(value) ?? "" }

  /// The keys of organizations, many of which occur more than once.
  private final class OrganizationKeys: Sendable {
    private static let limit = 50_000
    private let known = Mutex<[[DatabaseValue]: [UInt8]]>([:])

    /// Returns the key of an organization in a locale; empty if it has no name.
    func key(of values: [DatabaseValue]) -> [UInt8] {
      let organization = text(values[1])
      guard !organization.isEmpty else { return [] }
      if let key = known.withLock({ $0[values] }) { return key }
      let key = NameCollation(index(values)).sortKey(
        of: SortableName(kind: .organization, displayName: organization, organization: organization))
      known.withLock { known in
        if known.count >= Self.limit { known = [:] }
        known[values] = key
      }
      return key
    }
  }

  /// The keys of names; the last one is kept, because a row's section and key are computed one after the other.
  private final class NameKeys: Sendable {
    private let last = Mutex<(values: [DatabaseValue], key: [UInt8]?)>(([], nil))

    /// Returns the key of a name in a locale and a style; nil if there is no locale and the standard style displays it the
    /// same way.
    func key(of values: [DatabaseValue]) -> [UInt8]? {
      if let key = last.withLock({ $0.values == values ? Optional.some($0.key) : nil }) { return key }
      let key = newKey(of: values)
      last.withLock { $0 = (values, key) }
      return key
    }

    private func newKey(of values: [DatabaseValue]) -> [UInt8]? {
      var contact = Contact()
      contact.kind = Int.fromDatabaseValue(values[2]).flatMap(Contact.Kind.init) ?? .person
      contact.formattedName = text(values[4])
      contact.prefix = text(values[5])
      contact.given = text(values[6])
      contact.middle = text(values[7])
      contact.family = text(values[8])
      contact.suffix = text(values[9])
      contact.phoneticFamily = text(values[10])
      contact.phoneticGiven = text(values[11])
      contact.organization = text(values[12])
      contact.nickname = text(values[13])
      let (style, index) = (NameStyle(code: Int.fromDatabaseValue(values[1]) ?? 0), index(values))
      let name = style.rearrangedName(of: contact)
      guard index != nil else { return name.map(NameCollation().sortKey) }
      return NameCollation(index).sortKey(of: name ?? contact.sortableName(displayedAs: text(values[3])))
    }
  }
}

extension NameStyle {
  /// Returns the bytes by which a list that displays names in this style sorts a contact: the section, then the name.
  /// - Parameter index: the locale's sections and order; nil for the standard ones.
  public func sortKey(of contact: Contact, in index: LocaleIndex? = nil) -> [UInt8] {
    let name = rearrangedName(of: contact)
    if name == nil, index == nil { return contact.sortKey }
    return NameCollation(index).sortKey(of: name ?? contact.sortableName(displayedAs: contact.displayName))
  }

  /// Returns a name that this style displays differently from the standard style; nil for other names.
  fileprivate func rearrangedName(of contact: Contact) -> SortableName? {
    guard contact.phoneticFamily.isEmpty, contact.phoneticGiven.isEmpty, let name = composed(contact),
      name.text != NameStyle().name(of: contact)
    else { return nil }
    return SortableName(displayName: name.text, family: contact.family, given: contact.given)
  }

  /// The style as an argument in SQL.
  fileprivate var code: Int {
    [han == .given, kana == .given, hangul == .given, latin == .family].enumerated()
      .reduce(0) { $0 | ($1.element ? 1 << $1.offset : 0) }
  }

  fileprivate init(code: Int) {
    self.init()
    if code & 1 != 0 { han = .given }
    if code & 2 != 0 { kana = .given }
    if code & 4 != 0 { hangul = .given }
    if code & 8 != 0 { latin = .family }
  }
}
