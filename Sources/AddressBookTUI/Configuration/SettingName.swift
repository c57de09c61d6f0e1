import AddressBookModel
import BookInterchange
import Contacts
import Messages

/// Every setting in `config.toml` except the keys of commands, in the order of the manual. The reader switches over the
/// cases, and the manual describes each one, so that neither misses a setting.
enum SettingName: String, CaseIterable {
  case language, theme, pictures, links
  case ambiguousWidth = "ambiguous_width"
  case sections, mouse, sort, columns, backups
  case trashDays = "trash_days"
  case open, copy, directories
  case directoryPassword = "directory_password"
  case fuzzy = "search.fuzzy"
  case t9 = "search.t9"
  case latinNames = "names.latin"
  case hanNames = "names.han"
  case kanaNames = "names.kana"
  case hangulNames = "names.hangul"

  /// The name of the table of key bindings.
  static let keys = "keys"

  /// The string key of the description in the manual, without the prefix `Manual/config.`.
  var descriptionKey: String { String(describing: self) }

  /// An example value, as written in the configuration file.
  var example: String {
    switch self {
    case .language: "\"en\""
    case .theme: "\"dark\""
    case .pictures, .links, .ambiguousWidth: "\"auto\""
    case .sections: "\"scripts\""
    case .mouse: "true"
    case .sort: "\"name\""
    case .columns: "[\"name\", \"phone\", \"title\", \"address.city\"]"
    case .latinNames: "\"given-first\""
    case .hanNames, .kanaNames, .hangulNames: "\"family-first\""
    case .backups: "7"
    case .trashDays: "30"
    case .open: "[\"firefox\", \"{}\"]"
    case .copy: "[\"wl-copy\"]"
    case .directories: "[\"ldap://ldap.example.com\"]"
    case .directoryPassword: "[\"pass\", \"show\", \"ldap/{}\"]"
    case .fuzzy: "false"
    case .t9: "true"
    }
  }

  /// The possible values if they are names; otherwise empty.
  var values: [String] {
    switch self {
    case .language: Language.allCases.map(\.rawValue)
    case .theme: Theme.Name.allCases.map(\.rawValue)
    case .pictures: PictureSetting.allCases.map(\.rawValue)
    case .links: LinkSetting.allCases.map(\.rawValue)
    case .ambiguousWidth: AmbiguousWidthSetting.allCases.map(\.rawValue)
    case .sections: ContactSections.allCases.map(\.rawValue)
    case .sort: ContactSortOrder.allCases.map(\.rawValue)
    case .latinNames, .hanNames, .kanaNames, .hangulNames: NameStyle.Order.allCases.map(\.rawValue)
    case .mouse, .columns, .backups, .trashDays, .open, .copy, .directories, .directoryPassword, .fuzzy, .t9: []
    }
  }

  /// A whole configuration file, with a line for each setting and the keys of two commands.
  static var exampleFile: String {
    var lines: [String] = []
    var table: Substring = ""
    for setting in allCases {
      let parts = setting.rawValue.split(separator: ".")
      if parts.count == 2, parts[0] != table {
        table = parts[0]
        lines += ["", "[\(table)]"]
      }
      lines.append("\(parts[parts.count - 1]) = \(setting.example)")
    }
    return (lines + ["", "[keys]", "moveDown = [\"j\", \"Down\", \"^N\"]", "\"form.save\" = [\"^S\", \"F2\"]"])
      .joined(separator: "\n")
  }
}
