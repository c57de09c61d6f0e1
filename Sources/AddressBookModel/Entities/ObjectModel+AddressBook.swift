import Contacts
import GRDB

extension ObjectModel {
  /// The entities of the address book and their tables.
  public static let addressBook = ObjectModel(
    [person, group, address, cardLine]
      + ContactFields.standard.values.map { labelled($0.entity, $0.table, $0.name) })

  private static let person = EntityDescription(
    name: "Person", table: "contact",
    attributes: [AttributeDescription("uid", maximumLength: Limits.uid)]
      + ContactFields.standard.all.compactMap(attribute),
    relationships: ContactFields.standard.all.compactMap(parts) + [
      RelationshipDescription(
        "groups", to: "Group", inverse: "members",
        storage: .join(table: "group_member", own: "contact_id", other: "group_id"))
    ],
    externals: [
      ExternalAttribute(
        "photo", table: "avatar", key: "contact_id", columns: ["media_type", "byte_count", "sha256", "data"])
    ],
    bookkeeping: Bookkeeping(
      version: "version", created: "created_at", modified: "modified_at", deleted: "deleted_at"),
    object: { Person(entity: $0, context: $1, objectID: $2) })

  /// The attribute of a field; nil for one that is kept in another way.
  private static func attribute(_ field: ContactField) -> AttributeDescription? {
    switch field {
    case .text(let text):
      AttributeDescription(text.name, column: text.column, maximumLength: text.limit, title: text.title)
    case .special(.kind): AttributeDescription(field.name, kind: .integer)
    case .special(.birthday): AttributeDescription(field.name, isOptional: true)
    default: nil
    }
  }

  /// The relationship to the parts of a field that has a table of its own.
  private static func parts(_ field: ContactField) -> RelationshipDescription? {
    switch field {
    case .values(let values): part(values.name, values.entity)
    case .special(.addresses): part(field.name, "Address")
    case .special(.cardLines): part(field.name, "CardLine")
    default: nil
    }
  }

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
    [AttributeDescription("label", maximumLength: Limits.label)]
      + AddressPart.inCardOrder.map {
        AttributeDescription($0.rawValue, column: $0.column, maximumLength: Limits.value)
      },
    "addresses")

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
