import AddressBookModel
import ArgumentParser
import Contacts
import Messages

extension FieldPath {
  /// Parses a field that the user named, such as the left side of `--set`.
  /// - Throws: `ValidationError` that lists the valid fields.
  init(argument text: String) throws {
    guard let path = FieldPath(text) else {
      throw ValidationError(strings("Misuse/unknownField", text, Localization.shared.list(FieldPath.allNames)))
    }
    self = path
  }
}
