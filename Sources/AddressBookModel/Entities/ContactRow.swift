import Contacts
import GRDB

/// A contact as one row of a list, without its parts.
public struct ContactRow: Hashable, Sendable, Identifiable, FetchableRecord {
  /// Id of the contact.
  public let id: Int64
  /// Display name.
  public let displayName: String
  /// First phone number.
  public let phone: String
  /// First email address.
  public let email: String
  /// Organization.
  public let organization: String
  /// Person or organization.
  public let kind: Contact.Kind
  /// The section: 0 for A to 25 for Z, 26 for `#`.
  public let section: Int
  /// The version of the contact, which every change increments.
  public let version: Int

  /// Columns that a row is read from.
  public static let columns = [
    "id", "display_name", "list_phone", "list_email", "organization", "kind", "section", "version",
  ]

  /// `SELECT` of the columns, without a condition.
  package static let selection = "SELECT \(columns.joined(separator: ", ")) FROM contact"

  /// Reads a row that begins with ``columns``, in that order.
  public init(row: Row) {
    id = row.integer(0)
    displayName = row.text(1)
    phone = row.text(2)
    email = row.text(3)
    organization = row.text(4)
    kind = Contact.Kind(rawValue: row.number(5)) ?? .person
    section = row.number(6)
    version = row.number(7)
  }
}
