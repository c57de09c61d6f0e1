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
      entities: [person, group, address, cardLines, photo] + ContactFields.standard.values.map(part))
  }

  /// Returns the model, which is checked on first use.
  /// - Throws: `badModel` if the description is wrong.
  static func model() throws(ObjectGraphError) -> ObjectModel { try checked.get() }

  private static let person = Entity(
    "Person",
    attributes: [
      text("uid", Limits.uid),
      Attribute("kind", .string, isOptional: false, default: .string(Contact.Kind.person.name)),
      derived("section"), derived("name"), derived("sortKey", .data), derived("listPhone"), derived("listEmail"),
    ] + ContactFields.standard.all.compactMap(attribute) + [
      derived("created"), derived("modified"),
    ],
    relationships: ContactFields.standard.values.map { parts($0.name, $0.entity) } + [
      parts("addresses", "Address"),
      .toMany("groups", "Group", inverse: "members", raisesVersion: true),
      .toOne("photo", "Photo", inverse: "person", deleteRule: .cascade),
      .toOne("vcardLines", "CardLines", inverse: "person", deleteRule: .cascade),
    ], class: Person.self)

  private static let group = Entity(
    "Group", attributes: [text("uid", Limits.uid), text("name", Limits.name)],
    relationships: [.toMany("members", "Person", inverse: "groups")], class: Group.self)

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
