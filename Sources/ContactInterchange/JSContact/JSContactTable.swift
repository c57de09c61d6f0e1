import VCard

/// Which property of a vCard is what in a JSContact Card (RFC 9553), in both directions (RFC 9555, 2).
///
/// Names, addresses, organizations, dates and relations have files of their own. A property that is in no table goes into
/// `vCardProps`, a parameter into `vCardParams`; a member of a Card that is in no table goes into JSPROP.
enum JSContactTable {
  /// A property that is an entry of a map: its value is the member `key` of the entry.
  struct Entry {
    let property: String
    let map: String
    let key: String
    /// The entry's `kind`, or its `vCardName`, by which entries of one map are told apart.
    var kind: String?
    var vCardName: String?
    var isURI = false
    /// The service of an account that the property is named for.
    var service: String?
  }

  static let entries: [Entry] =
    [
      Entry(property: "NICKNAME", map: "nicknames", key: "name"),
      Entry(property: "ORG", map: "organizations", key: "name"),
      Entry(property: "TITLE", map: "titles", key: "name", kind: "title"),
      Entry(property: "ROLE", map: "titles", key: "name", kind: "role"),
      Entry(property: "EMAIL", map: "emails", key: "address"),
      Entry(property: "TEL", map: "phones", key: "number"),
      Entry(property: "ADR", map: "addresses", key: "components"),
      Entry(property: "GEO", map: "addresses", key: "coordinates", isURI: true),
      Entry(property: "TZ", map: "addresses", key: "timeZone"),
      Entry(property: "SOCIALPROFILE", map: "onlineServices", key: "uri"),
      Entry(property: "IMPP", map: "onlineServices", key: "uri", vCardName: "impp"),
      Entry(property: "BDAY", map: "anniversaries", key: "date", kind: "birth"),
      Entry(property: "DEATHDATE", map: "anniversaries", key: "date", kind: "death"),
      Entry(property: "ANNIVERSARY", map: "anniversaries", key: "date", kind: "wedding"),
      Entry(property: "NOTE", map: "notes", key: "note"),
      Entry(property: "LANG", map: "preferredLanguages", key: "language"),
      Entry(property: "PRONOUNS", map: "pronouns", key: "pronouns"),
      Entry(property: "EXPERTISE", map: "personalInfo", key: "value", kind: "expertise"),
      Entry(property: "HOBBY", map: "personalInfo", key: "value", kind: "hobby"),
      Entry(property: "INTEREST", map: "personalInfo", key: "value", kind: "interest"),
      Entry(property: "URL", map: "links", key: "uri", isURI: true),
      Entry(property: "CONTACT-URI", map: "links", key: "uri", kind: "contact", isURI: true),
      Entry(property: "PHOTO", map: "media", key: "uri", kind: "photo", isURI: true),
      Entry(property: "LOGO", map: "media", key: "uri", kind: "logo", isURI: true),
      Entry(property: "SOUND", map: "media", key: "uri", kind: "sound", isURI: true),
      Entry(property: "CALURI", map: "calendars", key: "uri", kind: "calendar", isURI: true),
      Entry(property: "FBURL", map: "calendars", key: "uri", kind: "freeBusy", isURI: true),
      Entry(property: "CALADRURI", map: "schedulingAddresses", key: "uri", isURI: true),
      Entry(property: "KEY", map: "cryptoKeys", key: "uri", isURI: true),
      Entry(property: "SOURCE", map: "directories", key: "uri", kind: "entry", isURI: true),
      Entry(property: "ORG-DIRECTORY", map: "directories", key: "uri", kind: "directory", isURI: true),
    ]
    + CardHandles.services.map {
      Entry(
        property: $0.property, map: "onlineServices", key: "uri", vCardName: $0.property.lowercased(),
        service: $0.service)
    }
    + [Entry(property: "X-SOCIALPROFILE", map: "onlineServices", key: "uri", vCardName: "x-socialprofile")]

  /// The path of a map in a Card.
  static func path(of map: String) -> [String] { map == "pronouns" ? ["speakToAs", map] : [map] }

  static let byProperty = Dictionary(entries.map { ($0.property, $0) }, uniquingKeysWith: { first, _ in first })
  static let byMap = Dictionary(grouping: entries, by: \.map)

  /// Properties that a card has once, and the path of their member. The times have another form in JSON.
  static let singles: [(property: String, path: [String], isTime: Bool)] = [
    ("UID", ["uid"], false), ("KIND", ["kind"], false), ("PRODID", ["prodId"], false),
    ("LANGUAGE", ["language"], false), ("CREATED", ["created"], true), ("REV", ["updated"], true),
    ("GRAMGENDER", ["speakToAs", "grammaticalGender"], false),
  ]

  /// The form of a parameter's value as a member.
  enum MemberForm {
    case text, integer, time, level
  }

  /// A parameter that is a member of the entries of a map.
  struct Parameter {
    let name: String
    let path: [String]
    var form = MemberForm.text

    init(_ name: String, _ path: String..., form: MemberForm = .text) {
      (self.name, self.path, self.form) = (name, path, form)
    }
  }

  /// Returns the parameters that are members of the entries of a map.
  static func parameters(of map: String) -> [Parameter] {
    let own = parameters[map] ?? []
    return unranked.contains(map) ? own : [Parameter("PREF", "pref", form: .integer)] + own
  }

  private static let unranked: Set<String> = [
    "name", "titles", "organizations", "notes", "anniversaries", "personalInfo", "relatedTo", "speakToAs",
  ]
  private static let mediaType = Parameter("MEDIATYPE", "mediaType")
  private static let index = Parameter("INDEX", "listAs", form: .integer)
  private static let parameters: [String: [Parameter]] = [
    "links": [mediaType], "media": [mediaType], "calendars": [mediaType], "cryptoKeys": [mediaType],
    "directories": [mediaType, index],
    "personalInfo": [Parameter("LEVEL", "level", form: .level), index],
    "onlineServices": [Parameter("SERVICE-TYPE", "service"), Parameter("USERNAME", "user")],
    "anniversaries": [Parameter("CALSCALE", "date", "calendarScale")],
    "notes": [
      Parameter("AUTHOR", "author", "uri"), Parameter("AUTHOR-NAME", "author", "name"),
      Parameter("CREATED", "created", form: .time),
    ],
    "addresses": [
      Parameter("CC", "countryCode"), Parameter("GEO", "coordinates"), Parameter("TZ", "timeZone"),
      Parameter("LABEL", "full"),
    ],
  ]

  /// Returns the property of an entry; nil if there is none for its kind.
  static func row(of entry: JSONMembers, in map: String) -> Entry? {
    let rows = byMap[map] ?? []
    if let name = entry["vCardName"]?.text?.lowercased(), let row = rows.first(where: { $0.vCardName == name }) {
      return row
    }
    if map == "addresses" {
      let others: Set<String> = ["@type", "pref", "contexts", "label", "vCardParams"]
      let own = Set(entry.keys).subtracting(others)
      return rows.first { own == [$0.key] } ?? rows.first
    }
    let kind = entry["kind"]?.text ?? (map == "titles" ? "title" : nil)
    return rows.first { $0.vCardName == nil && $0.kind == kind }
  }

  /// The TYPEs that are contexts of the entries of a map, and those that are features of a phone.
  static func contexts(of map: String) -> [(type: String, member: String)] {
    if unranked.contains(map), map != "organizations" { return [] }
    let others = map == "addresses" ? ["billing", "delivery"] : []
    return [("home", "private"), ("work", "work")] + others.map { ($0, $0) }
  }

  static let features: [(type: String, member: String)] =
    [("cell", "mobile")] + ["fax", "main-number", "pager", "text", "textphone", "video", "voice"].map { ($0, $0) }

  /// The levels of EXPERTISE have other words than those of the members (RFC 6715, 3.2).
  static let levels: [(word: String, member: String)] = [
    ("beginner", "low"), ("average", "medium"), ("expert", "high"),
  ]

  /// The maps whose entries a Card may have in several languages as properties with an ALTID; in the others the book would
  /// take each for a further value.
  static let localized: Set<String> = ["nicknames", "organizations", "titles", "notes"]

  /// The parts of N and of ADR (RFC 9554, 2), in their order. The book, as most programs, knows only the first ones, in
  /// which those after them stand again.
  static let nameParts = ["surname", "given", "given2", "title", "credential", "surname2", "generation"]
  static let addressParts = [
    "postOfficeBox", "apartment", "name", "locality", "region", "postcode", "country", "room", "apartment", "floor",
    "number", "name", "building", "block", "subdistrict", "district", "landmark", "direction",
  ]
  /// The components that are part of the extended address; the other new ones are part of the street.
  static let extended: Set<String> = ["room", "apartment", "floor", "building", "subdistrict", "district"]
}

extension String {
  /// Whether the text is a URI: a scheme, and no blanks.
  var isURI: Bool {
    guard let colon = firstIndex(of: ":"), colon != startIndex else { return false }
    return self[..<colon].allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "+-.".contains($0)) }
      && !contains(where: \.isWhitespace)
  }
}
