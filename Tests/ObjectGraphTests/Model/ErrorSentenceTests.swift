import Foundation
import Testing

@testable import ObjectGraph

/// What a reader of an error learns.
struct ErrorSentenceTests {
  private func sentence(_ body: () throws -> Void) -> String {
    do {
      try body()
      return ""
    } catch {
      return error.localizedDescription
    }
  }

  private func model(_ entities: EntityDescription...) -> String {
    sentence { _ = try ObjectModel(entities: entities) }
  }

  @Test func aWrongModelSaysWhatIsWrongAndWhere() {
    let students = EntityDescription("MyClass", relationships: [.toMany("students", "Student", inverse: "klass")])
    let student = EntityDescription("Student", relationships: [.toOne("myclass", "MyClass", inverse: "students")])
    #expect(
      model(student, students)
        == "The model is wrong: myclass of Student: its inverse, students of MyClass, has the destination Student and the "
        + "inverse \"klass\", not Student and \"myclass\".")
    #expect(model(student) == "The model is wrong: myclass of Student: there is no entity MyClass, its destination.")
    #expect(
      model(student, EntityDescription("MyClass"))
        == "The model is wrong: myclass of Student: MyClass has no relationship \"students\", its inverse.")
    #expect(
      model(EntityDescription("A", attributes: [AttributeDescription("n", .date, minimum: 1)]))
        == "The model is wrong: n of A: its minimum is not of type date.")
    #expect(
      model(EntityDescription("A", rules: [ValidationRule("n >", message: "x")]))
        == "The model is wrong: A rule of A: the rule \"n >\": At offset 3 of the predicate, the text is not understood.."
    )
    #expect(model(EntityDescription("A", parent: "B")) == "The model is wrong: A: there is no entity B, its parent.")
  }

  @Test func everyErrorIsASentence() throws {
    let id = ObjectID(store: UUID(), entity: "A", key: .permanent(1))
    let errors: [ObjectGraphError] = [
      .unknownKey("x", entity: "A"), .deletedObject(id), .contextGone(id), .modelMismatch, .badRequest(field: "limit"),
      .predicate(.syntax(offset: 3)), .store(StoreFailure(reason: .busy, description: "locked")), .noHistory,
      .mapping(.missingTable("t")), .refused(CocoaError(.fileNoSuchFile)),
    ]
    for error in errors {
      let text = (error as any Error).localizedDescription
      #expect(text.first?.isUppercase == true && text.hasSuffix(".") && !text.contains("ObjectGraph"), "\(text)")
    }
  }

  @Test func anIssueSpeaksTheLanguageOfTheDictionary() throws {
    let model = try ObjectModel(entities: [
      EntityDescription(
        "Person",
        attributes: [
          AttributeDescription("name", .string, isOptional: false), AttributeDescription("age", .integer, maximum: 99),
          AttributeDescription(
            "nick", .string, maximumLength: 2, rules: [ValidationRule("SELF != 'x'", message: "noX")]),
        ])
    ])
    let context = try ObjectStack(model: model, store: .memory()).newContext()
    let person = try context.insert("Person")
    try person.set("age", to: 100)
    try person.set("nick", to: "x")
    let issues = try context.validationIssues(of: person)
    #expect(
      issues.map { $0.localizedDescription(in: LocalizationDictionary()) }
        == ["name is missing.", "age must be at most 99.", "noX"])
    let german = LocalizationDictionary([
      "Property/name": "Name", "Property/age/Entity/Person": "Alter", "ErrorString/missing": "%@ fehlt.",
      "ErrorString/tooLarge": "%1$@: höchstens %2$@.", "ErrorString/noX": "Kein x in %1$@.",
    ])
    #expect(
      issues.map { $0.localizedDescription(in: german) } == ["Name fehlt.", "Alter: höchstens 99.", "Kein x in nick."])
  }

  final class Named: Object {
    @Attribute var name = ""
    @Attribute var key: String?
    @Attribute(.length(...3)) var short: String?
    override func willSave() {
      key = name.lowercased()
      if short == "nul" { short = "\0" }
    }
  }

  /// `willSave` derives a value from one that is missing.
  @Test func aMissingValueReadInWillSaveIsAnIssue() throws {
    let context = try ObjectStack(.memory(), Named.self).newContext()
    let named = try context.insert(Named.self)
    try named.set("name", to: .null)
    do {
      try context.save()
      Issue.record("it was saved")
    } catch {
      guard case .validation(let issues) = error else { throw error }
      #expect(issues.map(\.rule) == [.missing] && issues.map(\.property) == ["name"])
    }
    #expect(context.failure == nil)
    named.name = "Ann"
    try context.save()
    #expect(named.key == "ann")
  }

  /// Nothing is saved that `willSave` made of a value that a property refused.
  @Test func aPropertyThatFailsInWillSaveRefusesTheSave() throws {
    let context = try ObjectStack(.memory(), Named.self).newContext()
    let named = try context.insert(Named.self) { $0.short = "nul" }
    #expect(throws: ObjectGraphError.self) { try context.save() }
    #expect(context.failure == nil && named.key == nil && named.isInserted)
    named.short = nil
    try context.save()
    #expect(named.key == "")
  }
}
