import Contacts
import Foundation
import GRDB
import SeededRandom
import Testing

@testable import AddressBookModel
@testable import BookCare

/// Changes to the groups of many contacts, and their undo and redo, write the same rows as single changes.
struct GroupChangesTests {
  /// Both books get the same changes. In `single`, every contact that joins or leaves a group is decoded and written on
  /// its own, and a context renames and deletes groups.
  @Test(arguments: [UInt64(1), 2, .random(in: 3...(.max))])
  func manyGetWhatEachWouldGet(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let contacts = (0..<Int.random(in: 250...700, using: &random)).map { RandomContact($0, &random) }
    let (many, single) = (try TwinBook(contacts), try TwinBook(contacts, isPlain: true))
    #expect(try many.content() == single.content(), "seed \(seed)")
    for number in 0..<25 {
      let action = Action(contacts.count, &random)
      let results = (many.perform(action), single.perform(action))
      try #require(results.0 == results.1, "seed \(seed), \(number): \(action)")
      let found = (try many.content(), try single.content())
      for (name, rows) in found.0 {
        let other = found.1[name] ?? []
        let differing = Set(rows).symmetricDifference(other).sorted().prefix(6)
        try #require(rows == other, "seed \(seed), \(number): \(action): \(name): \(differing)")
      }
    }
  }

  /// Deleting and renaming a large group, when some members are unchecked or deleted, and its undo, when
  /// other programs have written and deleted members since and the history lost some.
  @Test(arguments: [ContactMergePolicy.storeWins, .objectWins])
  func aLargeGroupIsDeletedRenamedAndRestored(_ policy: ContactMergePolicy) throws {
    var random = SeededGenerator(seed: 7)
    let contacts = (0..<1000).map { RandomContact($0, &random) }
    let (many, single) = (try TwinBook(contacts), try TwinBook(contacts, isPlain: true))
    func perform(_ action: Action) throws {
      let results = (many.perform(action), single.perform(action))
      try #require(results.0 == results.1, "\(action)")
      let found = (try many.content(), try single.content())
      for (name, rows) in found.0 { try #require(rows == found.1[name], "\(action): \(name)") }
    }
    func areMembers(_ ids: [Int64]) throws -> Bool { try many.book.areMembers(ids, ofGroup: "Work") }
    let members = Array(Int64(1)...900)
    try perform(.change(.restore, members))
    try perform(.change(.join("Work"), members))
    try perform(.change(.delete, Array(5...20)))
    try perform(.write("UPDATE contact SET note = 'unchecked' WHERE id = 31"))
    try perform(.group(.delete("Work")))
    #expect(try many.book.groups().allSatisfy { $0.name != "Work" })
    // Written and deleted since, and missing in the history.
    try perform(.write("UPDATE contact SET title = 'x' WHERE id IN (40, 41)"))
    try perform(.write("UPDATE contact SET deleted_at = modified_at WHERE id IN (41, 50)"))
    try perform(.write("DELETE FROM edit_entry WHERE contact_id IN (60, 61)"))
    try perform(.undo(policy))
    let living = members.filter { ![41, 50].contains($0) && !(5...20).contains($0) }
    #expect(try areMembers(living))
    for _ in 0..<2 {
      try perform(.redo(policy))
      try perform(.undo(policy))
      #expect(try areMembers(living))
    }
    try perform(.group(.rename("Work", to: "Zz")))
    try perform(.undo(policy))
    try perform(.redo(policy))
    try perform(.group(.rename("Zz", to: "Work")))
    try perform(.change(.restore, members))
    #expect(try areMembers(members))
  }

  /// Contacts that were written after the step are left to the caller.
  @Test func contactsThatWereWrittenSinceAreNotReversedTogether() throws {
    var random = SeededGenerator(seed: 7)
    let twin = try TwinBook((0..<300).map { RandomContact($0, &random) })
    let (book, ids) = (twin.book, Array(Int64(1)...300))
    #expect(try book.bulkEdit(ids, .join("Work"), as: StepName(.join, "Work")) > 0)
    try book.database.write { try $0.execute(sql: "UPDATE contact SET title = 'x' WHERE id = 30") }
    let step = try #require(try book.stepToUndo())
    let written = try book.store.read { try EditEntry.fetch($0, step: step.id, after: 0, limit: 1000) }
    let reversed = try book.bulkWrite(groups: .replace, as: StepName(.leave, "Work")) { try $0.reverseGroups(written) }
    #expect(reversed == Set(written.map(\.contact)).subtracting([30]) && !reversed.isEmpty)
  }

  @Test func triggersOfOtherProgramsRun() throws {
    var random = SeededGenerator(seed: 7)
    let twin = try TwinBook((0..<600).map { RandomContact($0, &random) })
    try twin.book.store.write { db in
      try db.execute(
        sql: """
          CREATE TABLE seen (id);
          CREATE TRIGGER see AFTER INSERT ON group_member BEGIN INSERT INTO seen VALUES (NEW.contact_id); END;
          CREATE TRIGGER saw AFTER DELETE ON group_member BEGIN DELETE FROM seen WHERE id = OLD.contact_id; END
          """)
    }
    func seen() throws -> Int? { try twin.book.store.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM seen") } }
    _ = twin.perform(.change(.join("Work"), Array(1...600)))
    let count = try #require(try twin.book.stepToUndo()).count
    #expect(try seen() == count && count > 256)
    #expect(twin.perform(.undo(.byField)) == "")
    #expect(try seen() == 0)
    #expect(try twin.content()["damaged"] == [])
  }

  /// A canceled change writes nothing, and the triggers run again.
  @Test func aCanceledChangeWritesNothing() throws {
    var random = SeededGenerator(seed: 7)
    let contacts = (0..<1200).map { RandomContact($0, &random) }
    let (twin, other) = (try TwinBook(contacts), try TwinBook(contacts))
    var (calls, shares): (Int, [Double]) = (0, [])
    func isCancelled() -> Bool {
      calls += 1
      return calls > 600
    }
    #expect(throws: StoreError.self) {
      try twin.book.bulkEdit(
        Array(1...1200), .change { $0.note = "x" }, as: StepName(.edit), isCancelled: isCancelled
      ) { shares.append($0) }
    }
    #expect(shares == [0])
    #expect(try twin.content() == other.content())
    for twin in [twin, other] { _ = twin.perform(.write("UPDATE contact SET title = 'x' WHERE id < 5")) }
    #expect(try twin.content() == other.content())
  }

  @Test(arguments: [UInt64.random(in: 0...(.max))])
  func aDeltaOfGroupsIsThatOfTheContacts(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    for _ in 0..<500 {
      var (old, new) = (Contact(), Contact())
      (old.groups, new.groups) = (RandomContact(0, &random).groups, RandomContact(1, &random).groups)
      let delta = ContactDelta(fromGroups: old.groups.sorted(), to: new.groups.sorted())
      #expect(delta.data == ContactDelta(from: old, to: new).data, "seed \(seed)")
      let groups = try delta.changedGroups()
      #expect(groups == nil ? old.groups.sorted() == new.groups.sorted() : groups?.after == new.groups.sorted())
      new.note = "x"
      #expect(try ContactDelta(from: old, to: new).changedGroups() == nil)
    }
  }
}

private let groupNames = ["Work", "work", "Ärzte", "家", "家人", "Z", "a b", "😀"]

/// A random contact. Every third one has parts of all kinds.
private struct RandomContact {
  let contact: Contact
  let photo: Photo?
  let isDeleted: Bool
  var groups: [String] { contact.groups }

  init(_ number: Int, _ random: inout SeededGenerator) {
    var contact = number % 3 == 0 ? Contact.example : Contact()
    contact.uid = "uid-\(number)"
    contact.family = ["王", "Müller", "Smith", "Ōe"].randomElement(using: &random) ?? ""
    contact.note = ["", "two\nlines \u{1} “quoted” \\"].randomElement(using: &random) ?? ""
    contact.groups = groupNames.shuffled(using: &random).filter { _ in Int.random(in: 0..<4, using: &random) == 0 }
    self.contact = contact
    photo = number % 17 == 0 ? Photo(mediaType: "image/png", data: Data([1, 2, UInt8(number % 256)])) : nil
    isDeleted = Int.random(in: 0..<10, using: &random) == 0
  }
}

private enum Action: CustomStringConvertible {
  case change(BulkEdit, [Int64])
  case group(GroupEdit)
  case undo(ContactMergePolicy)
  case redo(ContactMergePolicy)
  /// SQL of another program.
  case write(String)
  case complete

  init(_ count: Int, _ random: inout SeededGenerator) {
    let share = [5, 50, 95].randomElement(using: &random) ?? 50
    var ids = (1...Int64(count)).filter { _ in Int.random(in: 0..<100, using: &random) < share }
    if Bool.random(using: &random) { ids += [ids.first ?? 1, Int64(count + 100)] }
    // SQL writes only a few contacts.
    let some = ids.shuffled(using: &random).prefix(Int.random(in: 1...8, using: &random))
    let list = ContactLoader.json(some)
    let name = groupNames.randomElement(using: &random) ?? ""
    let other = groupNames.randomElement(using: &random) ?? ""
    let policy: ContactMergePolicy =
      [.byField, .storeWins, .objectWins, .byField].randomElement(using: &random) ?? .byField
    switch Int.random(in: 0..<25, using: &random) {
    case 0...3: self = .change(.join(name), ids)
    case 4...6: self = .change(.leave(name), ids)
    case 7...11: self = .undo(policy)
    case 12...13: self = .redo(policy)
    // A new group, or another spelling of a group that may exist.
    case 14: self = .change(.join(["New", "A\u{308}rzte"].randomElement(using: &random) ?? ""), ids)
    case 15: self = .change(Bool.random(using: &random) ? .delete : .restore, ids)
    case 16:
      self = .write("UPDATE contact SET title = title || 'x' WHERE id IN (SELECT value FROM json_each('\(list)'))")
    case 17: self = .write("DELETE FROM group_member WHERE contact_id IN (SELECT value FROM json_each('\(list)'))")
    case 18:
      self = .write(
        """
        INSERT OR IGNORE INTO group_member SELECT g.id, c.id FROM contact_group g, contact c
        WHERE g.name = '\(name)' AND c.id IN (SELECT value FROM json_each('\(list)'))
        """)
    case 19:
      self = .group(
        [.rename(name, to: other), .rename(name, to: name + "2"), .delete(name), .merge(name, into: other)]
          .randomElement(using: &random) ?? .delete(name))
    case 20:
      self = .change(.change { $0.note += "y" }, ids)
    case 21...23: self = .group(.delete(name))
    default: self = .complete
    }
  }

  var description: String {
    switch self {
    case .change(.change, let ids): "change of \(ids.count)"
    case .change(let edit, let ids): "\(edit) \(ids.count)"
    case .group(let edit): "\(edit)"
    case .undo(let policy): "undo \(policy)"
    case .redo(let policy): "redo \(policy)"
    case .write(let sql): sql
    case .complete: "complete"
    }
  }
}

private struct TwinBook {
  let book: AddressBook
  private let isPlain: Bool

  init(_ contacts: [RandomContact], isPlain: Bool = false) throws {
    self.isPlain = isPlain
    book = try AddressBook.inMemory()
    try book.bulkWrite { writer in
      for contact in contacts {
        let id = try writer.write(contact.contact, photo: contact.photo).id
        if contact.isDeleted { try writer.delete(id) }
      }
    }
    try book.store.write { db in
      try db.execute(
        sql: """
          UPDATE contact SET created_at = '2000-01-01T00:00:00.000Z', modified_at = '2000-01-01T00:00:00.000Z';
          DELETE FROM results_log_contact;
          """)
    }
    _ = try book.completeChecksums()
  }

  /// - Returns: the number of contacts that a bulk edit wrote, an empty text for other actions, or the error.
  func perform(_ action: Action) -> String {
    do {
      switch action {
      case .change(.join(let typed), let ids) where isPlain:
        // The group may be stored in another spelling.
        let name = try book.groupNames().first { $0 == typed } ?? typed
        let join = BulkEdit.change { if !$0.groups.contains(name) { $0.groups = ($0.groups + [name]).sorted() } }
        return "\(try book.bulkEdit(ids, join, as: StepName(.edit))) written"
      case .change(.leave(let name), let ids) where isPlain:
        return "\(try book.bulkEdit(ids, .change { $0.groups.removeAll { $0 == name } }, as: StepName(.edit))) written"
      case .change(let edit, let ids):
        return "\(try book.bulkEdit(ids, edit, as: StepName(.edit), isCancelled: { false })) written"
      case .group(.delete(let name)) where isPlain:
        let context = book.newContext()
        guard let group = try context.existingGroup(named: name) else { throw EditError.missing(name) }
        try context.delete(group)
        try context.save(as: StepName(.deleteGroup, name))
      case .group(.rename(let name, let new)) where isPlain && name != new:
        let context = book.newContext()
        guard let group = try context.existingGroup(named: name) else { throw EditError.missing(name) }
        if try context.existingGroup(named: new) != nil { throw EditError.exists(new) }
        group.name = new
        try context.save()
      case .group(let edit): try book.edit(edit)
      case .undo(let policy):
        if let step = try book.stepToUndo() { _ = try book.reverse(step, policy: policy) }
      case .redo(let policy):
        if let step = try book.stepToRedo() { _ = try book.reverse(step, policy: policy) }
      case .write(let sql): try book.database.write { try $0.execute(sql: sql) }
      case .complete: _ = try book.completeChecksums()
      }
      return ""
    } catch {
      return "\(error)"
    }
  }

  /// Returns what the changes may write, except times and random ids.
  func content() throws -> [String: [String]] {
    let queries = [
      "contacts": """
      SELECT id || uid || version || note || title || section || ifnull(deleted_at > '2001', '-')
        || (modified_at > '2001')
      FROM contact
      """,
      "groups": "SELECT name || version FROM contact_group",
      "members": "SELECT name || ' ' || contact_id FROM group_member JOIN contact_group g ON g.id = group_id",
      "log": """
      SELECT ifnull(old_id, '') || ' ' || ifnull(new_id, '') || ' ' || ifnull(old_content, '') FROM results_log_contact
      """,
      "sections": "SELECT section || ' ' || count FROM section_count",
      "steps": """
      SELECT id || ' ' || kind || ' ' || count || ' ' || total_bytes || ifnull(reversed_by, '-') FROM edit_step
      """,
      "entries": """
      SELECT step_id || ' ' || contact_id || ' ' || ifnull(last_id, '-') || was_there || is_there || ' ' || version_before
        || ' ' || version || ' ' || ifnull(hex(changes), '-') || ifnull(hex(photo), '-')
      FROM edit_entry
      """,
      "groups of steps": "SELECT step_id || ifnull(before, '-') || ' ' || ifnull(after, '-') FROM edit_group",
    ]
    _ = try book.completeChecksums()
    return try book.database.read { db in
      var content = try queries.mapValues { try String.fetchAll(db, sql: $0).sorted() }
      content["damaged"] = try ContactCheck(db, DoctorProgress()).damaged.map { "\($0.id)" }
      return content
    }
  }
}
