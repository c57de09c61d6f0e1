import Foundation
import SystemCalls

/// A property list file that is replaced as a whole: a reader finds the old or the new content, even after a power
/// failure.
struct PropertyListFile: Sendable {
  let path: String
  let format: StoreDescription.PropertyListFormat

  /// Returns the stamp of the file; nil if there is no file.
  func stamp() throws -> FileStamp? {
    if let stamp = FileStamp(of: path) { return stamp }
    if errno == ENOENT { return nil }
    throw StoreFailure.file(path)
  }

  /// Reads the content; nil if there is no file or it is empty.
  func read() throws -> PropertyListArchive? {
    do {
      guard let bytes = try FileBytes.all(of: path, atMost: .max), !bytes.isEmpty else { return nil }
      return try PropertyListArchive(data: Data(bytes))
    } catch is FileFailure {
      throw StoreFailure(reason: .file, description: "\(path) cannot be read")
    }
  }

  /// Writes the content to a temporary file, syncs it and renames it over the file.
  /// - Returns: the stamp of what was written, taken before the rename, because another program may replace the file
  ///   right after it.
  @discardableResult
  func replace(_ archive: PropertyListArchive) throws -> FileStamp {
    let data = try archive.data(format: format)
    do throws(FileFailure) {
      let file = try FileReplacement(path: path)
      try file.write(data)
      let stamp = try file.stamp()
      try file.commit()
      return stamp
    } catch {
      errno = error.code
      throw StoreFailure.file(error.path)
    }
  }

  /// Runs a body under the file's lock, so no other store of this library writes the file meanwhile.
  func lockedForWriting<Result>(_ body: () throws -> Result) throws -> Result {
    while true {
      let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
      guard descriptor >= 0 else { throw StoreFailure.file(path) }
      defer { close(descriptor) }
      guard flock(descriptor, LOCK_EX) == 0 else { throw StoreFailure.file(path) }
      var locked = stat()
      guard fstat(descriptor, &locked) == 0 else { throw StoreFailure.file(path) }
      // The previous holder of the lock may have replaced the file.
      guard try stamp()?.identity == FileIdentity(locked) else { continue }
      return try body()
    }
  }
}
