import Testing

@testable import ObjectGraph

private typealias Student = College.Student
private typealias MyClass = College.MyClass
private typealias Course = College.Course
private typealias Teacher = College.Teacher

/// Predicates built with operators equal those of the format language.
@Suite struct TokenTests {
  private func expect(_ predicate: ObjectPredicate, _ text: String, _ arguments: PredicateConstant...) throws {
    #expect(try predicate == ObjectPredicate(text, arguments: arguments), "\(text)")
    _ = try CheckedPredicate(predicate, for: .objects(College.model().entity("Student")))
  }

  @Test func attributes() throws {
    try expect(Student.age >= 18 && Student.name.beginsWith("A"), "age >= 18 AND name BEGINSWITH 'A'")
    try expect(!(Student.age == nil) || Student.age != 3, "NOT age == nil OR age != 3")
    try expect(Student.age.isIn([18, nil]), "age IN {18, nil}")
    try expect(Student.age.isBetween(18, 20), "age BETWEEN {18, 20}")
    try expect(Student.name.isLike("a*", options: [.caseInsensitive, .diacriticInsensitive]), "name LIKE[cd] 'a*'")
    try expect(Student.name.isEqual(to: Student.myclass[MyClass.name]), "name == myclass.name")
  }

  @Test func paths() throws {
    try expect(Student.myclass[MyClass.teacher][Teacher.name] == "x", "myclass.teacher.name == 'x'")
    try expect(Student.myclass == nil, "myclass == nil")
    try expect(Student.courses[Course.name].any == "CAD", "ANY courses.name == 'CAD'")
    try expect(
      Student.courses[Course.name].none.contains("x", options: .caseInsensitive), "NONE courses.name CONTAINS[c] 'x'")
    try expect(Student.courses[Course.teacher].all != nil, "ALL courses.teacher != nil")
    try expect(Student.myclass[MyClass.students].count > 2, "myclass.students.@count > 2")
    try expect(Student.myclass[MyClass.students].average(Student.age) > 2.5, "myclass.students.@avg.age > 2.5")
    try expect(Student.myclass[MyClass.students].maximum(Student.age) == nil, "myclass.students.@max.age == nil")
  }

  @Test func subqueries() throws {
    let inner = Course.name == "CAD" && Course.students.count(where: Student.age > 3) > 1
    try expect(
      Student.courses.count(where: inner) == 1,
      """
      SUBQUERY(courses, $element1, $element1.name == 'CAD' AND \
      SUBQUERY($element1.students, $element0, $element0.age > 3).@count > 1).@count == 1
      """)
  }
}
