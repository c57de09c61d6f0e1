import AddressBookModel
import Contacts

/// The strings of the screen in the person's language, looked up by key. Screens hold no text of their own.
struct Strings: Sendable {
  /// Where they come from; the messages of the model are asked for in the same language.
  let localization: Localization
  private static let table = "Screen"

  init(_ localization: Localization) { self.localization = localization }

  /// The text of a key; `%@` in it stands for the arguments in turn.
  func callAsFunction(_ key: String, _ arguments: String...) -> String {
    localization.text(key, arguments: arguments, table: Self.table)
  }

  /// The name of a field: the screen's own where it has one, else the model's, which is longer.
  func name(of field: ContactField.Text) -> String {
    let key = "field." + field.name
    return localization.has(key, table: Self.table)
      ? self(key) : localization.propertyName(field.title, entity: "Person").lowercased()
  }

  /// The text of a key for a number of things.
  func count(_ key: String, _ count: Int) -> String {
    localization.plural(key, count: count, table: Self.table)
  }

  /// The text of a key for a number of things, with one more argument after the number.
  func count(_ key: String, _ count: Int, _ argument: String) -> String {
    localization.plural(key, count: count, argument, table: Self.table)
  }

  /// A number with its digits in groups.
  func number(_ number: Int) -> String { localization.grouped(number) }
}
