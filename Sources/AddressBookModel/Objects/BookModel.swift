import ObjectGraph

/// The book in the terms of `ObjectGraph`: entities and properties by the keys of the book's JSON.
///
/// `name` and `section` are derived columns, which are read and never written by hand.
enum BookModel {
  private typealias Entity = ObjectGraph.EntityDescription
  private typealias Attribute = ObjectGraph.AttributeDescription

  /// Tables of parts that hold a label and a value each, by the keys of their lists.
  static let labelled: [(key: String, entity: String, table: String)] = [
    ("phones", "Phone", "phone"), ("emails", "Email", "email"), ("urls", "Link", "url"),
    ("dates", "SpecialDate", "contact_date"), ("handles", "Handle", "handle"), ("related", "RelatedName", "related"),
  ]

  private static let checked = Result<ObjectGraph.ObjectModel, ObjectGraphError> { () throws(ObjectGraphError) in
    try ObjectGraph.ObjectModel(entities: [person, group, address, cardLine, photo] + labelled.map(part))
  }

  /// The model.
  /// - Throws: `badModel`, if the description is wrong.
  static func model() throws(ObjectGraphError) -> ObjectGraph.ObjectModel { try checked.get() }

  private static let person = Entity(
    "Person",
    attributes: [
      text("uid", Limits.uid), Attribute("kind", .string, isOptional: false, default: "person"),
      text("section", 1), text("name", Limits.name), text("formattedName", Limits.name), text("prefix", Limits.name),
      text("given", Limits.name), text("middle", Limits.name), text("family", Limits.name),
      text("suffix", Limits.name), text("phoneticGiven", Limits.name), text("phoneticMiddle", Limits.name),
      text("phoneticFamily", Limits.name), text("nickname", Limits.name), text("organization", Limits.name),
      text("department", Limits.name), text("title", Limits.name), Attribute("birthday", .string),
      text("note", Limits.note), Attribute("created", .string, isOptional: false),
      Attribute("modified", .string, isOptional: false),
    ],
    relationships: labelled.map { parts($0.key, $0.entity) } + [
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
      + ["poBox", "extended", "street", "city", "region", "postalCode", "country"].map { text($0, Limits.value) },
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

  private static func part(_ list: (key: String, entity: String, table: String)) -> Entity {
    Entity(
      list.entity, attributes: [text("label", Limits.label), text("value", Limits.value)],
      relationships: [owner(list.key)])
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
