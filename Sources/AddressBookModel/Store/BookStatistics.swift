import ObjectGraph

/// Statistics of a book, for `stats`.
public struct BookStatistics: Hashable, Sendable {
  /// Contacts that are persons and not deleted.
  public let persons: Int
  /// Contacts that are organizations and not deleted.
  public let organizations: Int
  /// Deleted contacts that can be restored.
  public let deleted: Int
  /// Groups, without smart groups.
  public let groups: Int
  /// Phone numbers of contacts that are not deleted.
  public let phones: Int
  /// Email addresses of contacts that are not deleted.
  public let emails: Int
  /// Contacts with a photo that are not deleted.
  public let photos: Int
  /// Contacts with a birthday that are not deleted.
  public let birthdays: Int
  /// Size of the file and its write-ahead log in bytes.
  public let bytes: Int

  /// Counts everything in one snapshot of the book.
  /// - Parameter bytes: size of the file and its write-ahead log.
  init(_ context: ObjectContext, bytes: Int) throws(ObjectGraphError) {
    let counted = ["Group", "Phone", "Email", "Photo"].map { BookRequests.count(of: $0) }
    let results = try context.results(
      of: [BookRequests.contacts, BookRequests.count(of: "Person", onlyDeleted: true)] + counted)
    let contacts = results[0].rows.first ?? [:]
    organizations = contacts.integer(BookRequests.organizations)
    persons = contacts.integer(BookRequests.count) - organizations
    birthdays = contacts.integer(BookRequests.birthdays)
    deleted = results[1].number
    groups = results[2].number
    phones = results[3].number
    emails = results[4].number
    photos = results[5].number
    self.bytes = bytes
  }
}
