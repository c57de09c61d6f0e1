import AddressBookModel

/// Moving contacts to one of the folders that the book is synced with.
@MainActor
final class FolderActions: BrowserAction {
  let parts: BrowserParts

  init(_ parts: BrowserParts) { self.parts = parts }

  /// Asks for the folder to move the selected contact, or all marked ones, to.
  func askForFolder() {
    let (ids, strings) = (parts.listPane.chosenIDs, strings)
    guard !ids.isEmpty, let whom = parts.chosenText() else { return }
    let folders: [ContactFolder]
    do {
      folders = try environment.book.folders()
    } catch {
      return status.show(reading: error)
    }
    guard !folders.isEmpty else { return status.say(strings("folders.none")) }
    environment.choose(
      title: strings("folders.move"), items: folders.map(\.name) + [strings("folders.onlyHere")], hint: whom
    ) { [weak self] choice in
      guard case .item(let index) = choice else { return }
      self?.move(ids, to: index < folders.count ? folders[index] : nil)
    }
  }

  private func move(_ ids: [Int64], to folder: ContactFolder?) {
    do {
      try environment.book.move(ids, toFolder: folder?.id)
      status.say(strings.count("status.moved", ids.count, folder?.name ?? strings("folders.onlyHere")))
      // No row of a contact was written.
      list.discardDetail()
      if list.filter.folder != nil { list.setFilter(list.filter, selecting: list.selectedID) }
    } catch {
      parts.show(editor.failure(error)) { [weak self] in self?.move(ids, to: folder) }
    }
  }
}
