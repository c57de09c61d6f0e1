import ContactInterchange
import Contacts
import GRDB
import ObjectGraph
import Testing

@testable import AddressBookModel

/// The object model of the book and its tables agree.
@Suite struct BookModelTests {
  private let book: AddressBook

  init() throws { book = try AddressBook.inMemory() }

  /// Columns that are not properties: ids, references, versions, positions and times of deletion.
  private static let unmapped = [
    "contact": ["id", "version", "deleted_at"], "contact_group": ["id", "version"], "avatar": ["contact_id"],
    "contact_card": ["contact_id"],
  ]
  private static let unmappedOfParts = ["id", "contact_id", "position"]

  private func tables() throws -> [(entity: ObjectGraph.Entity, mapping: EntityMapping)] {
    try BookModel.model().entities.map { entity in
      (entity, try #require(BookMapping.mapping.entities[entity.name], "\(entity.name) has no table"))
    }
  }

  @Test func everyColumnIsMappedOrExempt() throws {
    for (entity, mapping) in try tables() {
      let mapped = entity.attributes.map { mapping.properties.attributes[$0.name]?.column ?? $0.name }
      let present = try book.database.read { try $0.columns(in: mapping.table).map(\.name) }
      let rest = Self.unmapped[mapping.table] ?? Self.unmappedOfParts
      #expect(Set(mapped + rest) == Set(present), "\(mapping.table)")
      #expect(mapped.count + rest.count == present.count, "\(mapping.table)")
    }
  }

  @Test func everyTableIsMappedOrExempt() throws {
    let mapped = try tables().map(\.mapping.table)
    let own = Set(mapped + ["group_member"])
    let rest: Set = [
      "store_info", "section_count", "grdb_migrations", "sqlite_sequence", "contact_checksum", "not_same", "group_card",
      "sync_folder", "synced_card", "sync_intent", "sync_conflict",
      "sync_moved", "synced_group", "smart_group", "contacted",
    ]
    let history: Set = ["edit_step", "edit_entry", "edit_group"]
    let present = try book.database.read {
      try String.fetchAll($0, sql: "SELECT name FROM sqlite_master WHERE type = 'table'")
    }
    #expect(own.union(rest).union(history).isSuperset(of: present.filter { !$0.hasPrefix("results_log") }))
    #expect(Set(present).isSuperset(of: own))
  }

  @Test func theJSONHasEveryKey() throws {
    let keys = Set(
      try #require(BookModel.model().entity(named: "Person")).attributes.filter { !$0.description.isHidden }.map(\.name)
    )
    let lists = Set(try #require(BookModel.model().entity(named: "Person")).relationships.map(\.name))
    var contact = Contact.example
    contact.photo = PhotoSummary(mediaType: "image/png", bytes: 1, sha256: "0")
    for field in ContactFields.standard.texts where field.json == .whenFilled { contact[field] = "x" }
    contact.custom = [LabeledValue(label: "team", value: "Blue")]
    contact.cardLines = ["X-A:b"]
    let json = ContactJSON.encodeWhole(contact, section: "A", picture: nil)
    for key in keys.union(lists).subtracting(["formattedName"]) { #expect(json.contains("\"\(key)\": "), "\(key)") }
  }
}
