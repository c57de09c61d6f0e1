import AddressBookModel
import AddressBookTUI
import Messages

/// The manual of the settings, addressbook-config(5), generated from the list that the reader of `config.toml` uses.
struct ConfigurationPage {
  let keys: KeyReference

  /// The page in roff, in the user's language.
  var text: String {
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
    for setting in keys.settings {
      page.item(
        setting.name, strings("Manual/config." + setting.descriptionKey, Localization.shared.list(setting.values)))
    }
    page.item("[keys]", strings("Manual/config.keys", Localization.shared.list(keys.commands)))
    page.section(strings("Manual/EXAMPLES"))
    page.example(keys.exampleFile)
    page.section(strings("Manual/SEEALSO"))
    page.paragraphs(name + "(1)")
    return page.text
  }
}
