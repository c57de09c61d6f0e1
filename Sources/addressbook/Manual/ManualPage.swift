import AddressBookTUI
import Messages

/// The manual, addressbook(1), generated from the commands' own help and the key table, so that it always agrees with
/// them.
struct ManualPage {
  let tree: CommandTree
  let keys: KeyReference

  /// The page in roff, in the user's language.
  var text: String {
    let root = tree.command
    var page = RoffPage(name: root.commandName, section: 1, version: Program.version, title: strings("Manual/title"))
    page.section(strings("Manual/NAME"))
    page.paragraphs(root.commandName + " - " + strings("Manual/name"))
    page.section(strings("Manual/SYNOPSIS"))
    page.item(root.commandName + " [--book <path>]", strings("Manual/synopsis.screen"))
    page.item(root.commandName + " <" + strings("Manual/command") + "> …", strings("Manual/synopsis.command"))
    page.section(strings("Manual/DESCRIPTION"))
    page.paragraphs(strings("Manual/description"))
    page.section(strings("Manual/OPTIONS"))
    for argument in root.visibleArguments { write(argument, to: &page) }
    page.section(strings("Manual/COMMANDS"))
    for command in root.visibleSubcommands { write(command, under: "", to: &page) }
    page.section(strings("Manual/KEYS"))
    page.paragraphs(strings("Manual/keys"))
    for group in keys.groups {
      page.subsection(group.title)
      for key in group.keys { page.item(key.keys, key.meaning) }
    }
    page.section(strings("Manual/DIRECTORIES"))
    page.paragraphs(strings("Manual/directories"))
    page.section(strings("Manual/CONFIGURATION"))
    page.paragraphs(strings("Manual/configuration.see"))
    page.section(strings("Manual/FILES"))
    for (path, key) in Self.files { page.item(path, strings("Manual/file." + key)) }
    page.section(strings("Manual/ENVIRONMENT"))
    for (variable, key) in Self.variables { page.item(variable, strings("Manual/variable." + key)) }
    page.section(strings("Manual/EXIT"))
    for status in [ExitStatus.done, .nothingFound, .misuse, .failed, .conflict, .incomplete] {
      page.item(String(status.rawValue), strings("Manual/status.\(status.rawValue)"))
    }
    page.item("128 + n", strings("Manual/status.signal"))
    page.section(strings("Manual/EXAMPLES"))
    for (key, command) in Self.examples {
      page.paragraphs(strings("Manual/example." + key))
      page.example(command)
    }
    page.section(strings("Manual/SEEALSO"))
    page.paragraphs(Self.related)
    return page.text
  }

  private static let related =
    "addressbook-config(5), vdirsyncer(1), mutt(1), neomutt(1), aerc(1), ldap.conf(5), terminfo(5)"

  private static let files = [
    ("$XDG_DATA_HOME/addressbook/addressbook.db", "book"),
    ("$XDG_DATA_HOME/addressbook/backups/", "backups"), ("$XDG_CONFIG_HOME/addressbook/config.toml", "config"),
    ("$XDG_DATA_HOME/addressbook/accounts/", "accounts"),
    ("addressbook.db-wal, addressbook.db-shm", "log"),
    ("addressbook.db.v…, .replaced-…, .damaged-…", "former"),
    ("$XDG_CACHE_HOME/addressbook/", "cache"), ("$XDG_STATE_HOME/addressbook/", "state"),
  ]
  static let examples = [
    ("screen", "addressbook"),
    ("add", "addressbook add --set family=王 --set given=小明 --set 'phone[mobile]=138 0000 1111'"),
    (
      "list",
      "addressbook list --columns name,phones wxm\naddressbook list --where \"ANY phones.value BEGINSWITH '+86'\""
    ),
    ("import", "addressbook import --dry-run contacts.vcf\naddressbook import contacts.vcf\naddressbook undo"),
    ("export", "addressbook export --format csv > contacts.csv"),
    ("mutt", "set query_command = \"addressbook query %s\""),
    ("pick", "mutt \"$(addressbook pick --email)\""),
    (
      "account",
      "addressbook account add https://dav.example.org/ --user me --password-command 'pass show dav'\naddressbook sync"
    ),
    ("calendar", "addressbook birthdays --days 365 --format ical > birthdays.ics"),
    ("doctor", "addressbook doctor\naddressbook backup list\naddressbook restore FILE"),
  ]
  private static let variables = [
    ("ADDRESSBOOK_FILE", "book"), ("LC_ALL, LC_MESSAGES, LANG", "language"), ("NO_COLOR", "noColor"),
    ("TERM, COLORTERM", "term"), ("TERMINFO, TERMINFO_DIRS", "terminfo"),
    ("XDG_DATA_HOME, XDG_CONFIG_HOME, XDG_CACHE_HOME, XDG_STATE_HOME", "folders"),
  ]

  private func write(_ command: CommandTree.Command, under parents: String, to page: inout RoffPage) {
    let shared = Set(tree.command.visibleArguments.flatMap { $0.names ?? [] })
    let own = command.visibleArguments.filter { Set($0.names ?? []).isDisjoint(with: shared) }
    let line = [parents + command.commandName] + own.filter { $0.kind == "positional" }.map(\.synopsis)
    page.subsection(line.joined(separator: " "))
    page.paragraphs([command.abstract, command.discussion].compactMap(\.self).joined(separator: "\n"))
    for argument in own { write(argument, to: &page) }
    for subcommand in command.visibleSubcommands {
      write(subcommand, under: parents + command.commandName + " ", to: &page)
    }
  }

  private func write(_ argument: CommandTree.Argument, to page: inout RoffPage) {
    page.item(argument.spelling, argument.description)
  }
}

extension ManualPage {
  /// The manual of the settings, addressbook-config(5), generated from the table that the reader of `config.toml` uses:
  /// the page in roff, in the user's language.
  static var ofSettings: String {
    let name = AddressBookCommand.configuration.commandName ?? "addressbook"
    var page = RoffPage(
      name: name + "-config", section: 5, version: Program.version, title: strings("Manual/config.title"))
    page.section(strings("Manual/NAME"))
    page.paragraphs(name + "-config - " + strings("Manual/config.name"))
    page.section(strings("Manual/SYNOPSIS"))
    page.paragraphs("$XDG_CONFIG_HOME/addressbook/config.toml\n~/.config/addressbook/config.toml")
    page.section(strings("Manual/DESCRIPTION"))
    page.paragraphs(strings("Manual/configuration"))
    page.section(strings("Manual/SETTINGS"))
    for setting in Setting.all { page.item(setting.name, setting.description(in: .shared)) }
    page.item("[keys]", strings("Manual/config.keys", Localization.shared.list(Setting.commandNames)))
    page.section(strings("Manual/EXAMPLES"))
    page.example(Setting.exampleFile)
    page.section(strings("Manual/SEEALSO"))
    page.paragraphs(name + "(1)")
    return page.text
  }
}

/// Writes a manual page in roff with the `man` macros (man(7), groff_man(7)).
struct RoffPage {
  private(set) var text: String

  /// Begins a page in a section of the manual, such as 1 for commands.
  init(name: String, section: Int, version: String, title: String) {
    // Without hyphenation, which would change names, and aligned left: justification would spread lines of Chinese,
    // which have few spaces.
    text =
      ".TH \(Self.argument(name.uppercased())) \(section) \"\" \"\(name) \(version)\" \"\(Self.argument(title))\"\n"
      + ".nh\n.ad l\n"
  }

  /// A heading.
  mutating func section(_ title: String) { text += ".SH \"\(Self.argument(title))\"\n" }

  /// A subheading.
  mutating func subsection(_ title: String) { text += ".SS \"\(Self.argument(title))\"\n" }

  /// Text in which each line becomes a paragraph.
  mutating func paragraphs(_ words: String) {
    for (index, line) in words.split(separator: "\n").enumerated() {
      if index > 0 { text += ".PP\n" }
      text += Self.escaped(String(line)) + "\n"
    }
  }

  /// A term and its description.
  mutating func item(_ term: String, _ words: String) {
    text += ".TP\n\\fB" + Self.escaped(term) + "\\fR\n" + Self.escaped(words) + "\n"
  }

  /// Preformatted lines.
  mutating func example(_ lines: String) {
    text += ".PP\n.nf\n.RS\n"
    for line in lines.split(separator: "\n", omittingEmptySubsequences: false) {
      text += Self.escaped(String(line)) + "\n"
    }
    text += ".RE\n.fi\n.PP\n"
  }

  /// Words of at least this many characters may be broken after punctuation: beside Chinese, groff 1.22 never ends with
  /// a word that is longer than the line.
  private static let longWord = 16
  private static let breaking: Set<Character> = [
    "/", "?", "=", "&", ",", ":", ";", "|", "@", "、", "，", "；", "：", "。", "）",
  ]

  /// Escapes a text, so that roff prints it literally. Hyphens stay ASCII hyphens, because they are part of commands
  /// and options; a newline becomes a space.
  static func escaped(_ text: String) -> String {
    let words = text.split(separator: " ", omittingEmptySubsequences: false).map { word in
      escaped(word: word, isLong: word.utf8.count >= longWord)
    }
    let result = words.joined(separator: " ")
    return result.hasPrefix(".") ? "\\&" + result : result
  }

  private static func escaped(word: Substring, isLong: Bool) -> String {
    var result = ""
    for character in word {
      switch character {
      case "\\": result += "\\e"
      case "-": result += "\\-"
      case "^": result += "\\(ha"
      case "~": result += "\\(ti"
      case "'": result += "\\(aq"
      case "`": result += "\\(ga"
      case "\n": result += " "
      default: result.append(character)
      }
      if isLong, breaking.contains(character) { result += "\\:" }
    }
    return result
  }

  private static func argument(_ text: String) -> String {
    escaped(text).split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\\(dq")
  }
}
