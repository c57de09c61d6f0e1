import Glibc

/// A failed operation on a file.
public struct FileFailure: Error, Hashable, Sendable {
  /// The file or folder.
  public let path: String
  /// The error number (`errno`).
  public let code: Int32
  /// True if the name belongs to something other than a file: a folder, a pipe, a device.
  public let isNotAFile: Bool
  /// True if the file belongs to a book that this process has open.
  public let isBook: Bool

  /// The system's error message.
  public var message: String { String(cString: strerror(code)) }

  /// Creates a failure with the system's error number.
  public init(_ path: String, _ code: Int32, isNotAFile: Bool = false, isBook: Bool = false) {
    self.path = path
    self.code = code
    self.isNotAFile = isNotAFile
    self.isBook = isBook
  }
}
