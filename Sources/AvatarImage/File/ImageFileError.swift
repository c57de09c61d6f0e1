/// Why a file could not be read. The name is with the caller: it is data, to be cleaned before it is shown.
public enum ImageFileError: Error, Sendable, Hashable {
  /// What stands at a path in place of a file.
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

  /// Nothing of that name, or a part of the path is no folder.
  case notFound
  /// Not allowed to read it.
  case notPermitted
  /// Not an ordinary file.
  case notRegular(Kind)
  /// A symbolic link, where none is followed, or too many levels of links.
  case symbolicLink
  /// The path holds a zero byte or is too long.
  case impossibleName
  /// More bytes than the limit.
  case tooLarge(limit: Int)
  /// Another error of the system: `errno`.
  case system(Int32)
}
