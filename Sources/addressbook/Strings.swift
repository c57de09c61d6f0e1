import AddressBookModel
import ArgumentParser
import Messages

/// A localized string of the command line, from `Resources/strings/…/Command.strings`.
func strings(_ key: String, _ arguments: any CustomStringConvertible...) -> String {
  Localization.shared.text(key, arguments: arguments.map(\.description), table: "Command")
}

/// A localized string that depends on a number.
func strings(_ key: String, count: Int) -> String {
  Localization.shared.plural(key, count: count, table: "Command")
}

/// The help text of an option or argument.
func help(_ key: String, valueName: String? = nil) -> ArgumentHelp {
  ArgumentHelp(strings("Help/" + key), valueName: valueName)
}
