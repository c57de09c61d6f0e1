import Glibc

/// The folders that the program makes for itself: for its owner alone.
public enum PrivateFolder {
  /// Makes a folder and the missing ones above it, each with mode 0700. Those that are there stay as they are.
  /// - Throws: with the path of the one that could not be made.
  public static func make(_ path: String) throws(FileFailure) {
    var built = path.hasPrefix("/") ? "/" : ""
    for part in path.split(separator: "/") {
      built += part
      if mkdir(built, 0o700) != 0 {
        let code = errno
        var status = stat()
        // In a folder that is not ours the system may refuse before it says that the next one exists.
        guard stat(built, &status) == 0 else { throw FileFailure(built, code) }
        guard status.st_mode & S_IFMT == S_IFDIR else { throw FileFailure(built, ENOTDIR) }
      }
      built += "/"
    }
  }
}
