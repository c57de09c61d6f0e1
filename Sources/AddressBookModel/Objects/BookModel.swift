import Contacts
import ObjectGraph

/// The book in the terms of `ObjectGraph`: entities and properties by the keys of the book's JSON.
///
/// `name` and `section` are derived columns, which are read and never written by hand.
enum BookModel {
  private typealias Entity = ObjectGraph.EntityDescription
  private typealias Attribute = ObjectGraph.AttributeDescription

  private static let checked = Result<ObjectGraph.ObjectModel, ObjectGraphError> { () throws(ObjectGraphError) in
    try ObjectGraph.ObjectModel(
      entities: [person, group, address, cardLine, photo] + ContactFields.standard.values.map(part))
  }

  /// The model.
  /// - Throws: `badModel`, if the description is wrong.
  static func model() throws(ObjectGraphError) -> ObjectGraph.ObjectModel { try checked.get() }

  private static let person = Entity(
    "Person",
    attributes: [
      text("uid", Limits.uid), Attribute("kind", .string, isOptional: false, default: "person"),
      text("section", 1), text("name", Limits.name),
    ] + ContactFields.standard.all.compactMap(attribute) + [
      Attribute("created", .string, isOptional: false), Attribute("modified", .string, isOptional: false),
    ],
    relationships: ContactFields.standard.values.map { parts($0.name, $0.entity) } + [
      parts("addresses", "Address"), parts("vcardLines", "CardLine"),
      .toMany("groups", "Group", inverse: "members"),
      .toOne("photo", "Photo", inverse: "person", deleteRule: .noAction),
    ])

  private static let group = Entity(
    "Group", attributes: [text("uid", Limits.uid), text("name", Limits.name)],
    relationships: [.toMany("members", "Person", inverse: "groups")])

  private static let address = Entity(
    "Address",
    attributes: [text("label", Limits.label)]
      + AddressPart.inCardOrder.map { text($0.rawValue, Limits.value) },
    relationships: [owner("addresses")])

  private static let cardLine = Entity(
    "CardLine", attributes: [Attribute("line", .string, isOptional: false)], relationships: [owner("vcardLines")])

  /// What is known of a picture without its bytes.
  private static let photo = Entity(
    "Photo",
    attributes: [
      Attribute("mediaType", .string, isOptional: false), Attribute("bytes", .integer, isOptional: false),
      Attribute("sha256", .string, isOptional: false),
    ], relationships: [.toOne("person", "Person", inverse: "photo", isOptional: false)])

  /// The attribute of a field; nil for one that is kept in another way, and for the kind.
  private static func attribute(_ field: ContactField) -> Attribute? {
    switch field {
    case .text(let field): text(field.name, field.limit)
    case .special(.birthday): Attribute(field.name, .string)
    default: nil
    }
  }

  private static func part(_ field: ContactField.Values) -> Entity {
    Entity(
      field.entity, attributes: [text("label", Limits.label), text("value", Limits.value)],
      relationships: [owner(field.name)])
  }

  private static func text(_ name: String, _ limit: Int) -> Attribute {
    Attribute(name, .string, isOptional: false, default: "", maximumLength: limit)
  }

  private static func parts(_ name: String, _ entity: String) -> ObjectGraph.RelationshipDescription {
    .toMany(name, entity, inverse: "person", isOrdered: true, deleteRule: .cascade)
  }

  private static func owner(_ inverse: String) -> ObjectGraph.RelationshipDescription {
    .toOne("person", "Person", inverse: inverse, isOptional: false)
  }
}
