/// The fields of a contact, one row each, in the order of JSON.
public struct ContactFields: Sendable {
  /// All rows.
  public let all: [ContactField]
  /// The rows of text fields, in the order of a contact's columns.
  public let texts: [ContactField.Text]
  /// The rows of labeled values.
  public let values: [ContactField.Values]
  /// The fields that a form shows, in its order.
  public let inFormOrder: [ContactField]
  /// The fields that a vCard contains, in its order.
  public let inCardOrder: [ContactField]
  /// The vCard properties, in lower case, that a contact has only once, and those about the card.
  let singleProperties: Set<String>
  /// The vCard properties, in lower case, that fields and the UID are written to.
  let cardProperties: Set<String>
  private let byJSONKey: [String: ContactField]

  /// Creates a table of these rows. Their names and JSON keys must be unique.
  public init(_ all: [ContactField]) {
    self.all = all
    texts = all.compactMap { if case .text(let text) = $0 { text } else { nil } }
    values = all.compactMap { if case .values(let values) = $0 { values } else { nil } }
    inFormOrder = Self.sorted(all, by: \.formRank)
    inCardOrder = Self.sorted(all, by: \.cardRank)
    singleProperties = Set(texts.map { $0.card.name.lowercased() })
      .union(["uid", "kind", "x-abshowas", "bday", "photo", "version", "prodid", "rev"])
    cardProperties = Set((texts.map(\.card.name) + values.map(\.card.name)).map { $0.lowercased() })
      .union(["uid", "kind", "x-abshowas", "bday", "photo", "adr", "categories"])
    byJSONKey = Dictionary(all.map { ($0.jsonKey, $0) }, uniquingKeysWith: { first, _ in first })
  }

  /// Returns the field with this key in a contact's JSON; nil if no field has it.
  public func field(jsonKey: String) -> ContactField? { byJSONKey[jsonKey] }

  /// Returns the text field with this name; nil if there is none.
  public func text(named name: String) -> ContactField.Text? { texts.first { $0.name == name } }

  /// Returns the list with this name; nil if there is none.
  public func values(named name: String) -> ContactField.Values? { values.first { $0.name == name } }

  private static func sorted(_ all: [ContactField], by rank: (ContactField) -> Int?) -> [ContactField] {
    all.compactMap { field in rank(field).map { (field, $0) } }.sorted { $0.1 < $1.1 }.map(\.0)
  }

  /// The fields of every contact.
  public static let standard = ContactFields(rows)

  /// The rows of ``standard``. Only a test adds some, before the first use of `standard`.
  nonisolated(unsafe) static var rows: [ContactField] = [
    .special(.kind),
    .text(
      .init(
        "formattedName", { $0.formattedName }, { $0.formattedName = $1 }, role: .fullName, json: .shownName,
        card: .init("FN", .shownName, rank: 20), form: .init(70, isRare: true))),
    .text(
      .init(
        "prefix", { $0.prefix }, { $0.prefix = $1 }, title: "namePrefix", role: .namePart,
        card: .init("N", .part(3), rank: 10), form: .init(20, isRare: true))),
    .text(
      .init(
        "given", { $0.given }, { $0.given = $1 }, title: "givenName", role: .namePart, search: .given,
        card: .init("N", .part(1), rank: 10), form: .init(40))),
    .text(
      .init(
        "middle", { $0.middle }, { $0.middle = $1 }, title: "middleName", role: .namePart,
        card: .init("N", .part(2), rank: 10), form: .init(50, isRare: true))),
    .text(
      .init(
        "family", { $0.family }, { $0.family = $1 }, title: "familyName", role: .namePart, search: .family,
        card: .init("N", .part(0), rank: 10), form: .init(30))),
    .text(
      .init(
        "suffix", { $0.suffix }, { $0.suffix = $1 }, title: "nameSuffix", role: .namePart,
        card: .init("N", .part(4), rank: 10), form: .init(60, isRare: true))),
    .text(
      .init(
        "phoneticGiven", { $0.phoneticGiven }, { $0.phoneticGiven = $1 }, title: "phoneticGivenName", role: .phonetic,
        search: .phoneticGiven, card: .init("X-PHONETIC-FIRST-NAME", rank: 60), form: .init(100, isRare: true))),
    .text(
      .init(
        "phoneticMiddle", { $0.phoneticMiddle }, { $0.phoneticMiddle = $1 }, title: "phoneticMiddleName",
        role: .phonetic, json: .whenFilled, card: .init("X-PHONETIC-MIDDLE-NAME", rank: 50),
        form: .init(90, isRare: true))),
    .text(
      .init(
        "phoneticFamily", { $0.phoneticFamily }, { $0.phoneticFamily = $1 }, title: "phoneticFamilyName",
        role: .phonetic, search: .phoneticFamily, card: .init("X-PHONETIC-LAST-NAME", rank: 40),
        form: .init(80, isRare: true))),
    .text(
      .init(
        "nickname", { $0.nickname }, { $0.nickname = $1 }, search: .nickname,
        card: .init("NICKNAME", .names, rank: 30), form: .init(110))),
    .text(
      .init(
        "organization", { $0.organization }, { $0.organization = $1 }, title: "organizationName", role: .employment,
        search: .organization, card: .init("ORG", .part(0), rank: 70), form: .init(120))),
    .text(
      .init(
        "department", { $0.department }, { $0.department = $1 }, title: "departmentName", role: .employment,
        search: .department, card: .init("ORG", .part(1), rank: 70), form: .init(130))),
    .text(
      .init(
        "title", { $0.title }, { $0.title = $1 }, title: "jobTitle", role: .employment, search: .title,
        card: .init("TITLE", rank: 80), form: .init(140))),
    .text(
      .init(
        "pronouns", { $0.pronouns }, { $0.pronouns = $1 }, json: .whenFilled, search: .more,
        card: .init("PRONOUNS", rank: 84, since: 3), form: .init(104, isRare: true))),
    .text(
      .init(
        "grammaticalGender", { $0.grammaticalGender }, { $0.grammaticalGender = $1 }, json: .whenFilled,
        card: .init("GRAMGENDER", rank: 86, since: 3), form: .init(106, isRare: true))),
    .values(
      .init(
        "phones", of: "phone", \.phones, { $0.phones }, table: "phone", entity: "Phone", rule: .phone, sameness: .phone,
        isFallbackName: true,
        search: .phone, card: .init("TEL", .phone, rank: 100), form: 200,
        labels: ["mobile", "home", "work", "main", "iphone", "home fax", "work fax", "pager", "other"])),
    .values(
      .init(
        "emails", of: "email", \.emails, { $0.emails }, table: "email", entity: "Email", rule: .email, sameness: .email,
        isFallbackName: true,
        search: .email, card: .init("EMAIL", .email, rank: 110), form: 210,
        labels: ["home", "work", "school", "other"])),
    .special(.addresses),
    .values(
      .init(
        "urls", of: "url", \.urls, { $0.urls }, table: "url", entity: "Link", sameness: .link, search: .url,
        card: .init("URL", .link, rank: 130),
        form: 230, labels: ["homepage", "home", "work", "blog", "profile", "other"])),
    .values(
      .init(
        "dates", of: "date", \.dates, { $0.dates }, table: "contact_date", entity: "SpecialDate", rule: .date,
        card: .init("X-ABDATE", .date, rank: 150), isOftenRepeated: true, form: 270,
        labels: ["anniversary", "other"])),
    .values(
      .init(
        "handles", of: "handle", \.handles, { $0.handles }, table: "handle", entity: "Handle", sameness: .handle,
        search: .more,
        card: .init("IMPP", .handle, rank: 160), isOftenRepeated: true, form: 240,
        labels: [
          "wechat", "qq", "signal", "telegram", "whatsapp", "matrix", "line", "jabber", "mastodon", "github", "discord",
          "skype", "facebook", "instagram", "linkedin", "twitter", "weibo", "kakaotalk", "viber", "sip", "irc",
        ])),
    .values(
      .init(
        "related", of: "related", \.related, { $0.related }, table: "related", entity: "RelatedName", search: .more,
        card: .init("X-ABRELATEDNAMES", .related, rank: 170), isOftenRepeated: true, form: 250,
        labels: [
          "spouse", "partner", "child", "parent", "mother", "father", "brother", "sister", "friend", "assistant",
          "manager", "other",
        ])),
    .values(
      .init(
        "languages", of: "language", \.languages, { $0.languages }, table: "language", entity: "Language",
        search: .more, card: .init("LANG", rank: 165, since: 3), form: 252, labels: ["home", "work", "other"])),
    .values(
      .init(
        "custom", of: "custom", \.custom, { $0.custom }, table: "custom_field", entity: "CustomField", search: .more,
        card: .init("X-CUSTOM", .custom, rank: 185, since: 4), isOftenRepeated: true, form: 285, labels: ["other"])),
    .special(.birthday),
    .text(
      .init(
        "note", { $0.note }, { $0.note = $1 }, role: .prose, limit: Limits.note, search: .note,
        card: .init("NOTE", rank: 190), form: .init(290))),
    .special(.groups),
    .special(.photo),
    .special(.cardLines),
  ]
}
