import ObjectGraph

/// Where the tables of the book keep what ``BookModel`` describes.
enum BookMapping {
  /// The mapping onto the tables of ``Schema``.
  static var mapping: StoreMapping {
    var entities = [
      "Person": person, "Group": group, "Address": part("address", ["poBox": "po_box", "postalCode": "postal_code"]),
      "CardLine": part("card_line"),
      "Photo": EntityMapping(
        "avatar", id: "contact_id", deletion: .withOwner("person"),
        attributes: ["mediaType": "media_type", "bytes": "byte_count"],
        relationships: ["person": .column("contact_id")]),
    ]
    for list in BookModel.labelled { entities[list.entity] = part(list.table) }
    return StoreMapping(entities)
  }

  private static let person = EntityMapping(
    "contact", version: "version", deletion: .marked(column: "deleted_at", value: { .string(Timestamp.now()) }),
    attributes: [
      "kind": MappedColumn("kind", .names([0: "person", 1: "organization"])),
      "section": MappedColumn("section", .names(sectionTitles)), "name": "display_name",
      "formattedName": "formatted_name", "phoneticGiven": "phonetic_given", "phoneticMiddle": "phonetic_middle",
      "phoneticFamily": "phonetic_family", "created": "created_at", "modified": "modified_at",
    ],
    relationships: Dictionary(
      uniqueKeysWithValues: (BookModel.labelled.map(\.key) + ["addresses", "vcardLines"]).map {
        ($0, RelationshipStorage.inverseColumn("contact_id", position: "position"))
      } + [("groups", members(own: "contact_id", other: "group_id")), ("photo", .column("id"))]))

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

  private static var sectionTitles: [Int64: String] {
    Dictionary(uniqueKeysWithValues: Schema.sections.map { (Int64($0), AddressBook.sectionTitle($0)) })
  }
}
