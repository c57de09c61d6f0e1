import Foundation

/// The inode, size and modification time of a file, which tell whether it has changed since it was read.
struct FileStamp: Equatable {
  let inode: UInt64
  let size: Int64
  let seconds: Int
  let nanoseconds: Int

  init(_ status: stat) {
    inode = UInt64(status.st_ino)
    size = Int64(status.st_size)
    seconds = Int(status.st_mtim.tv_sec)
    nanoseconds = Int(status.st_mtim.tv_nsec)
  }
}

/// A property list file that is replaced as a whole: a reader finds the old or the new content, even after a power
/// failure.
struct PropertyListFile: Sendable {
  let path: String
  let format: StoreDescription.PropertyListFormat

  /// Returns the stamp of the file; nil if there is no file.
  func stamp() throws -> FileStamp? {
    var status = stat()
    guard stat(path, &status) == 0 else {
      if errno == ENOENT { return nil }
      throw StoreFailure.file(path)
    }
    return FileStamp(status)
  }

  /// Reads the content; nil if there is no file or it is empty.
  func read() throws -> PropertyListArchive? {
    guard try stamp() != nil else { return nil }
    let data: Data
    do {
      data = try Data(contentsOf: URL(fileURLWithPath: path))
    } catch {
      throw StoreFailure(reason: .file, description: "\(path) cannot be read")
    }
    return data.isEmpty ? nil : try PropertyListArchive(data: data)
  }

  /// Writes the content to a temporary file, syncs it and renames it over the file.
  /// - Returns: the stamp of what was written, taken before the rename, because another program may replace the file
  ///   right after it.
  @discardableResult
  func replace(_ archive: PropertyListArchive) throws -> FileStamp {
    let temporary = "\(path).\(UUID().uuidString).tmp"
    let descriptor = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw StoreFailure.file(temporary) }
    var status = stat()
    do {
      let handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
      try handle.write(contentsOf: try archive.data(format: format))
      guard fsync(descriptor) == 0, fstat(descriptor, &status) == 0 else { throw StoreFailure.file(temporary) }
      try handle.close()
      guard rename(temporary, path) == 0 else { throw StoreFailure.file(path) }
    } catch {
      unlink(temporary)
      throw error
    }
    try Self.syncFolder(of: path)
    return FileStamp(status)
  }

  /// Syncs the folder of a file; without this, a rename is not durable.
  static func syncFolder(of path: String) throws {
    let folder = URL(fileURLWithPath: path).deletingLastPathComponent().path
    let descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { throw StoreFailure.file(folder) }
    defer { close(descriptor) }
    guard fsync(descriptor) == 0 else { throw StoreFailure.file(folder) }
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
      guard try stamp()?.inode == UInt64(locked.st_ino) else { continue }
      return try body()
    }
  }
}
