import AddressBookModel
import ArgumentParser
import BookInterchange
import Contacts
import Messages

/// The columns that `list --columns` prints for each contact.
struct ContactColumns {
  /// The titles of the columns, which are their names.
  let titles: [String]
  private let columns: [ContactColumn]

  /// Parses names separated by commas: `id,name,phone[mobile]`.
  /// - Throws: `ValidationError` that lists the valid names.
  init(_ text: String) throws {
    titles = text.split(separator: ",", omittingEmptySubsequences: false).map {
      String($0.drop { $0 == " " }.prefix { $0 != " " })
    }
    columns = try titles.map { title in
      guard let column = ContactColumn(title) else {
        throw ValidationError(strings("Misuse/unknownColumn", title, Localization.shared.list(ContactColumn.allNames)))
      }
      return column
    }
  }

  func cells(_ contact: Contact) -> [String] { columns.map { $0.text(of: contact) } }
}
