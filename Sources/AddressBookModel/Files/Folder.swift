import Glibc

enum Folder {
  /// Returns the folder that a path is in, and the last component of the path.
  static func split(_ path: String) -> (folder: String, name: String) {
    guard let slash = path.lastIndex(of: "/") else { return (".", path) }
    return (slash == path.startIndex ? "/" : String(path[..<slash]), String(path[path.index(after: slash)...]))
  }

  /// Returns the names in a folder, including `.` and `..`, in no particular order; none if it cannot be read.
  static func names(in folder: String) -> [String] {
    guard let handle = opendir(folder) else { return [] }
    defer { closedir(handle) }
    var names: [String] = []
    while let entry = readdir(handle) {
      names.append(
        withUnsafePointer(to: &entry.pointee.d_name) {
          $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
        })
    }
    return names
  }

  /// Flushes the names in a folder to the disk.
  static func sync(_ folder: String) throws(FileFailure) {
    let descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { throw FileFailure(folder, errno) }
    defer { close(descriptor) }
    // Some file systems return EINVAL; a rename is then as safe as they make it.
    guard fsync(descriptor) == 0 || errno == EINVAL else { throw FileFailure(folder, errno) }
  }
}
