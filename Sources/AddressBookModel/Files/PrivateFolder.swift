import Glibc

/// The folders that the program creates for itself, accessible only to their owner.
public enum PrivateFolder {
  /// Creates a folder and missing parents, each with mode 0700. Existing ones are not changed.
  /// - Throws: `FileFailure`, with the path of the folder that could not be created.
  public static func make(_ path: String) throws(FileFailure) {
    var built = path.hasPrefix("/") ? "/" : ""
    for part in path.split(separator: "/") {
      built += part
      if mkdir(built, 0o700) != 0 {
        let code = errno
        var status = stat()
        // In another user's folder, mkdir may return an error other than EEXIST even if the folder exists.
        guard stat(built, &status) == 0 else { throw FileFailure(built, code) }
        guard status.st_mode & S_IFMT == S_IFDIR else { throw FileFailure(built, ENOTDIR) }
      }
      built += "/"
    }
  }
}
