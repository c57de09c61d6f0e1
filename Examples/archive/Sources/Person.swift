/// A person at the college. It is a class because `Student` inherits from it.
class Person: Codable {
  let name: String
  let age: Int

  init(name: String, age: Int) {
    self.name = name
    self.age = age
  }

  var summary: String { "\(name), \(age)" }
}

/// A person who attends courses. A subclass encodes its own properties, after those of its parent.
final class Student: Person {
  let courses: [String]

  init(name: String, age: Int, courses: [String]) {
    self.courses = courses
    super.init(name: name, age: age)
  }

  private enum Key: CodingKey { case courses }

  required init(from decoder: any Decoder) throws {
    courses = try decoder.container(keyedBy: Key.self).decode([String].self, forKey: .courses)
    try super.init(from: decoder)
  }

  override func encode(to encoder: any Encoder) throws {
    try super.encode(to: encoder)
    var container = encoder.container(keyedBy: Key.self)
    try container.encode(courses, forKey: .courses)
  }

  override var summary: String { "\(super.summary), attends \(courses.joined(separator: ", "))" }
}
