import Glibc
import PictureFormat

/// An image file named by the user or another program. Reading by path never waits for a pipe or a terminal. Reading
/// stops at a limit.
public enum ImageFile {
  /// Reads the file at a path, which need not be UTF-8. A symbolic link is followed by default; its target must be a
  /// regular file. Nothing is expanded: `~` and `-` are file names.
  public static func read(
    path: [UInt8], limit: Int = ImageLimits.standard.bytes, followsLinks: Bool = true
  ) throws(ImageFileError) -> [UInt8] {
    guard !path.isEmpty else { throw .notFound }
    guard !path.contains(0) else { throw .impossibleName }
    let name = path.map { CChar(bitPattern: $0) } + [0]
    // Checked before opening, because opening a device can have side effects.
    var status = stat()
    guard (followsLinks ? stat(name, &status) : lstat(name, &status)) == 0 else { throw reason(errno) }
    try requireRegular(status)
    let flags = O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC | (followsLinks ? 0 : O_NOFOLLOW)
    let descriptor = open(name, flags)
    guard descriptor >= 0 else { throw reason(errno) }
    defer { close(descriptor) }
    guard fstat(descriptor, &status) == 0 else { throw reason(errno) }
    try requireRegular(status)
    guard status.st_size <= limit else { throw .tooLarge(limit: limit) }
    return try readAll(descriptor, expected: Int(status.st_size), limit: limit)
  }

  /// Reads the file at a path given as a string.
  public static func read(
    path: String, limit: Int = ImageLimits.standard.bytes, followsLinks: Bool = true
  ) throws(ImageFileError) -> [UInt8] {
    try read(path: Array(path.utf8), limit: limit, followsLinks: followsLinks)
  }

  /// Reads everything from an open descriptor, such as standard input. Waits for its end, but stops at the limit.
  public static func read(
    descriptor: Int32, limit: Int = ImageLimits.standard.bytes
  ) throws(ImageFileError) -> [UInt8] {
    try readAll(descriptor, expected: 0, limit: limit)
  }

  private static func readAll(
    _ descriptor: Int32, expected: Int, limit: Int
  ) throws(ImageFileError) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(expected)
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = Glibc.read(descriptor, &buffer, buffer.count)
      if count < 0 {
        if errno == EINTR { continue }
        throw reason(errno)
      }
      if count == 0 { return bytes }
      // The file may grow while it is read.
      guard bytes.count + count <= limit else { throw .tooLarge(limit: limit) }
      bytes += buffer[..<count]
    }
  }

  private static func requireRegular(_ status: stat) throws(ImageFileError) {
    switch status.st_mode & S_IFMT {
    case S_IFREG: return
    case S_IFDIR: throw .notRegular(.folder)
    case S_IFIFO: throw .notRegular(.pipe)
    case S_IFSOCK: throw .notRegular(.socket)
    case S_IFCHR, S_IFBLK: throw .notRegular(.device)
    case S_IFLNK: throw .symbolicLink
    default: throw .notRegular(.other)
    }
  }

  private static func reason(_ number: Int32) -> ImageFileError {
    switch number {
    case ENOENT, ENOTDIR: .notFound
    case EACCES, EPERM: .notPermitted
    case ELOOP: .symbolicLink
    case ENAMETOOLONG: .impossibleName
    case EISDIR: .notRegular(.folder)
    case ENXIO: .notRegular(.socket)
    default: .system(number)
    }
  }
}
