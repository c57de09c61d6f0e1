import ObjectGraph

final class Person: ManagedObject {
  static let name = AttributeKey<Person, String>("name")
  static let age = AttributeKey<Person, Int>("age")
  static let company = ToOneKey<Person, Company>("company")
  static let skills = ToManyKey<Person, Skill>("skills")
}

final class Company: ManagedObject {
  static let name = AttributeKey<Company, String>("name")
}

final class Skill: ManagedObject {
  static let name = AttributeKey<Skill, String>("name")
}

enum CompanyModel {
  static let companies = 100
  static let skills = 20

  /// Returns the model: people with a company and skills.
  static func model() throws -> ObjectModel {
    try ObjectModel(entities: [
      EntityDescription(
        "Person",
        attributes: [
          AttributeDescription("name", .string, isOptional: false, maximumLength: 100),
          AttributeDescription("age", .integer, minimum: 0, maximum: 150),
        ],
        relationships: [
          .toOne("company", "Company", inverse: "people"), .toMany("skills", "Skill", inverse: "people"),
        ], class: Person.self),
      EntityDescription(
        "Company", attributes: [AttributeDescription("name", .string, isOptional: false)],
        relationships: [.toMany("people", "Person", inverse: "company")], class: Company.self),
      EntityDescription(
        "Skill", attributes: [AttributeDescription("name", .string, isOptional: false)],
        relationships: [.toMany("people", "Person", inverse: "skills")], class: Skill.self),
    ])
  }
}
