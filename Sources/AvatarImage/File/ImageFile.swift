import Glibc
import PictureFormat
import SystemCalls

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
    guard let status = stat(of: name, followsLinks: followsLinks) else { throw reason(errno) }
    try requireRegular(status)
    guard let file = ReadableFile(name, followsLinks ? 0 : O_NOFOLLOW), let opened = file.status else {
      throw reason(errno)
    }
    try requireRegular(opened)
    return try rest(of: file, limit: limit)
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
    try rest(of: ReadableFile(descriptor: descriptor), limit: limit)
  }

  private static func rest(of file: ReadableFile, limit: Int) throws(ImageFileError) -> [UInt8] {
    do throws(FileFailure) {
      return try file.rest(atMost: limit)
    } catch {
      throw error.code == EFBIG ? .tooLarge(limit: limit) : reason(error.code)
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

/// Why a file could not be read. The caller knows the name, which must be cleaned before it is displayed.
public enum ImageFileError: Error, Sendable, Hashable {
  /// The kind of a file that is not regular.
  public enum Kind: String, Sendable, Hashable {
    /// A folder.
    case folder
    /// A named pipe.
    case pipe
    /// A socket.
    case socket
    /// A device such as `/dev/zero`.
    case device
    /// Something else.
    case other
  }

  /// There is no such file, or a part of the path is not a folder.
  case notFound
  /// No permission to read it.
  case notPermitted
  /// Not a regular file.
  case notRegular(Kind)
  /// A symbolic link, if links are not followed, or too many levels of links.
  case symbolicLink
  /// The path contains a zero byte or is too long.
  case impossibleName
  /// The file exceeds the limit.
  case tooLarge(limit: Int)
  /// Any other system error: `errno`.
  case system(Int32)
}
