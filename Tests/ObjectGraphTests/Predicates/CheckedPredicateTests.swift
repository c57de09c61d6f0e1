import Foundation
import Testing

@testable import ObjectGraph

/// Which predicates fit an entity, and the location of the error in those that do not.
@Suite struct CheckedPredicateTests {
  private func error(
    _ text: String, _ arguments: [PredicateConstant] = [], _ variables: [String: PredicateConstant] = [:]
  ) throws -> InvalidPredicate? {
    let entity = try College.model().entity("Student")
    do throws(InvalidPredicate) {
      _ = try CheckedPredicate(ObjectPredicate(text, arguments: arguments).binding(variables), for: .objects(entity))
      return nil
    } catch {
      return error
    }
  }

  @Test(arguments: [
    ("ANY name == 'x'", InvalidPredicate.notToMany(offset: 0)), ("ANY courses.@count > 1", .notToMany(offset: 0)),
    ("NOT NONE 3 == 3", .notToMany(offset: 4)), ("name.@count > 1", .notToMany(offset: 5)),
    ("myclass.@count > 1", .notToMany(offset: 8)), ("SELF.@count > 1", .notToMany(offset: 5)),
    ("SUBQUERY(myclass, $c, name == 'x').@count > 0", .notToMany(offset: 9)),
    ("SUBQUERY(name, $c, name == 'x').@count > 0", .notToMany(offset: 9)),
    ("courses.teacher.@count > 1", .toManyNotAllowed(offset: 0)),
    ("myclass.students.@sum.courses.name > 1", .toManyNotAllowed(offset: 22)),
    ("courses.@sum.name > 1", .typeMismatch(offset: 8)), ("courses.@max.teacher > 1", .typeMismatch(offset: 8)),
    ("courses.name CONTAINS 'x'", .toManyNotAllowed(offset: 0)), ("courses CONTAINS 'x'", .typeMismatch(offset: 8)),
    ("courses CONTAINS[c] SELF", .typeMismatch(offset: 8)), ("ANY name IN courses.name", .notToMany(offset: 0)),
    ("ANY courses.name IN courses.name", .toManyNotAllowed(offset: 20)), ("name IN name", .typeMismatch(offset: 5)),
    ("name IN courses.@count", .typeMismatch(offset: 5)), ("{1} == age", .typeMismatch(offset: 4)),
    ("age BETWEEN age", .typeMismatch(offset: 4)), ("SELF BETWEEN nil", .typeMismatch(offset: 5)),
    ("SELF < nil", .typeMismatch(offset: 5)), ("age LIKE nil", .typeMismatch(offset: 4)),
    ("{} == nil OR TRUEPREDICATE", .typeMismatch(offset: 3)),
    ("name + 1 == 2", .typeMismatch(offset: 5)), ("SELF - SELF == 0", .typeMismatch(offset: 5)),
    ("lowercase:(age) == 'a'", .typeMismatch(offset: 0)), ("max:(age, name) > 1", .typeMismatch(offset: 0)),
    ("sum:(courses.name) > 1", .typeMismatch(offset: 0)), ("age == 1 AND max:(SELF) > 1", .typeMismatch(offset: 13)),
    ("lowercase:(name, name) == 'a'", .typeMismatch(offset: 0)),
    ("courses.name + 1 == 2", .toManyNotAllowed(offset: 0)), ("age IN age + 1", .typeMismatch(offset: 4)),
    ("age ==[c] nil", .typeMismatch(offset: 4)), ("age IN {1, {2}}", .typeMismatch(offset: 4)),
    ("age > CAST('x', 'NSDate')", .typeMismatch(offset: 11)),
    ("age > CAST('2020-01-01T00:00:00Z', 'Date')", .typeMismatch(offset: 35)),
    ("name MATCHES '(' AND nme == 1", .badPattern(offset: 5)),
    ("age == 'x' AND nme == 1", .typeMismatch(offset: 4)),
    ("nick == 'x'", .unknownKey(offset: 0, key: "nick", entity: "Student")),
    ("name.a == 1", .unknownKey(offset: 5, key: "a", entity: nil)),
    (
      "SUBQUERY(courses, $c, SUBQUERY($c.students, $c, $c.nme == 1).@count > 0).@count > 0",
      .unknownKey(offset: 51, key: "nme", entity: "Student")
    ),
  ])
  func theFirstErrorFromLeftToRight(_ text: String, _ expected: InvalidPredicate) throws {
    #expect(try error(text) == expected)
  }

  @Test(arguments: [
    "nil == nil", "name IN nil", "age BETWEEN nil", "age BETWEEN {nil, 1.5}", "nil LIKE 'x'",
    "SELF IN myclass.students",
    "SELF IN {nil}", "myclass != SELF", "age == TRUE", "courses CONTAINS nil", "nil IN courses.name",
    "age + 1 > 2 * (age - 1) / 3", "max:({age, 1, nil}) == sum:(age, age)", "lowercase:(name) BEGINSWITH[d] 'a'",
    "max:(courses.name) == min:(courses.name)", "{1, 2}[SIZE] == 2", "age + nil > 1",
    "SUBQUERY(courses.teacher, $t, $t.name == name).@count > 0", "courses.@min.name < 'x'", "ALL courses != nil",
  ])
  func validPredicatesHaveNoErrors(_ text: String) throws {
    #expect(try error(text) == nil)
  }

  @Test func errorsComeInOrder() throws {
    // First syntax, then the number of arguments, unbound variables, and all other errors.
    #expect(try error("nme == %@ AND a ==", []) == .syntax(offset: 18))
    #expect(try error("nme == $X AND a == %@", []) == .argumentCount(expected: 1, given: 0))
    #expect(try error("nme == 1 AND %K == $X", [5]) == .unboundVariable(offset: 19, name: "X"))
    #expect(try error("nme == 1 AND %K == 1", [5]) == .unknownKey(offset: 0, key: "nme", entity: "Student"))
    #expect(try error("age == 1 AND %K == nme", [5]) == .argumentType(offset: 13))
    #expect(try error("age == 1 AND %K == nme", ["a b"]) == .syntax(offset: 13))
    #expect(try error("%K > 1", ["courses.@count"]) == nil)
    #expect(try error("%K == 'x'", ["myclass.nme"]) == .unknownKey(offset: 0, key: "nme", entity: "MyClass"))
    #expect(try error("SUBQUERY(%K, $c, %K == 1).@count > 0", ["courses", "$c.name"]) == .typeMismatch(offset: 20))
    #expect(try error("SUBQUERY(%K, $c, name == 'x').@count > 0", ["courses.@count"]) == .syntax(offset: 9))
    #expect(try error("%K == 1", ["%K"]) == .syntax(offset: 0))
  }

  @Test func aDeepPredicateIsReadOrRefused() throws {
    let entity = try College.model().entity("Student")
    func error(_ depth: Int) -> InvalidPredicate? {
      var predicate = ObjectPath<College.Student>().age >= 18
      for _ in 0..<depth { predicate = .not(.or([predicate, .constant(false)])) }
      do throws(InvalidPredicate) {
        _ = try CheckedPredicate(predicate, for: .objects(entity))
        return nil
      } catch {
        return error
      }
    }
    #expect(error(100) == nil)
    #expect(error(300) == .tooDeep(offset: nil))
    let context = try ObjectStack(model: College.model(), store: .memory()).newContext()
    try context.insert("Student").set("age", to: 20)
    let deep = String(repeating: "NOT (", count: 200) + "age > 18" + String(repeating: ")", count: 200)
    #expect(try context.count(ObjectFetchRequest("Student", where: ObjectPredicate(deep))) == 1)
  }

  @Test func elementsOfListsAndFunctionsHaveValues() throws {
    func value(_ text: String, _ arguments: any PredicateArgument...) throws -> Bool? {
      try CheckedPredicate(
        ObjectPredicate(text, arguments: arguments.map(\.predicateConstant)), for: .value(.integer)
      ).evaluate(Value.integer(7))
    }
    for text in [
      "SELF / 2 == 3", "SELF / 2.0 == 3.5", "SELF - 10 == -3", "(SELF / 0) == nil",
      "9223372036854775807 + SELF > 0x7FFFFFFFFFFFFFFF",
      "max:({1, SELF, nil}) == 7", "min:(SELF, 3) == 3", "sum:(1, 2, SELF) == 10", "uppercase:('ab') == 'AB'",
      "{}[FIRST] == nil", "{5, 6}[0] == 5",
    ] {
      #expect(try value(text) == true, "\(text)")
    }
    #expect(try value("%@[1] == SELF", [6, 7]) == true)
    #expect(try value("%@[LAST] == SELF AND %@[SIZE] == 2", [6, 7], ["a", "b"]) == true)
    #expect(try value("%@[9] == nil", [6]) == true)
    #expect(try value("SELF + nil > 1") == nil)
  }

  @Test func aRuleCanBeAboutAValue() throws {
    let rule = try CheckedPredicate(ObjectPredicate("SELF >= 0 AND SELF != nil"), for: .value(.integer))
    #expect(try rule.evaluate(Value.integer(3)) == true)
    #expect(try rule.evaluate(Value.integer(-3)) == false)
    #expect(try rule.evaluate(Value.null) == false)
    #expect(throws: InvalidPredicate.unknownKey(offset: 5, key: "x", entity: nil)) {
      try CheckedPredicate(ObjectPredicate("SELF.x == 1"), for: .value(.integer))
    }
  }
}
