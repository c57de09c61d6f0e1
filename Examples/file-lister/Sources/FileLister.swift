import Foundation
import TerminalKit

/// Lists the files of a folder, by default the current one.
@main
struct FileLister {
  @MainActor static func main() {
    let path = CommandLine.arguments.dropFirst().first ?? FileManager.default.currentDirectoryPath
    do {
      try Program.run(keys: keys, help: (.help, "Keys")) { _ in
        FileScreen(URL(fileURLWithPath: path).standardizedFileURL)
      }
    } catch {
      FileHandle.standardError.write(Data("file-lister: \(error)\n".utf8))
      exit(3)
    }
  }
}
