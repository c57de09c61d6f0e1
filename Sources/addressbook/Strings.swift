import AddressBookModel
import ArgumentParser
import Messages

/// A localized string of the command line, from `Resources/strings/…/Command.strings`.
func strings(_ key: String, _ arguments: any CustomStringConvertible...) -> String {
  Localization.shared.fill(key, arguments)
}

/// A localized string that depends on a number.
func strings(_ key: String, count: Int) -> String {
  Localization.shared.plural(key, count: count, table: "Command")
}

/// The help text of an option or argument.
func help(_ key: String, valueName: String? = nil) -> ArgumentHelp {
  ArgumentHelp(strings("Help/" + key), valueName: valueName)
}

extension Localization {
  fileprivate func fill(_ key: String, _ arguments: [any CustomStringConvertible]) -> String {
    switch arguments.count {
    case 0: text(key, table: "Command")
    case 1: text(key, arguments[0], table: "Command")
    case 2: text(key, arguments[0], arguments[1], table: "Command")
    default: text(key, arguments[0], arguments[1], arguments[2], table: "Command")
    }
  }
}
