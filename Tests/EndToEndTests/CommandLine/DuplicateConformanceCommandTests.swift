import Foundation
import SharedMaterial
import Testing

/// Runs the program on every case of the file that `DUPLICATE_CASES` names, with a separate book for each case.
@Suite(.enabled(if: SharedMaterial.duplicateCases.isNamed, "DUPLICATE_CASES is not set"))
struct DuplicateConformanceCommandTests {
  private typealias Object = [String: Any]

  @Test func everyCaseGivesItsExpectedResult() throws {
    let file = try JSONSerialization.jsonObject(with: Data(contentsOf: SharedMaterial.duplicateCases.url)) as? Object
    let photos = file?["photos"] as? [String: String] ?? [:]
    let cases = try #require(file?["cases"] as? [Object])
    #expect(!cases.isEmpty)
    for item in cases {
      let name = "\(item["group"] ?? "")/\(item["name"] ?? "")"
      let program = try Program()
      let contacts = (item["contacts"] as? [Object] ?? []).map { Self.imported($0, photos) }
      let input = try JSONSerialization.data(withJSONObject: contacts)
      let imported = try program.run("import", "--format", "json", "-", input: Array(input))
      #expect(imported.status == 0, "\(name): \(imported.errors)")
      if let pairs = item["pairs"] as? [Object] {
        try checkDuplicates(program, pairs, item["groups"] as? [[String]] ?? [], name)
      }
      if let merge = item["merge"] as? Object { try checkMerge(program, merge, name) }
      for command in item["commands"] as? [Object] ?? [] { try checkCommand(program, command, name) }
    }
  }

  /// Returns a contact as `import` reads it.
  private static func imported(_ contact: Object, _ photos: [String: String]) -> Object {
    var contact = contact
    contact["vcardLines"] = contact.removeValue(forKey: "lines")
    if let digest = (contact["photo"] as? Object)?["sha256"] as? String, let data = photos[digest] {
      contact["photo"] = ["data": data]
    }
    return contact
  }

  private func checkDuplicates(_ program: Program, _ pairs: [Object], _ groups: [[String]], _ name: String) throws {
    let result = try program.run("duplicates", "--format", "json")
    #expect(result.status == (pairs.isEmpty ? 1 : 0), "\(name): exit")
    let found = try program.json(result.outputBytes) as? [Object] ?? []
    #expect(Set(found.map { Set($0["uids"] as? [String] ?? []) }) == Set(groups.map(Set.init)), "\(name): groups")
    let foundPairs = found.flatMap { $0["pairs"] as? [Object] ?? [] }
    #expect(foundPairs.count == pairs.count, "\(name): pairs")
    for pair in pairs {
      let uids = Set(pair["uids"] as? [String] ?? [])
      let match = foundPairs.first { Set($0["uids"] as? [String] ?? []) == uids }
      let reasons = Set(match?["reasons"] as? [String] ?? [])
      #expect(reasons.isSubset(of: pair["reasons"] as? [String] ?? []), "\(name): reasons of \(uids)")
      #expect(!reasons.isDisjoint(with: pair["because"] as? [String] ?? []), "\(name): because of \(uids)")
    }
  }

  private func checkMerge(_ program: Program, _ merge: Object, _ name: String) throws {
    let uids = merge["uids"] as? [String] ?? []
    let expected = merge["merged"] as? Object ?? [:]
    let trial = try program.run(["merge", "--dry-run"] + uids)
    #expect(trial.status == 0, "\(name): \(trial.errors)")
    let shown = try #require(program.json(trial.outputBytes) as? Object)
    let conflicts = (shown["conflicts"] as? [Object] ?? []).map { $0["field"] as? String ?? "" }
    let expectedConflicts = (merge["conflicts"] as? [Object] ?? []).map { $0["field"] as? String ?? "" }
    #expect(conflicts.sorted() == expectedConflicts.sorted(), "\(name): conflicts")

    let before = try program.contacts().count
    let merged = try program.run(["merge"] + uids)
    #expect(merged.status == 0, "\(name): \(merged.errors)")
    #expect(try program.contacts().count == before - uids.count + 1, "\(name): contacts")
    let id = merged.output.trimmingCharacters(in: .newlines)
    let result = try #require(program.json(program.run("show", "--format", "json", id).outputBytes) as? Object)
    for contact in [shown, result] {
      #expect(contact["uid"] as? String == uids.first, "\(name): uid")
      check(contact, expected, merge["texts"] as? [String] ?? [], name)
    }
    #expect(try program.run("undelete", "--format", "tsv").lines.count == uids.count - 1, "\(name): trash")
  }

  private func check(_ contact: Object, _ expected: Object, _ texts: [String], _ name: String) {
    var lines = (contact["note"] as? String ?? "").components(separatedBy: "\n").filter { !$0.isEmpty }
    for text in texts {
      let index = lines.firstIndex { $0.hasSuffix(text) }
      #expect(index != nil, "\(name): \(text) in the note")
      if let index { lines.remove(at: index) }
    }
    let note = (expected["note"] as? String ?? "").components(separatedBy: "\n").filter { !$0.isEmpty }
    #expect(lines == note, "\(name): note")
    for key in Set(contact.keys).union(expected.keys)
    where !["id", "section", "created", "modified", "name", "note", "conflicts", "lines", "photo"].contains(key) {
      #expect(
        Self.text(contact[key]) == Self.text(expected[key]) || Self.isDefault(key, contact[key], expected),
        "\(name): \(key)")
    }
    let digests = [contact, expected].map { ($0["photo"] as? Object)?["sha256"] as? String }
    #expect(digests[0] == digests[1], "\(name): photo")
    if let whole = expected["name"] as? String { #expect(contact["name"] as? String == whole, "\(name): name") }
  }

  private static func isDefault(_ key: String, _ value: Any?, _ expected: Object) -> Bool {
    key == "kind" && expected[key] == nil && value as? String == "person"
  }

  /// Returns a text, a list, or an object without its empty values as text, and any other value as "".
  private static func text(_ value: Any?) -> String {
    switch value {
    case let text as String: text
    case let list as [Any]: list.map(text).joined(separator: "\n")
    case let object as Object:
      object.sorted { $0.key < $1.key }.map { text($0.value).isEmpty ? "" : "\($0.key)=\(text($0.value))" }
        .filter { !$0.isEmpty }.joined(separator: ";")
    default: ""
    }
  }

  private func checkCommand(_ program: Program, _ command: Object, _ name: String) throws {
    var arguments: [String] = []
    for argument in command["args"] as? [Any] ?? [] {
      if let text = argument as? String {
        arguments.append(text)
      } else {
        let wanted = (argument as? Object)?["name"] as? String ?? ""
        let isDeleted = arguments.first == "undelete"
        let known =
          try isDeleted
          ? program.run("undelete", "--format", "tsv").lines.map { $0.components(separatedBy: "\t") }
          : program.contacts().map { ["\($0["id"] ?? "")", $0["name"] as? String ?? ""] }
        arguments.append(known.first { $0.last == wanted }?.first ?? wanted)
      }
    }
    let result = try program.run(arguments)
    #expect(result.status == (command["exit"] as? Int).map(Int32.init), "\(name): \(arguments): \(result.errors)")
    if let count = command["contacts"] as? Int { #expect(try program.contacts().count == count, "\(name): contacts") }
  }
}
