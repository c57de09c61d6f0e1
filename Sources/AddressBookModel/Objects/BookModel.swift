import Contacts
import ObjectGraph

/// The book's model for `ObjectGraph`: entities and properties have the names of the book's JSON.
///
/// `name`, `section` and the hidden attributes are derived columns, which ``Person/willSave()`` sets.
enum BookModel {
  private typealias Entity = EntityDescription
  private typealias Attribute = AttributeDescription

  private static let checked = Result<ObjectModel, ObjectGraphError> { () throws(ObjectGraphError) in
    try ObjectModel(
      entities: [person, group, address, cardLines, photo] + ContactFields.standard.values.map(part))
  }

  /// The kind of a contact as an attribute value.
  static func name(of kind: Contact.Kind) -> String {
    switch kind {
    case .person: "person"
    case .organization: "organization"
    }
  }

  /// The key path of a field in issues. Only that of the card's lines differs, because the model uses their JSON name.
  static func fieldPath(_ path: String) -> String {
    path.hasPrefix("vcardLines") ? "cardLines" + path.dropFirst("vcardLines".count) : path
  }

  /// The model.
  /// - Throws: `badModel`, if the description is wrong.
  static func model() throws(ObjectGraphError) -> ObjectModel { try checked.get() }

  private static let person = Entity(
    "Person",
    attributes: [
      text("uid", Limits.uid), Attribute("kind", .string, isOptional: false, default: .string(name(of: .person))),
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

  /// The attribute of a field; nil for one that is stored in another way, and for the kind.
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

  /// A value derived by a save. Values that a screen displays can be used in conditions; the others are hidden.
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
