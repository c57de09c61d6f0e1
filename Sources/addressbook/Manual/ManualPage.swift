import AddressBookTUI

/// The manual, addressbook(1), generated from the commands' own help, the key table and the names of the themes, so
/// that it always agrees with them.
struct ManualPage {
  let tree: CommandTree
  let keys: KeyReference

  /// The page in roff, in the user's language.
  var text: String {
    let root = tree.command
    var page = RoffPage(name: root.commandName, version: Program.version, title: strings("Manual/title"))
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
    writeConfiguration(to: &page)
    page.section(strings("Manual/FILES"))
    for (path, key) in Self.files { page.item(path, strings("Manual/file." + key)) }
    page.section(strings("Manual/ENVIRONMENT"))
    for (variable, key) in Self.variables { page.item(variable, strings("Manual/variable." + key)) }
    page.section(strings("Manual/EXIT"))
    for status in [ExitStatus.done, .nothingFound, .misuse, .failed, .conflict, .incomplete] {
      page.item(String(status.rawValue), strings("Manual/status.\(status.rawValue)"))
    }
    return page.text
  }

  private static let files = [
    ("$XDG_DATA_HOME/addressbook/addressbook.db", "book"),
    ("$XDG_DATA_HOME/addressbook/backups/", "backups"), ("$XDG_CONFIG_HOME/addressbook/config.toml", "config"),
    ("$XDG_CACHE_HOME/addressbook/", "cache"), ("$XDG_STATE_HOME/addressbook/", "state"),
  ]
  private static let variables = [
    ("ADDRESSBOOK_FILE", "book"), ("LC_ALL, LC_MESSAGES, LANG", "language"), ("NO_COLOR", "noColor"),
    ("TERM, COLORTERM", "term"), ("XDG_DATA_HOME, XDG_CONFIG_HOME, XDG_CACHE_HOME, XDG_STATE_HOME", "folders"),
  ]

  private func write(_ command: CommandTree.Command, under parents: String, to page: inout RoffPage) {
    let shared = Set(tree.command.visibleArguments.flatMap { $0.names ?? [] })
    let own = command.visibleArguments.filter { Set($0.names ?? []).isDisjoint(with: shared) }
    let line = ([parents + command.commandName] + own.map(\.synopsis)).filter { !$0.isEmpty }
    page.subsection(line.joined(separator: " "))
    page.paragraphs(command.abstract ?? "")
    for argument in own { write(argument, to: &page) }
    for subcommand in command.visibleSubcommands {
      write(subcommand, under: parents + command.commandName + " ", to: &page)
    }
  }

  private func write(_ argument: CommandTree.Argument, to page: inout RoffPage) {
    let standard = argument.defaultValue.map { strings("Manual/default", $0) } ?? ""
    page.item(argument.spelling, HelpText.localized(argument.abstract ?? "") + standard)
  }

  private func writeConfiguration(to page: inout RoffPage) {
    page.section(strings("Manual/CONFIGURATION"))
    page.paragraphs(strings("Manual/configuration"))
    page.example(Self.configurationExample)
    page.item("theme", strings("Manual/config.theme", keys.themes.joined(separator: ", ")))
    page.item("pictures", strings("Manual/config.pictures", keys.pictures.joined(separator: ", ")))
    page.item("links", strings("Manual/config.links", keys.links.joined(separator: ", ")))
    page.item("mouse", strings("Manual/config.mouse"))
    page.item("backups", strings("Manual/config.backups"))
    page.item("trash_days", strings("Manual/config.trashDays"))
    page.item("open", strings("Manual/config.open"))
    page.item("copy", strings("Manual/config.copy"))
    page.item("directories", strings("Manual/config.directories"))
    page.item("directory_password", strings("Manual/config.directoryPassword"))
    page.item("[search] fuzzy, t9", strings("Manual/config.search"))
    page.item("[keys]", strings("Manual/config.keys", keys.commands.joined(separator: ", ")))
  }

  private static let configurationExample = """
    theme = "dark"
    pictures = "auto"
    links = "auto"
    mouse = true
    backups = 7
    trash_days = 30
    open = ["firefox", "{}"]
    copy = ["wl-copy"]
    directories = ["ldap://ldap.example.com"]
    directory_password = ["pass", "show", "ldap/{}"]

    [search]
    fuzzy = false
    t9 = true

    [keys]
    moveDown = ["j", "Down", "^N"]
    "form.save" = ["^S", "F2"]
    """
}
