import AddressBookModel
import TerminalKit

/// Renaming folders, from the groups pane, which opens again afterwards.
extension GroupActions {
  /// Asks for another name of a folder.
  func askForName(of folder: ContactFolder) {
    ask(
      title: strings("groups.rename", DisplayText.clean(folder.name)), hint: strings("folders.name.hint"),
      text: folder.name
    ) { [weak self] name, prompt in
      self?.rename(folder, to: name, prompt)
    }
  }

  private func rename(_ folder: ContactFolder, to name: String, _ prompt: PathPrompt) {
    do {
      try environment.book.rename(folder, to: name)
      environment.screens.pop(prompt)
      try showName(of: folder.id)
      status.say(strings("status.folderRenamed", folder.name, name))
      open()
    } catch let error as SyncError {
      prompt.show(error: error.message(in: strings.localization))
    } catch {
      environment.screens.pop(prompt)
      status.show(reading: error)
    }
  }

  /// The title and the detail show a folder under its new name.
  private func showName(of id: Int64) throws {
    list.discardDetail()
    guard list.filter.folder?.id == id, let folder = try environment.book.folders().first(where: { $0.id == id }) else {
      return
    }
    list.setFilter(ContactFilter(query: list.filter.query, folder: folder), selecting: list.selectedID)
  }
}
