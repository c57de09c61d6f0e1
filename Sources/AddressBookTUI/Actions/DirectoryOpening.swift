import LDAPDirectory

/// Opens the configured directory, or lets the user choose one of several.
@MainActor
final class DirectoryOpening: BrowserAction {
  let parts: BrowserParts

  init(_ parts: BrowserParts) { self.parts = parts }

  func open() {
    let directories = environment.directories
    guard let first = directories.first else { return status.say(strings("directory.none")) }
    guard directories.count > 1 else { return open(first) }
    environment.choose(title: strings("directory.choose"), items: directories.map(\.host)) { [self] choice in
      if case .item(let index) = choice { open(directories[index]) }
    }
  }

  private func open(_ directory: any DirectorySource) {
    environment.screens.push(
      DirectoryScreen(
        environment: environment, actions: DirectoryActions(parts, source: directory), isWholeProgram: false))
  }
}
