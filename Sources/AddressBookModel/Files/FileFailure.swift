import Glibc

/// What the system said of a file.
public struct FileFailure: Error, Hashable, Sendable {
  /// The file or folder.
  public let path: String
  /// The number of the error (`errno`).
  public let code: Int32
  /// True when something other than a file has the name: a folder, a pipe, a device.
  public let isNotAFile: Bool

  /// The error in the system's words.
  public var message: String { String(cString: strerror(code)) }

  /// A failure with the number that the system gave.
  public init(_ path: String, _ code: Int32, isNotAFile: Bool = false) {
    self.path = path
    self.code = code
    self.isNotAFile = isNotAFile
  }
}
