import Dispatch
import Glibc
import SystemCalls

/// Completion of file names, as in a shell.
public enum PathCompletion {
  /// Returns the path with the home folder in place of `~`, if that is its first component.
  public static func expanded(_ path: String) -> String {
    guard path == "~" || path.hasPrefix("~/"), let home = getenv("HOME") else { return path }
    return String(cString: home) + path.dropFirst()
  }

  /// Returns the path extended by the longest common prefix of all matching files; a folder that is the only match gets
  /// its slash, and so does `~`.
  public static func completed(_ path: String) -> String {
    let full = expanded(path)
    if path == "~", full != path { return "~/" }
    let slash = full.lastIndex(of: "/")
    let folder = slash.map { String(full[...$0]) } ?? "./"
    let start = slash.map { String(full[full.index(after: $0)...]) } ?? full
    let names = Folder.names(in: folder).sorted().filter {
      $0.hasPrefix(start) && (start.hasPrefix(".") || !$0.hasPrefix("."))
    }
    guard var common = names.first else { return path }
    for name in names.dropFirst() {
      common = String(zip(common, name).prefix { $0 == $1 }.map(\.0))
    }
    let typed =
      slash == nil ? "" : String(path[..<(path.lastIndex(of: "/").map { path.index(after: $0) } ?? path.startIndex)])
    let isFolder = names.count == 1 && isFolder(folder + common)
    return typed + common + (isFolder ? "/" : "")
  }

  /// Completes the path in a ``PromptScreen``. The folder is read on another thread, because it may be large or on a
  /// disk that does not respond.
  public static func completion(on loop: any ProgramLoop) -> TextCompletion {
    { typed, done in
      DispatchQueue.global(qos: .userInitiated).async {
        let completed = completed(typed)
        loop.post { done(completed) }
      }
    }
  }

  private static func isFolder(_ path: String) -> Bool { stat(of: path)?.isFolder == true }
}
