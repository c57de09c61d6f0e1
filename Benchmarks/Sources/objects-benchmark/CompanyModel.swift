import ObjectGraph

final class Person: Object {
  @Attribute(.length(...100)) var name = ""
  @Attribute(.range(0...150)) var age = 0
  @ToOne(inverse: \Company.people) var company: Company?
  @ToMany(inverse: \Skill.people) var skills: [Skill]
}

final class Company: Object {
  @Attribute var name = ""
  @ToMany var people: [Person]
}

final class Skill: Object {
  @Attribute var name = ""
  @ToMany var people: [Person]
}

/// People with a company and skills.
enum CompanyModel {
  static let companies = 100
  static let skills = 20
  static let classes: [Object.Type] = [Person.self, Company.self, Skill.self]
}
