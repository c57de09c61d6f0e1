import AddressBookModel
import Contacts
import Messages

/// The localized strings of the screen, looked up by key. Screens contain no text of their own.
struct Strings: Sendable {
  /// The source of the strings; messages of the model use the same language.
  let localization: Localization
  private static let table = "Screen"

  init(_ localization: Localization) { self.localization = localization }

  /// The string of a key with its placeholders filled in.
  func callAsFunction(_ key: String, _ arguments: String...) -> String {
    localization.text(key, arguments: arguments, table: Self.table)
  }

  /// The string of a key that may be missing, or another text.
  func callAsFunction(_ key: String, else text: @autoclosure () -> String) -> String {
    localization.has(key, table: Self.table) ? self(key) : text()
  }

  /// The name of a field, of one value for a list: the screen's own if there is one, otherwise the model's in lower
  /// case.
  func name(of field: ContactField) -> String {
    let (own, property) =
      switch field {
      case .text(let text): (text.name, text.title)
      case .values(let values): (values.singular, values.name + ".one")
      case .special(.addresses): ("address", "addresses.one")
      case .special(let special): (special.rawValue, special.rawValue)
      }
    return self("field." + own, else: localization.propertyName(property, entity: "Person").lowercased())
  }

  /// The localized name of a standard label, or a custom label as it is; if there is no label, another text.
  func label(_ label: String, else text: @autoclosure () -> String) -> String {
    label.isEmpty ? text() : localization.label(label)
  }

  /// Names in one line, with the comma of the language between them.
  func list(_ names: [String]) -> String { localization.list(names) }

  /// A text with a note in the parentheses of the language.
  func noted(_ text: String, _ note: String) -> String { localization.noted(text, note) }

  /// The plural form of a key's string for a number.
  func count(_ key: String, _ count: Int) -> String {
    localization.plural(key, count: count, table: Self.table)
  }

  /// The plural form of a key's string for a number, with one more argument after the number.
  func count(_ key: String, _ count: Int, _ argument: String) -> String {
    localization.plural(key, count: count, argument, table: Self.table)
  }

  /// The string of `key` for the number of changed contacts; if none was changed, the string of `key` with the suffix
  /// `None` for the number of all contacts.
  func changed(_ key: String, _ changed: Int, of all: Int, _ argument: String? = nil) -> String {
    let (key, number) = changed == 0 ? (key + "None", all) : (key, changed)
    return argument.map { count(key, number, $0) } ?? count(key, number)
  }

  /// A share from 0 to 1 as a percentage, rounded down.
  func percent(_ share: Double) -> String { "\(Int(share * 100))%" }

  /// A number with grouped digits.
  func number(_ number: Int) -> String { localization.grouped(number) }
}
