import ObjectGraph

/// Changes, undo and validation.
struct CollegeEdits {
  private let context: ObjectContext
  private let transcript: Transcript

  init(_ context: ObjectContext, _ transcript: Transcript) {
    self.context = context
    self.transcript = transcript
  }

  func run() throws {
    guard let student = try context.fetch(Student.self, where: Student.name == "李斌").first,
      let second = try context.fetch(MyClass.self, where: MyClass.name == "电子2班").first
    else { return }
    transcript.title("Changes")
    try context.undoGroup("Move 李斌") {
      try student.set(Student.myclass, to: second)
      try student.set(Student.age, to: 21)
    }
    try transcript.list("电子2班, moved", names(second))
    let undoName = context.undoName ?? "?"
    context.undo()
    try transcript.list("after the undo of '\(undoName)'", names(second))
    context.redo()
    try context.save()
    try transcript.list("redone and saved", names(second))

    transcript.title("Validation")
    try student.set(Student.age, to: 200)
    let nobody = try context.insert(Student.self)
    do {
      try context.save()
    } catch {
      guard case .validation(let issues) = error else { throw error }
      // All issues are reported at once.
      for issue in issues { transcript.line(sentence(issue)) }
    }
    context.rollback()
    transcript.line(
      "rolled back: age \(try student.value(Student.age) ?? 0), the new student is gone: \(nobody.isDeleted)")
  }

  /// Returns a message in the model's localization.
  private func sentence(_ issue: ValidationIssue) -> String {
    let words = context.model.localization
    let entity = words.name(ofEntity: issue.object.entity)
    let property = words.name(ofProperty: issue.property, entity: issue.object.entity)
    let message = words.message(issue.rule.message)
    guard case .integer(let bound) = issue.rule.argument else { return "\(entity) \(property) \(message)" }
    return "\(entity) \(property) \(message) (\(bound))"
  }

  private func names(_ myClass: MyClass) throws -> [String] {
    try myClass.value(MyClass.students).map { try $0.value(Student.name) }.sorted()
  }
}
