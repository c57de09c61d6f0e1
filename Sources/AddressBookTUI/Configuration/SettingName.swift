/// Every setting in `config.toml`, in the order of the manual. The reader switches over them, and the manual describes
/// each one, so that none is missing there.
enum SettingName: String, CaseIterable {
  case theme, pictures, links, mouse, backups
  case trashDays = "trash_days"
  case open, copy, directories
  case directoryPassword = "directory_password"
  case fuzzy = "search.fuzzy"
  case t9 = "search.t9"

  /// The name of the tables below which the keys of commands are set.
  static let keys = "keys"

  /// The key of its description in the manual, after `Manual/config.`.
  var descriptionKey: String { String(describing: self) }

  /// A line of a configuration file, without the name.
  var example: String {
    switch self {
    case .theme: "\"dark\""
    case .pictures, .links: "\"auto\""
    case .mouse: "true"
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

  /// The values that it can have, if they are names.
  var values: [String] {
    switch self {
    case .theme: Theme.Name.allCases.map(\.rawValue)
    case .pictures: PictureSetting.allCases.map(\.rawValue)
    case .links: LinkSetting.allCases.map(\.rawValue)
    case .mouse, .backups, .trashDays, .open, .copy, .directories, .directoryPassword, .fuzzy, .t9: []
    }
  }

  /// A whole configuration file, with a line for each setting.
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
