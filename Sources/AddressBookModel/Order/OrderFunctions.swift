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
    DatabaseFunction("abk_organization_section", argumentCount: 1, pure: true) { values in
      let key = organizations.key(of: text(values[0]))
      return key.first.map { Int($0) } ?? ContactSection.noOrganization.value
    },
    DatabaseFunction("abk_organization_key", argumentCount: 1, pure: true) { values in
      Data(organizations.key(of: text(values[0])))
    },
    DatabaseFunction("abk_name_section", argumentCount: nameArguments, pure: true) { values in
      names.key(of: values)?.first.map { Int($0) }
    },
    DatabaseFunction("abk_name_key", argumentCount: nameArguments, pure: true) { values in
      names.key(of: values).map { Data($0) }
    },
  ]

  static let organizationSection = "abk_organization_section(organization)"
  static let organizationKey = "abk_organization_key(organization)"

  private static let organizations = OrganizationKeys()
  private static let names = NameKeys()

  private static let nameColumns = ["formatted_name", "prefix", "given", "middle", "family", "suffix"]
  private static var nameArguments: Int { nameColumns.count + 1 }

  static func nameSection(_ style: NameStyle) -> String { name("section", "abk_name_section", style) }

  static func nameKey(_ style: NameStyle) -> String { name("sort_key", "abk_name_key", style) }

  /// Returns an expression for a section or key of a name. The stored value is used for an organization, for a contact
  /// with a phonetic name or without a family or given name, and for a name that the standard style displays the same
  /// way.
  private static func name(_ column: String, _ function: String, _ style: NameStyle) -> String {
    """
    CASE WHEN kind = 0 AND family <> '' AND given <> '' AND phonetic_family = '' AND phonetic_given = '' \
    THEN coalesce(\(function)(\(style.code), \(nameColumns.joined(separator: ", "))), \(column)) ELSE \(column) END
    """
  }

  private static func text(_ value: DatabaseValue) -> String { String.fromDatabaseValue(value) ?? "" }

  /// The keys of organizations, many of which occur more than once.
  private final class OrganizationKeys: Sendable {
    private static let limit = 50_000
    private let known = Mutex<[String: [UInt8]]>([:])

    /// Returns the key of an organization; empty if it has no name.
    func key(of organization: String) -> [UInt8] {
      guard !organization.isEmpty else { return [] }
      if let key = known.withLock({ $0[organization] }) { return key }
      let key = NameCollation().sortKey(
        of: SortableName(kind: .organization, displayName: organization, organization: organization))
      known.withLock { known in
        if known.count >= Self.limit { known = [:] }
        known[organization] = key
      }
      return key
    }
  }

  /// The keys of names; the last one is kept, because a row's section and key are computed one after the other.
  private final class NameKeys: Sendable {
    private let last = Mutex<(values: [DatabaseValue], key: [UInt8]?)>(([], nil))

    /// Returns the key of a name in a style; nil if the standard style displays it the same way.
    func key(of values: [DatabaseValue]) -> [UInt8]? {
      if let key = last.withLock({ $0.values == values ? Optional.some($0.key) : nil }) { return key }
      let key = newKey(of: values)
      last.withLock { $0 = (values, key) }
      return key
    }

    private func newKey(of values: [DatabaseValue]) -> [UInt8]? {
      var contact = Contact()
      contact.formattedName = text(values[1])
      contact.prefix = text(values[2])
      contact.given = text(values[3])
      contact.middle = text(values[4])
      contact.family = text(values[5])
      contact.suffix = text(values[6])
      return NameStyle(code: Int.fromDatabaseValue(values[0]) ?? 0).rearrangedKey(of: contact)
    }
  }
}

extension NameStyle {
  /// Returns the bytes by which a list that displays names in this style sorts a contact: the section, then the name.
  public func sortKey(of contact: Contact) -> [UInt8] {
    guard contact.phoneticFamily.isEmpty, contact.phoneticGiven.isEmpty else { return contact.sortKey }
    return rearrangedKey(of: contact) ?? contact.sortKey
  }

  /// Returns the key of a name that this style displays differently from the standard style; nil for other names.
  fileprivate func rearrangedKey(of contact: Contact) -> [UInt8]? {
    guard let name = composed(contact), name.text != NameStyle().name(of: contact) else { return nil }
    return NameCollation().sortKey(
      of: SortableName(displayName: name.text, family: contact.family, given: contact.given))
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
