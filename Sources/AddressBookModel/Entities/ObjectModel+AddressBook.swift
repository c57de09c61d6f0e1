import GRDB

extension ObjectModel {
  /// The entities of the address book and their tables.
  public static let addressBook = ObjectModel(
    [person, group, address, cardLine]
      + [
        labelled("Phone", "phone", "phones"), labelled("Email", "email", "emails"), labelled("Link", "url", "urls"),
        labelled("SpecialDate", "contact_date", "dates"), labelled("Handle", "handle", "handles"),
        labelled("RelatedName", "related", "related"),
      ])

  private static let person = EntityDescription(
    name: "Person", table: "contact",
    attributes: [
      AttributeDescription("uid", maximumLength: Limits.uid),
      AttributeDescription("kind", kind: .integer),
      AttributeDescription("formattedName", column: "formatted_name", maximumLength: Limits.name),
      AttributeDescription("prefix", maximumLength: Limits.name, title: "namePrefix"),
      AttributeDescription("given", maximumLength: Limits.name, title: "givenName"),
      AttributeDescription("middle", maximumLength: Limits.name, title: "middleName"),
      AttributeDescription("family", maximumLength: Limits.name, title: "familyName"),
      AttributeDescription("suffix", maximumLength: Limits.name, title: "nameSuffix"),
      AttributeDescription(
        "phoneticGiven", column: "phonetic_given", maximumLength: Limits.name, title: "phoneticGivenName"),
      AttributeDescription(
        "phoneticMiddle", column: "phonetic_middle", maximumLength: Limits.name, title: "phoneticMiddleName"),
      AttributeDescription(
        "phoneticFamily", column: "phonetic_family", maximumLength: Limits.name, title: "phoneticFamilyName"),
      AttributeDescription("nickname", maximumLength: Limits.name),
      AttributeDescription("organization", maximumLength: Limits.name, title: "organizationName"),
      AttributeDescription("department", maximumLength: Limits.name, title: "departmentName"),
      AttributeDescription("title", maximumLength: Limits.name, title: "jobTitle"),
      AttributeDescription("birthday", isOptional: true),
      AttributeDescription("note", maximumLength: Limits.note),
    ],
    relationships: [
      part("phones", "Phone"), part("emails", "Email"), part("addresses", "Address"), part("urls", "Link"),
      part("dates", "SpecialDate"), part("handles", "Handle"), part("related", "RelatedName"),
      part("cardLines", "CardLine"),
      RelationshipDescription(
        "groups", to: "Group", inverse: "members",
        storage: .join(table: "group_member", own: "contact_id", other: "group_id")),
    ],
    externals: [
      ExternalAttribute(
        "photo", table: "avatar", key: "contact_id", columns: ["media_type", "byte_count", "sha256", "data"])
    ],
    bookkeeping: Bookkeeping(
      version: "version", created: "created_at", modified: "modified_at", deleted: "deleted_at"),
    object: { Person(entity: $0, context: $1, objectID: $2) })

  private static let group = EntityDescription(
    name: "Group", table: "contact_group",
    attributes: [
      AttributeDescription("uid", maximumLength: Limits.uid),
      AttributeDescription("name", maximumLength: Limits.name),
    ],
    relationships: [
      RelationshipDescription(
        "members", to: "Person", inverse: "groups",
        storage: .join(table: "group_member", own: "group_id", other: "contact_id"))
    ],
    bookkeeping: Bookkeeping(version: "version"),
    object: { Group(entity: $0, context: $1, objectID: $2) })

  private static let address = partEntity(
    "Address", "address",
    [
      AttributeDescription("label", maximumLength: Limits.label),
      AttributeDescription("poBox", column: "po_box", maximumLength: Limits.value),
      AttributeDescription("extended", maximumLength: Limits.value),
      AttributeDescription("street", maximumLength: Limits.value),
      AttributeDescription("city", maximumLength: Limits.value),
      AttributeDescription("region", maximumLength: Limits.value),
      AttributeDescription("postalCode", column: "postal_code", maximumLength: Limits.value),
      AttributeDescription("country", maximumLength: Limits.value),
    ], "addresses")

  private static let cardLine = partEntity("CardLine", "card_line", [AttributeDescription("line")], "cardLines")

  private static func labelled(_ name: String, _ table: String, _ inverse: String) -> EntityDescription {
    partEntity(
      name, table,
      [
        AttributeDescription("label", maximumLength: Limits.label),
        AttributeDescription("value", maximumLength: Limits.value),
      ], inverse)
  }

  /// An entity whose objects are parts of a person, in an order.
  private static func partEntity(
    _ name: String, _ table: String, _ attributes: [AttributeDescription], _ inverse: String
  ) -> EntityDescription {
    EntityDescription(
      name: name, table: table, attributes: attributes + [AttributeDescription("position", kind: .integer)],
      relationships: [
        RelationshipDescription(
          "person", to: "Person", inverse: inverse, storage: .column("contact_id"), isOptional: false)
      ], owner: "person")
  }

  private static func part(_ name: String, _ destination: String) -> RelationshipDescription {
    RelationshipDescription(
      name, to: destination, inverse: "person", storage: .children(column: "contact_id", order: "position"),
      deleteRule: .cascade)
  }
}
