import AddressBookModel
import FolderSync
import TerminalKit

/// Renaming folders and choosing their colors, from the groups pane, which opens again after a change.
extension GroupActions {
  /// The colors to choose from, with the string keys of their names.
  private static let colors: [(key: String, color: String)] = [
    ("color.red", "#E53935"), ("color.orange", "#FB8C00"), ("color.yellow", "#FDD835"), ("color.green", "#43A047"),
    ("color.teal", "#00897B"), ("color.blue", "#1E88E5"), ("color.purple", "#8E24AA"), ("color.pink", "#EC407A"),
    ("color.brown", "#8D6E63"), ("color.gray", "#9E9E9E"),
  ]

  /// Asks for a new name for a folder.
  func askForName(of folder: ContactFolder) {
    ask(
      title: strings("groups.rename", DisplayText.clean(folder.name)), hint: strings("folders.name.hint"),
      text: folder.name, folder: folder.id
    ) { [self] name, prompt in
      rename(folder, to: name, prompt)
    }
  }

  private func rename(_ folder: ContactFolder, to name: String, _ prompt: TextPrompt) {
    do {
      try environment.book.rename(folder, to: name)
    } catch let error as SyncError {
      return prompt.show(error: error.message(in: strings.localization))
    } catch {
      environment.screens.pop(prompt)
      return show(error)
    }
    environment.screens.pop(prompt)
    status.say(strings("status.folderRenamed", folder.name, name))
    showChange()
    open(folder: folder.id)
  }

  /// Asks for the color of a folder: one of a few, or any that is typed as `#RRGGBB`, or none.
  func askForColor(of folder: ContactFolder) {
    var colors = Self.colors.map { (name: strings($0.key), color: $0.color) }
    let present = colors.firstIndex { $0.color == folder.color.uppercased() }
    if present == nil, folder.dot != nil { colors.insert((folder.color, folder.color), at: 0) }
    colors.append((strings("color.none"), ""))
    environment.choose(
      title: strings("folders.color", DisplayText.clean(folder.name)),
      items: colors.map { name, color in
        ChooserState.Item(name, detail: name == color ? "" : color, aliases: [color], dot: Color(hexadecimal: color))
      },
      chosen: present ?? (folder.dot == nil ? colors.count - 1 : 0), ownText: strings("folders.color.own"),
      cancel: { [self] in open(folder: folder.id) }
    ) { [self] choice in
      switch choice {
      case .item(let index): setColor(colors[index].color, of: folder)
      case .own(let text): setColor(text.trimmed, of: folder)
      }
    }
  }

  private func setColor(_ color: String, of folder: ContactFolder) {
    defer { open(folder: folder.id) }
    guard color.isEmpty || ContactFolder.isColor(color) else { return status.fail(strings("folders.color.bad", color)) }
    do {
      try environment.book.setColor(color, of: folder)
    } catch {
      return show(error)
    }
    status.say(strings(color.isEmpty ? "status.folderColorRemoved" : "status.folderColored", folder.name))
    showChange()
  }

  /// Says why a folder's name or color was not written.
  private func show(_ error: any Error) {
    switch error {
    case let error as SyncError: status.fail(error.message(in: strings.localization))
    case let error as StoreError: parts.show(error)
    default: status.fail(strings("status.saveFailed", String(describing: error)))
    }
  }

  /// Makes the title line and the detail show a folder's new name and color.
  private func showChange() {
    list.discardDetail()
    do {
      try list.refreshFolder()
    } catch {
      status.show(reading: error)
    }
  }
}
