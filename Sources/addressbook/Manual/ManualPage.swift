import AddressBookTUI

/// The manual, addressbook(1): made from the commands' own help, the table of keys and the names of the themes, so that it
/// cannot say anything else than they do.
struct ManualPage {
  let tree: CommandTree
  let keys: KeyReference

  /// The page in roff, in the person's language.
  var text: String {
    let root = tree.command
    var page = RoffPage(name: root.commandName, version: Program.version, title: words("Manual/title"))
    page.section(words("Manual/NAME"))
    page.paragraphs(root.commandName + " - " + words("Manual/name"))
    page.section(words("Manual/SYNOPSIS"))
    page.item(root.commandName + " [--book <path>]", words("Manual/synopsis.screen"))
    page.item(root.commandName + " <" + words("Manual/command") + "> …", words("Manual/synopsis.command"))
    page.section(words("Manual/DESCRIPTION"))
    page.paragraphs(words("Manual/description"))
    page.section(words("Manual/OPTIONS"))
    for argument in root.visibleArguments { write(argument, to: &page) }
    page.section(words("Manual/COMMANDS"))
    for command in root.visibleSubcommands { write(command, under: "", to: &page) }
    page.section(words("Manual/KEYS"))
    page.paragraphs(words("Manual/keys"))
    for group in keys.groups {
      page.subsection(group.title)
      for key in group.keys { page.item(key.keys, key.meaning) }
    }
    writeConfiguration(to: &page)
    page.section(words("Manual/FILES"))
    for (path, key) in Self.files { page.item(path, words("Manual/file." + key)) }
    page.section(words("Manual/ENVIRONMENT"))
    for (variable, key) in Self.variables { page.item(variable, words("Manual/variable." + key)) }
    page.section(words("Manual/EXIT"))
    for status in [ExitStatus.done, .nothingFound, .misuse, .failed, .notPrinted] {
      page.item(String(status.rawValue), words("Manual/status.\(status.rawValue)"))
    }
    return page.text
  }

  private static let files = [
    ("$XDG_DATA_HOME/addressbook/addressbook.db", "book"), ("$XDG_CONFIG_HOME/addressbook/config.toml", "config"),
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
    let standard = argument.defaultValue.map { " (" + words("Manual/default", $0) + ")" } ?? ""
    page.item(argument.spelling, (argument.abstract ?? "") + standard)
  }

  private func writeConfiguration(to page: inout RoffPage) {
    page.section(words("Manual/CONFIGURATION"))
    page.paragraphs(words("Manual/configuration"))
    page.example(Self.configurationExample)
    page.item("theme", words("Manual/config.theme", keys.themes.joined(separator: ", ")))
    page.item("pictures", words("Manual/config.pictures", keys.pictures.joined(separator: ", ")))
    page.item("mouse", words("Manual/config.mouse"))
    page.item("open", words("Manual/config.open"))
    page.item("copy", words("Manual/config.copy"))
    page.item("[search] fuzzy, t9", words("Manual/config.search"))
    page.item("[keys]", words("Manual/config.keys", keys.commands.joined(separator: ", ")))
  }

  private static let configurationExample = """
    theme = "dark"
    pictures = "auto"
    mouse = true
    open = ["firefox", "{}"]
    copy = ["wl-copy"]

    [search]
    fuzzy = false
    t9 = true

    [keys]
    moveDown = ["j", "Down", "^N"]
    "form.save" = ["^S", "F2"]
    """
}
