import Glibc

/// Paths without symbolic links.
public enum RealPath {
  /// How many symbolic links a path may lead through, as in the kernel.
  private static let maximumLinks = 40

  /// Returns the real path of a file; nil if it cannot be found or is not UTF-8, with the reason in `errno`. A path with
  /// replacement characters would name another file.
  public static func of(_ path: String) -> String? {
    guard let real = realpath(path, nil) else { return nil }
    defer { free(real) }
    guard let path = String(validatingCString: real) else {
      errno = EILSEQ
      return nil
    }
    return path
  }

  /// Returns the real path of a file; the given one if it cannot be found.
  static func resolved(_ path: String) -> String { of(path) ?? path }

  /// Returns the path with its symbolic links resolved, even if the file is missing: SQLite puts the log beside the file
  /// that a link points to.
  static func target(of path: String) -> String {
    var target = path
    // A link to a missing file may point to another one.
    for _ in 0..<maximumLinks {
      if let real = of(target) { return real }
      guard let next = destination(ofLink: target) else {
        let (folder, name) = Folder.split(target)
        return of(folder).map { $0 == "/" ? "/" + name : $0 + "/" + name } ?? target
      }
      target = next.hasPrefix("/") ? next : Folder.split(target).folder + "/" + next
    }
    return path
  }

  /// Returns the number of the open file of this process that a path leads to, as `/dev/stdout` does; nil if it leads to
  /// none.
  static func descriptor(_ path: String) -> Int32? {
    let descriptors = "/proc/\(getpid())/fd"
    var path = path
    for _ in 0..<maximumLinks {
      let (folder, name) = Folder.split(path)
      // A link in this folder leads to an open file, whatever name it shows.
      if let number = Int32(name), of(folder) == descriptors { return number }
      guard let next = destination(ofLink: path) else { return nil }
      path = next.hasPrefix("/") ? next : folder + "/" + next
    }
    return nil
  }

  private static func destination(ofLink path: String) -> String? {
    var buffer = [UInt8](repeating: 0, count: Int(PATH_MAX))
    let count = readlink(path, &buffer, buffer.count)
    return count > 0 ? String(validating: buffer[..<count], as: UTF8.self) : nil
  }
}
