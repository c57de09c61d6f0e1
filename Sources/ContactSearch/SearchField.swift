/// The kinds of text that are searched, best first: an equally good match in an earlier kind ranks higher, except that
/// family and given names rank alike.
package enum FieldKind: UInt8, CaseIterable, Sendable {
  case name, phonetic, nickname, family, given, phone, email, organization, title, department, group, url, address, note

  /// The value of a match in this field apart from its own quality, in hundredths of a point. A match in the name is
  /// worth more than the best match elsewhere: ranking relies on this to check names first.
  var weight: Int {
    switch self {
    case .name: 20_000
    case .phonetic: 12_000
    case .nickname: 11_800
    case .family, .given: 11_600
    case .phone: 11_000
    case .email: 10_500
    case .organization: 10_000
    case .title: 9_000
    case .department: 8_800
    case .group: 8_600
    case .url: 7_000
    case .address: 6_000
    case .note: 5_000
    }
  }
}

/// A set of ``FieldKind``s that a term may match.
struct FieldSet: OptionSet, Hashable, Sendable {
  let rawValue: UInt16

  static let all = FieldSet(rawValue: .max)

  init(rawValue: UInt16) { self.rawValue = rawValue }

  init(_ kinds: FieldKind...) {
    rawValue = kinds.reduce(0) { $0 | 1 << $1.rawValue }
  }

  func contains(_ kind: FieldKind) -> Bool { rawValue & 1 << kind.rawValue != 0 }
}

/// One text of a contact, such as the organization or the second phone number.
public struct SearchField: Hashable, Sendable, CustomStringConvertible {
  let kind: FieldKind
  /// The index among the values of the same kind, from 0; nil for a field that can have only one value.
  public let index: Int?

  init(_ kind: FieldKind, index: Int? = nil) {
    self.kind = kind
    self.index = index
  }

  /// The index in ``SearchDocument/more``; nil for any other field.
  public var indexOfMore: Int? { kind == .note ? index : nil }

  /// The key used in JSON: `name`, `nickname`, `organization`, `phones[0]`, `emails[1]`, `note`…
  /// `phonetic` is the phonetic family name, a space, and the phonetic given name.
  public var key: String {
    guard let index else { return kind.key }
    return "\(kind.key)[\(index)]"
  }

  /// The key.
  public var description: String { key }

  /// The display name.
  public static let name = SearchField(.name)
  /// The nickname.
  public static let nickname = SearchField(.nickname)
  /// The organization.
  public static let organization = SearchField(.organization)
  /// The department.
  public static let department = SearchField(.department)
  /// The job title.
  public static let title = SearchField(.title)
  /// The note.
  public static let note = SearchField(.note)
  /// Returns the field of the phone number at an index, from 0.
  public static func phone(_ index: Int) -> SearchField { SearchField(.phone, index: index) }
  /// Returns the field of the email address at an index, from 0.
  public static func email(_ index: Int) -> SearchField { SearchField(.email, index: index) }
  /// Returns the field of the postal address at an index, from 0.
  public static func address(_ index: Int) -> SearchField { SearchField(.address, index: index) }
  /// Returns the field of the website at an index, from 0.
  public static func url(_ index: Int) -> SearchField { SearchField(.url, index: index) }
  /// Returns the field of the group at an index, from 0.
  public static func group(_ index: Int) -> SearchField { SearchField(.group, index: index) }
}

extension FieldKind {
  /// The key in a contact's JSON, without the index; `phonetic` stands for both phonetic names.
  var key: String {
    switch self {
    case .name: "name"
    case .phonetic: "phonetic"
    case .nickname: "nickname"
    case .family: "family"
    case .given: "given"
    case .phone: "phones"
    case .email: "emails"
    case .organization: "organization"
    case .title: "title"
    case .department: "department"
    case .group: "groups"
    case .url: "urls"
    case .address: "addresses"
    case .note: "note"
    }
  }
}

/// The part of a field that a query matched.
public struct FieldMatch: Hashable, Sendable {
  /// The field.
  public let field: SearchField
  /// The ranges to highlight: half-open ranges of code points of the field's text in normalization form C, ascending
  /// and disjoint.
  public let ranges: [Range<Int>]

  init(field: SearchField, ranges: [Range<Int>]) {
    self.field = field
    self.ranges = ranges
  }
}
