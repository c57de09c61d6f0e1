import Contacts
import ObjectGraph

/// The book's model for `ObjectGraph`: properties have the names that they have in the book's JSON.
///
/// ``Person/willSave()`` sets the derived attributes.
enum BookModel {
  private typealias Entity = EntityDescription
  private typealias Attribute = AttributeDescription

  private static let checked = Result<ObjectModel, ObjectGraphError> { () throws(ObjectGraphError) in
    try ObjectModel(
      classes: [Person.self, Group.self],
      entities: [address, cardLines, photo] + ContactFields.standard.values.map(part), adjust: complete)
  }

  /// Returns the model, which is checked on first use.
  /// - Throws: `badModel` if the description is wrong.
  static func model() throws(ObjectGraphError) -> ObjectModel { try checked.get() }

  private static let mapped = Result<MappedTables, ObjectGraphError> { () throws(ObjectGraphError) in
    try MappedTables(model(), BookMapping.mapping)
  }

  /// Returns the model with the tables of the book, for batches.
  static func tables() throws(ObjectGraphError) -> MappedTables { try mapped.get() }

  /// Adds what the classes do not declare: the fields of the table, their lists, and the values that a save derives.
  private static func complete(_ entity: inout Entity) {
    guard entity.name == "Person" else {
      return entity.relationships.append(.toMany("members", "Person", inverse: "groups"))
    }
    entity.attributes +=
      [derived("section"), derived("name"), derived("sortKey", .data), derived("listPhone"), derived("listEmail")]
      + ContactFields.standard.all.compactMap(attribute)
    entity.relationships +=
      ContactFields.standard.values.map { parts($0.name, $0.entity) } + [
        parts("addresses", "Address"), .toMany("groups", "Group", inverse: "members", raisesVersion: true),
        .toOne("photo", "Photo", inverse: "person", deleteRule: .cascade),
        .toOne("vcardLines", "CardLines", inverse: "person", deleteRule: .cascade),
      ]
  }

  private static let address = Entity(
    "Address", owner: "person",
    attributes: [text("label", Limits.label)]
      + AddressPart.inCardOrder.map { text($0.rawValue, Limits.value) },
    relationships: [owner("addresses")])

  /// The lines of the card that the contact was imported from, see ``StoredLines``.
  private static let cardLines = Entity(
    "CardLines", owner: "person", isAtomic: true, attributes: [Attribute("lines", .string, isOptional: false)],
    relationships: [owner("vcardLines")])

  /// A photo, whose bytes are read on demand.
  private static let photo = Entity(
    "Photo", owner: "person", isAtomic: true,
    attributes: [
      Attribute("mediaType", .string, isOptional: false), Attribute("bytes", .integer, isOptional: false),
      Attribute("sha256", .string, isOptional: false), Attribute("data", .data, isOptional: false, isHidden: true),
    ], relationships: [.toOne("person", "Person", inverse: "photo", isOptional: false)])

  /// Returns the attribute of a field; nil for a field that is not an attribute, and for the kind.
  private static func attribute(_ field: ContactField) -> Attribute? {
    switch field {
    case .text(let field): text(field.name, field.limit)
    case .special(.birthday): Attribute(field.name, .string)
    default: nil
    }
  }

  private static func part(_ field: ContactField.Values) -> Entity {
    Entity(
      field.entity, owner: "person", attributes: [text("label", Limits.label), text("value", Limits.value)],
      relationships: [owner(field.name)])
  }

  private static func text(_ name: String, _ limit: Int) -> Attribute {
    Attribute(name, .string, isOptional: false, default: "", maximumLength: limit)
  }

  /// Returns an attribute for a value that a save derives. Conditions can use the values that are not hidden.
  private static func derived(_ name: String, _ type: AttributeType = .string) -> Attribute {
    let isKey = !["sortKey", "listPhone", "listEmail"].contains(name)
    return Attribute(name, type, isOptional: type == .data, default: type == .data ? .null : "", isHidden: !isKey)
  }

  private static func parts(_ name: String, _ entity: String) -> RelationshipDescription {
    .toMany(name, entity, inverse: "person", isOrdered: true, deleteRule: .cascade)
  }

  private static func owner(_ inverse: String) -> RelationshipDescription {
    .toOne("person", "Person", inverse: inverse, isOptional: false)
  }
}

/// The mapping of ``BookModel`` to the tables of the book.
enum BookMapping {
  static var mapping: StoreMapping {
    var entities = [
      "Person": person, "Group": group, "Address": part("address", addressColumns),
      "CardLines": EntityMapping(
        "contact_card", id: "contact_id", deletion: .withOwner("person"),
        relationships: ["person": .column("contact_id")]),
      "Photo": EntityMapping(
        "avatar", id: "contact_id", deletion: .withOwner("person"),
        attributes: ["mediaType": "media_type", "bytes": "byte_count", "data": MappedColumn("data", isFaulted: true)],
        relationships: ["person": .column("contact_id")]),
    ]
    for field in ContactFields.standard.values { entities[field.entity] = part(field.table) }
    return StoreMapping(entities)
  }

  private static let person = EntityMapping(
    "contact", version: "version",
    deletion: .marked(
      column: "deleted_at", also: ["modified_at"], isSparse: true, value: { .string(Timestamp.now()) }),
    attributes: [
      "kind": MappedColumn("kind", .names(kinds)),
      "section": MappedColumn("section", .names(sectionTitles)), "name": "display_name", "sortKey": "sort_key",
      "listPhone": "list_phone", "listEmail": "list_email",
      "created": "created_at", "modified": "modified_at",
    ].merging(textColumns) { own, _ in own },
    relationships: Dictionary(
      uniqueKeysWithValues: (ContactFields.standard.values.map(\.name) + ["addresses"]).map {
        ($0, RelationshipStorage.inverseColumn("contact_id", position: "position"))
      } + [
        ("groups", members(own: "contact_id", other: "group_id")), ("photo", .column("id")),
        ("vcardLines", .column("id")),
      ]))

  private static var textColumns: [String: MappedColumn] {
    Dictionary(uniqueKeysWithValues: ContactFields.standard.texts.map { ($0.name, MappedColumn($0.column)) })
  }

  private static var addressColumns: [String: MappedColumn] {
    Dictionary(uniqueKeysWithValues: AddressPart.allCases.map { ($0.rawValue, MappedColumn($0.column)) })
  }

  private static let group = EntityMapping(
    "contact_group", version: "version", relationships: ["members": members(own: "group_id", other: "contact_id")])

  private static func part(_ table: String, _ attributes: [String: MappedColumn] = [:]) -> EntityMapping {
    EntityMapping(
      table, deletion: .withOwner("person"), attributes: attributes,
      relationships: ["person": .column("contact_id")])
  }

  private static func members(own: String, other: String) -> RelationshipStorage {
    .join(JoinTable(table: "group_member", ownColumn: own, otherColumn: other))
  }

  private static var kinds: [Int64: String] {
    Dictionary(uniqueKeysWithValues: Contact.Kind.allCases.map { (Int64($0.rawValue), $0.name) })
  }

  private static var sectionTitles: [Int64: String] {
    Dictionary(uniqueKeysWithValues: Schema.sections.map { (Int64($0), AddressBook.sectionTitle($0)) })
  }
}

/// The fetch requests of the book: groups, counts, deleted contacts.
enum BookRequests {
  static let name = "name"
  static let count = "count"
  static let object = "SELF"

  /// A request for all groups, sorted by name, each with the number of its contacts.
  static var groups: ObjectFetchRequest {
    var request = ObjectFetchRequest("Group", sort: [SortKey(name)])
    request.result = .dictionaries
    request.properties = [.keyPath(object), .keyPath(name), .members(name: count, keyPath: "members")]
    return request
  }

  static func group(named text: String) -> ObjectFetchRequest {
    Group.where { $0.name == text }.request
  }

  /// Returns a request for deleted contacts, most recently deleted first.
  /// - Parameter limit: the maximum number; 0 for all.
  static func deleted(limit: Int) -> ObjectFetchRequest {
    var request = ObjectFetchRequest("Person")
    request.onlyDeleted = true
    request.limit = limit
    return request
  }

  // MARK: - Statistics

  static let organizations = "organizations"
  static let birthdays = "birthdays"

  /// A request for one row: the number of contacts, of organizations, and of contacts with a birthday.
  static var contacts: ObjectFetchRequest {
    var request = ObjectFetchRequest("Person")
    request.result = .dictionaries
    request.properties = [
      .function(name: count, .count, keyPath: object),
      .count(name: organizations, where: ObjectPath<Person>().kind == .organization),
      .function(name: birthdays, .count, keyPath: "birthday"),
    ]
    return request
  }

  static func count(of entity: String, onlyDeleted: Bool = false) -> ObjectFetchRequest {
    var request = ObjectFetchRequest(entity)
    request.onlyDeleted = onlyDeleted
    request.result = .count
    return request
  }
}

extension FetchResult {
  /// The value of a count result; 0 for any other result.
  var number: Int { if case .count(let count) = self { count } else { 0 } }

  /// The rows of a dictionary result; empty for any other result.
  var rows: [[String: Value]] { if case .dictionaries(let rows) = self { rows } else { [] } }

  /// The ids of an object result; empty for any other result.
  var ids: [Int64] { if case .objects(let ids) = self { ids.compactMap(\.number) } else { [] } }
}

extension [String: Value] {
  /// Returns the integer in a column; 0 if there is none.
  func integer(_ name: String) -> Int { if case .integer(let number)? = self[name] { Int(number) } else { 0 } }
}

/// Statistics of a book, for `stats`.
public struct BookStatistics: Hashable, Sendable {
  /// Contacts that are persons and not deleted.
  public let persons: Int
  /// Contacts that are organizations and not deleted.
  public let organizations: Int
  /// Deleted contacts that can be restored.
  public let deleted: Int
  /// Groups, without smart groups.
  public let groups: Int
  /// Phone numbers of contacts that are not deleted.
  public let phones: Int
  /// Email addresses of contacts that are not deleted.
  public let emails: Int
  /// Contacts with a photo that are not deleted.
  public let photos: Int
  /// Contacts with a birthday that are not deleted.
  public let birthdays: Int
  /// Size of the file and its write-ahead log in bytes.
  public let bytes: Int

  /// Counts everything in one snapshot of the book.
  /// - Parameter bytes: size of the file and its write-ahead log.
  init(_ context: ObjectContext, bytes: Int) throws(ObjectGraphError) {
    let counted = ["Group", "Phone", "Email", "Photo"].map { BookRequests.count(of: $0) }
    let results = try context.results(
      of: [BookRequests.contacts, BookRequests.count(of: "Person", onlyDeleted: true)] + counted)
    let contacts = results[0].rows.first ?? [:]
    organizations = contacts.integer(BookRequests.organizations)
    persons = contacts.integer(BookRequests.count) - organizations
    birthdays = contacts.integer(BookRequests.birthdays)
    deleted = results[1].number
    groups = results[2].number
    phones = results[3].number
    emails = results[4].number
    photos = results[5].number
    self.bytes = bytes
  }
}
