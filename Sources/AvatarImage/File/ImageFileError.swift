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
