import Glibc

/// A failed operation on a file.
public struct FileFailure: Error, Hashable, Sendable {
  /// The file or folder.
  public let path: String
  /// The error number (`errno`).
  public let code: Int32
  /// True if the name belongs to something other than a file: a folder, a pipe, a device.
  public let isNotAFile: Bool
  /// True if the file belongs to a database that this process has open.
  public let isOpenDatabase: Bool

  /// The system's error message.
  public var message: String { String(cString: strerror(code)) }

  /// Creates a failure with the system's error number.
  public init(_ path: String, _ code: Int32, isNotAFile: Bool = false, isOpenDatabase: Bool = false) {
    self.path = path
    self.code = code
    self.isNotAFile = isNotAFile
    self.isOpenDatabase = isOpenDatabase
  }
}

extension stat {
  /// Reads the status of what a path leads to; nil, with the reason in `errno`, if that is nothing.
  /// - Parameter followsLinks: false to read that of a symbolic link itself.
  public init?(of path: UnsafePointer<CChar>, followsLinks: Bool = true) {
    self.init()
    guard fstatat(AT_FDCWD, path, &self, followsLinks ? 0 : AT_SYMLINK_NOFOLLOW) == 0 else { return nil }
  }

  /// True for a folder.
  public var isFolder: Bool { st_mode & S_IFMT == S_IFDIR }

  /// True for a file, not for a folder, a pipe or a device.
  public var isFile: Bool { st_mode & S_IFMT == S_IFREG }

  /// The time of the last modification.
  public var modified: FileTime { FileTime(seconds: st_mtim.tv_sec, nanoseconds: st_mtim.tv_nsec) }
}

/// A time of a file. File systems keep times that nanoseconds since 1970 in 64 bits cannot express: after 2262.
public struct FileTime: Hashable, Comparable, Sendable {
  /// Seconds since 1970.
  public let seconds: Int
  /// Nanoseconds in the second.
  public let nanoseconds: Int

  /// A time; 1970 without arguments.
  public init(seconds: Int = 0, nanoseconds: Int = 0) {
    self.seconds = seconds
    self.nanoseconds = nanoseconds
  }

  /// Whether a time is before another.
  public static func < (one: FileTime, other: FileTime) -> Bool {
    (one.seconds, one.nanoseconds) < (other.seconds, other.nanoseconds)
  }
}

/// What tells a file from all others, whatever its names are.
public struct FileIdentity: Hashable, Sendable {
  /// The number of the device.
  public let device: UInt64
  /// The number of the file on the device.
  public let inode: UInt64

  /// Identifies the file of a status.
  public init(_ status: stat) {
    device = UInt64(status.st_dev)
    inode = UInt64(status.st_ino)
  }

  /// Identifies the file at a path, also one that a link leads to; nil if there is none.
  public init?(of path: UnsafePointer<CChar>) {
    guard let status = stat(of: path) else { return nil }
    self.init(status)
  }
}

/// The identity of a file, its size and its modification time, which tell whether it has changed.
public struct FileStamp: Hashable, Sendable {
  /// The file.
  public let identity: FileIdentity
  /// The size in bytes.
  public let size: Int
  private let modified: FileTime

  /// Takes the stamp of a status.
  public init(_ status: stat) {
    identity = FileIdentity(status)
    size = Int(status.st_size)
    modified = status.modified
  }

  /// Takes the stamp of the file at a path; nil, with the reason in `errno`, if there is none.
  public init?(of path: UnsafePointer<CChar>) {
    guard let status = stat(of: path) else { return nil }
    self.init(status)
  }
}

/// A file that is read. Opening it waits neither for the writer of a pipe nor for a terminal.
public final class ReadableFile: Sendable {
  /// Its descriptor.
  public let descriptor: Int32
  private let isOwned: Bool

  /// Opens a file; nil, with the reason in `errno`, if that is not possible.
  /// - Parameter flags: those of `open`, in addition to the usual ones.
  public init?(_ path: UnsafePointer<CChar>, _ flags: Int32 = 0) {
    descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY | flags)
    isOwned = true
    if descriptor < 0 { return nil }
  }

  /// Reads from a descriptor, which stays open.
  public init(descriptor: Int32) {
    self.descriptor = descriptor
    isOwned = false
  }

  deinit { if isOwned, descriptor >= 0 { close(descriptor) } }

  /// Its status; nil, with the reason in `errno`, if the system does not tell.
  public var status: stat? {
    var status = stat()
    return fstat(descriptor, &status) == 0 ? status : nil
  }

  /// Fills memory from a position in the file.
  /// - Returns: the number of bytes; fewer than asked for at the end of the file, and if the system cannot read them:
  ///   the reason is then in `errno`, which is otherwise 0.
  public func fill(_ memory: UnsafeMutableRawBufferPointer, at position: Int) -> Int {
    var count = 0
    while count < memory.count {
      let rest = UnsafeMutableRawBufferPointer(rebasing: memory[count...])
      let got = pread(descriptor, rest.baseAddress, rest.count, off_t(position + count))
      if got < 0, errno == EINTR { continue }
      if got < 0 { return count }
      if got == 0 { break }
      count += got
    }
    errno = 0
    return count
  }

  /// Returns as many bytes from a position as there are, up to a number, with the reason for less in `errno`.
  public func bytes(upTo count: Int, at position: Int = 0) -> [UInt8] {
    [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
      filled = fill(UnsafeMutableRawBufferPointer(buffer), at: position)
    }
  }

  /// Returns this many bytes from a position; nil if there are fewer.
  public func bytes(_ count: Int, at position: Int) -> [UInt8]? {
    let bytes = bytes(upTo: count, at: position)
    return bytes.count == count ? bytes : nil
  }

  /// Reads to the end.
  /// - Parameter limit: the maximum size in bytes.
  /// - Throws: `EFBIG` above the limit. The path is empty: the caller knows it.
  public func rest(atMost limit: Int) throws(FileFailure) -> [UInt8] {
    let size = Int(status?.st_size ?? 0)
    if size > limit { throw FileFailure("", EFBIG) }
    // The whole file first, and then small reads until its end: it may have grown.
    var next = size + 1
    var bytes: [UInt8] = []
    while true {
      var count = 0
      let chunk = [UInt8](unsafeUninitializedCapacity: max(next, 1 << 12)) { buffer, used in
        repeat { count = read(descriptor, buffer.baseAddress, buffer.count) } while count < 0 && errno == EINTR
        used = max(count, 0)
      }
      guard count >= 0 else { throw FileFailure("", errno) }
      if count == 0 { return bytes }
      bytes = bytes.isEmpty ? chunk : bytes + chunk
      if bytes.count > limit { throw FileFailure("", EFBIG) }
      next -= count
    }
  }
}

/// A file in memory, without a copy of it. What is written there stays in this process.
///
/// If another program cuts the file meanwhile, reading what is gone ends this process: this is for files that others
/// replace, and for a moment.
public final class MappedFile: Sendable {
  /// The bytes, valid as long as this object.
  public nonisolated(unsafe) let bytes: UnsafeMutableRawBufferPointer

  /// Maps a file from its start; nil, with the reason in `errno`, if that is not possible.
  /// - Parameter count: the number of bytes, at least 1 and at most its size.
  public init?(_ file: ReadableFile, count: Int) {
    let start = mmap(nil, count, PROT_READ | PROT_WRITE, MAP_PRIVATE, file.descriptor, 0)
    if start == MAP_FAILED { return nil }
    bytes = UnsafeMutableRawBufferPointer(start: start, count: count)
  }

  deinit { munmap(bytes.baseAddress, bytes.count) }
}

/// The contents of a file.
public enum FileBytes {
  /// The size of the largest file that is read, in bytes: that of the longest card that the reader accepts.
  public static let largest = 256 << 20

  /// Returns the bytes of a file; nil if it does not exist.
  /// - Throws: also for anything but a regular file (`EINVAL`), and for one above the limit (`EFBIG`).
  public static func all(of path: String, atMost limit: Int = largest) throws(FileFailure) -> [UInt8]? {
    guard let file = ReadableFile(path) else {
      if errno == ENOENT || errno == ENOTDIR { return nil }
      throw FileFailure(path, errno)
    }
    guard let status = file.status else { throw FileFailure(path, errno) }
    guard status.isFile else { throw FileFailure(path, EINVAL, isNotAFile: true) }
    do throws(FileFailure) { return try file.rest(atMost: limit) } catch { throw FileFailure(path, error.code) }
  }

  /// Returns the bytes of a file; nil if it does not exist, is not a regular file, or is too large.
  public static func read(_ path: String) throws(FileFailure) -> [UInt8]? {
    do throws(FileFailure) {
      return try all(of: path)
    } catch {
      if error.isNotAFile || [ELOOP, ENXIO, EFBIG].contains(error.code) { return nil }
      throw error
    }
  }

  /// Returns the size of a file in bytes; 0 if there is none.
  public static func count(of path: UnsafePointer<CChar>) -> Int { FileStamp(of: path)?.size ?? 0 }
}
