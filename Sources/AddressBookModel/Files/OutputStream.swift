import Glibc

/// What a path leads to, also by links, if it is not a file but something to write into: a device, a pipe, or a file
/// that this process has open, such as `/dev/stdout`. A file in its place would take it away from all other programs.
public enum OutputStream {
  /// Returns a descriptor to write to; nil if the path leads to a file, to something else that cannot be written into,
  /// or to nothing. Waits for a reader of a named pipe.
  public static func open(_ path: String) throws(FileFailure) -> Int32? {
    let descriptor: Int32
    switch kind(of: path) {
    case nil: return nil
    case .descriptor(let number): descriptor = fcntl(number, F_DUPFD_CLOEXEC, 0)
    case .device: descriptor = Glibc.open(path, O_WRONLY | O_CLOEXEC | O_NOCTTY)
    }
    guard descriptor >= 0 else { throw FileFailure(path, errno) }
    return descriptor
  }

  /// Returns whether ``open(_:)`` returns a descriptor, if the system lets it.
  static func isAt(_ path: String) -> Bool { kind(of: path) != nil }

  private enum Kind {
    case device
    /// An open file of this process.
    case descriptor(Int32)
  }

  private static func kind(of path: String) -> Kind? {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    if let number = RealPath.descriptor(path) { return .descriptor(number) }
    return [S_IFCHR, S_IFIFO].contains(status.st_mode & S_IFMT) ? .device : nil
  }
}
