import Contacts
import ObjectGraph

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
