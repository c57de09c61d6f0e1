import AddressBookModel
import SystemCalls
import TerminalKit

/// Changes settings on the screen: they are written to `config.toml`, and apply at once.
@MainActor
final class SettingsActions: BrowserAction {
  let parts: BrowserParts
  private let folder: String?

  init(_ parts: BrowserParts, folder: String?) {
    self.parts = parts
    self.folder = folder
  }

  private typealias Value = ConfigurationParser.Value

  /// The settings that are chosen from a few values, and apply to a terminal that is already open.
  private static let settings = Setting.all.filter {
    !values(of: $0).isEmpty && !["links", "ambiguous_width"].contains($0.name)
  }

  /// The columns that people ask for; config.toml takes every field.
  private static let columns = [
    "name", "phone", "organization", "email", "title", "department", "nickname", "birthday", "groups", "address.city",
    "address.country", "created", "modified", "contacted",
  ]

  private static func values(of setting: Setting) -> [Value] {
    switch setting.kind {
    case .names(let names), .locale(let names): names.map(Value.string)
    case .boolean: [.boolean(true), .boolean(false)]
    case .columns: columns.map(Value.string)
    default: []
    }
  }

  /// Lets the user choose a setting.
  func choose() {
    // The book is reopened, which would stop the work.
    guard !work.refusesWork() else { return }
    guard folder != nil else { return status.fail(strings("settings.noFolder")) }
    let accepted = ConfigurationFile.read(in: folder).accepted
    let items = Self.settings.map { setting in
      ChooserState.Item(
        setting.name, detail: (accepted[setting.name]?.value ?? setting.standard)?.text ?? "",
        aliases: [description(of: setting)])
    }
    environment.choose(title: strings("settings.title"), items: items) { [self] choice in
      guard case .item(let index) = choice else { return }
      let setting = Self.settings[index]
      chooseValue(of: setting, accepted[setting.name]?.value ?? setting.standard)
    }
  }

  private func description(of setting: Setting) -> String {
    strings.localization.text("Setting/" + setting.name, table: "Command")
  }

  private func chooseValue(of setting: Setting, _ present: Value?) {
    let values = Self.values(of: setting)
    let chosen = present?.strings ?? []
    let items = values.map { value in
      let isChosen = value == present || setting.kind == .columns && chosen.contains(value.text)
      return ChooserState.Item(value.text, detail: isChosen ? "●" : "")
    }
    environment.choose(
      title: setting.name, items: items, chosen: present.flatMap(values.firstIndex) ?? 0,
      hint: description(of: setting)
    ) { [self] choice in
      guard case .item(let index) = choice else { return }
      var value = values[index]
      if setting.kind == .columns {
        // Choosing a column adds it at the end, or removes it.
        let name = value.text
        value = .list((chosen.contains(name) ? chosen.filter { $0 != name } : chosen + [name]).map(Value.string))
      }
      set(setting, to: value)
    }
  }

  private func set(_ setting: Setting, to value: Value) {
    guard let folder else { return }
    do {
      let bytes = try ConfigurationFile.bytes(in: folder) ?? []
      guard let text = String(validating: bytes, as: UTF8.self),
        let new = ConfigurationEdit.text(text, setting: setting.name, to: value)
      else { return status.fail(strings("settings.notChanged", setting.name)) }
      try PrivateFile(ConfigurationFile.path(in: folder)).write(Array(new.utf8), makesFolder: true, isDurable: true)
    } catch {
      return status.fail(strings("settings.notWritten", error.message))
    }
    let configuration = ConfigurationFile.read(in: folder).configuration
    environment.reopen(setting.name == "language" ? configuration.language.map { .inLanguage($0) } ?? .asItIs : .asItIs)
  }
}
