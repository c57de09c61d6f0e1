import AddressBookModel
import ContactInterchange
import Contacts
import GRDB

/// Somebody with whom email was exchanged, and the contact of the book with the address.
public struct KnownCorrespondent: Hashable, Sendable {
  /// The correspondent.
  public let person: Correspondents.Correspondent
  /// The id of the contact; nil if nobody in the book has the address.
  public let contact: Int64?
  /// The display name of the contact; empty if there is none.
  public let contactName: String

  /// The local date of the last message, such as `2026-03-01`; empty if no message has a valid date.
  public var lastDay: String {
    person.last.map { String(Timestamp.local(Timestamp.text(secondsSince1970: $0)).prefix(10)) } ?? ""
  }
}

extension AddressBook {
  /// Returns correspondents with the contacts that have their addresses, even if these are stored as `<address>` or
  /// `mailto:address`; of several contacts, the first by its id.
  public func known(_ people: [Correspondents.Correspondent]) throws(StoreError) -> [KnownCorrespondent] {
    let contacts = try store.read { db in
      let rows = try Row.fetchCursor(
        db,
        sql: """
          SELECT c.id, c.display_name, e.value FROM email e CROSS JOIN contact c ON c.id = e.contact_id
          WHERE c.deleted_at IS NULL
          """)
      var found: [String: (id: Int64, name: String)] = [:]
      while let row = try rows.next() {
        guard let key = MailAddress.bare(row.text(2)).map(MailAddress.key) else { continue }
        if found[key].map({ $0.id > row.integer(0) }) ?? true { found[key] = (row.integer(0), row.text(1)) }
      }
      return found
    }
    return people.map { person in
      let contact = contacts[MailAddress.key(of: person.address)]
      return KnownCorrespondent(person: person, contact: contact?.id, contactName: contact?.name ?? "")
    }
  }

  /// Keeps when the contacts among correspondents last wrote or were written to.
  /// - Returns: the number of contacts with a new time.
  @discardableResult
  public func recordLastContact(of people: [KnownCorrespondent]) throws(StoreError) -> Int {
    var times: [Int64: Int] = [:]
    for one in people {
      if let id = one.contact, let last = one.person.last { times[id] = max(last, times[id] ?? last) }
    }
    return times.isEmpty ? 0 : try recordLastContact(times)
  }

  /// Adds correspondents as contacts, as one step of the history. Somebody with the display name of a contact, or with
  /// that of another one who is added, is left out, because it is probably the same person.
  /// - Parameters:
  ///   - people: those to add; contacts are ignored.
  ///   - source: what the step is named after.
  /// - Returns: the ids of the contacts, and those who were left out.
  public func add(
    _ people: [KnownCorrespondent], from source: String, in session: EditSession? = nil
  ) throws -> (ids: [Int64], namesakes: [Correspondents.Correspondent]) {
    let new = people.filter { $0.contact == nil }.map(\.person)
    var (added, namesakes): ([Correspondents.Correspondent], [Correspondents.Correspondent]) = ([], [])
    var seen = try namesInUse(new.map(\.name))
    for person in new {
      let isNew = person.name.isEmpty || seen.insert(person.name).inserted
      if isNew { added.append(person) } else { namesakes.append(person) }
    }
    guard !added.isEmpty else { return ([], namesakes) }
    let ids = try bulkWrite(as: StepName(.importing, source), in: session) { writer in
      try added.map { person in
        var contact = Contact()
        contact.formattedName = person.name
        contact.emails = [LabeledValue(value: person.address)]
        return try writer.write(contact).id
      }
    }
    let times = zip(ids, added).compactMap { id, person in person.last.map { (id, $0) } }
    try recordLastContact(Dictionary(times, uniquingKeysWith: max))
    return (ids, namesakes)
  }

  /// Returns those of the names that are the display name of a contact.
  private func namesInUse(_ names: [String]) throws(StoreError) -> Set<String> {
    let list = "[" + names.map { ContactJSON.encode($0) }.joined(separator: ",") + "]"
    let sql = """
      SELECT display_name FROM contact WHERE deleted_at IS NULL AND display_name IN (SELECT value FROM json_each(?))
      """
    return try store.read { db in try String.fetchSet(db, sql: sql, arguments: [list]) }
  }
}
