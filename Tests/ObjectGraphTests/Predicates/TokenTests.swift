import Testing

@testable import ObjectGraph

private typealias Student = College.Student

/// Conditions on the properties of a class equal those of the format language.
@Suite struct TokenTests {
  private func expect(
    _ text: String, _ arguments: PredicateConstant..., condition: (ObjectPath<Student>) -> ObjectPredicate
  ) throws {
    let predicate = try #require(Student.where(condition).request.predicate)
    #expect(try predicate == ObjectPredicate(text, arguments: arguments), "\(text)")
    _ = try CheckedPredicate(predicate, for: .objects(College.model().entity("Student")))
  }

  @Test func attributes() throws {
    try expect("age >= 18 AND name BEGINSWITH 'A'") { $0.age >= 18 && $0.name.beginsWith("A") }
    try expect("NOT age == nil OR age != 3") { !($0.age == nil) || $0.age != 3 }
    try expect("age IN {18, nil}") { $0.age.isIn([18, nil]) }
    try expect("age BETWEEN {18, 20}") { $0.age.isBetween(18, 20) }
    try expect("name LIKE[cd] 'a*'") { $0.name.isLike("a*", options: [.caseInsensitive, .diacriticInsensitive]) }
    try expect("name == myclass.name") { $0.name.isEqual(to: $0.myclass.name) }
  }

  @Test func paths() throws {
    try expect("myclass.teacher.name == 'x'") { $0.myclass.teacher.name == "x" }
    try expect("myclass == nil") { $0.myclass == nil }
    try expect("ANY courses.name == 'CAD'") { $0.courses.any.name == "CAD" }
    try expect("NONE courses.name CONTAINS[c] 'x'") { $0.courses.none.name.contains("x", options: .caseInsensitive) }
    try expect("ALL courses.teacher != nil") { $0.courses.all.teacher != nil }
    try expect("ANY courses.teacher.myclass.name == 'x'") { $0.courses.any.teacher.myclass.name == "x" }
    try expect("myclass.students.@count > 2") { $0.myclass.students.count > 2 }
    try expect("myclass.students.@avg.age > 2.5") { $0.myclass.students.average(\.age) > 2.5 }
    try expect("myclass.students.@max.age == nil") { $0.myclass.students.maximum(\.age) == nil }
  }

  @Test func subqueries() throws {
    try expect(
      """
      SUBQUERY(courses, $element1, $element1.name == 'CAD' AND \
      SUBQUERY($element1.students, $element0, $element0.age > 3).@count > 1).@count == 1
      """
    ) {
      $0.courses.count { $0.name == "CAD" && $0.students.count { $0.age > 3 } > 1 } == 1
    }
  }

  @Test func aConditionMayBeWritten() throws {
    let query = Student.where { $0.age > 18 }.where(try ObjectPredicate("name == 'Ann'"))
    #expect(try query.request.predicate == ObjectPredicate("age > 18 AND name == 'Ann'"))
  }
}
