import AddressBookModel
import Glibc

/// A file that only its owner may read, and that is replaced as a whole: after a crash its name holds the old content or
/// the new one.
struct PrivateFile {
  /// What the system said.
  struct Failure: Error, Equatable {
    let code: Int32
    /// In the system's words.
    var message: String { String(cString: strerror(code)) }
  }

  let path: String

  init(_ path: String) { self.path = path }

  /// The content; nil when there is no such file.
  /// - Parameter limit: a larger file, a folder or a device is refused with `EFBIG` or `EINVAL`, and is not waited for.
  func read(atMost limit: Int) throws(Failure) -> [UInt8]? {
    if AddressBook.isOpen(path: path) { throw Failure(code: EBUSY) }
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else {
      if errno == ENOENT || errno == ENOTDIR { return nil }
      throw Failure(code: errno)
    }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw Failure(code: errno) }
    guard status.st_mode & S_IFMT == S_IFREG else { throw Failure(code: EINVAL) }
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 16_384)
    while true {
      let count = Glibc.read(descriptor, &buffer, buffer.count)
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { throw Failure(code: errno) }
      if count == 0 { return bytes }
      bytes += buffer[0..<count]
      guard bytes.count <= limit else { throw Failure(code: EFBIG) }
    }
  }

  /// Replaces the file, with mode 0600.
  /// - Parameters:
  ///   - makesFolder: makes a missing folder, with mode 0700, as the program's own folders are.
  ///   - isDurable: waits until the bytes are on the disk.
  func write(_ bytes: [UInt8], makesFolder: Bool, isDurable: Bool) throws(Failure) {
    let folder = path.lastIndex(of: "/").map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "."
    // A folder or a device of that name is not ours to replace.
    var status = stat()
    if lstat(path, &status) == 0, ![S_IFREG, S_IFLNK].contains(status.st_mode & S_IFMT) { throw Failure(code: EINVAL) }
    // Nor is the book: what stands under this name is in use.
    if AddressBook.isOpen(path: path) { throw Failure(code: EBUSY) }
    if makesFolder { try Self.makeFolder(folder) }
    let temporary = path + "." + String(UInt32.random(in: 0...UInt32.max), radix: 16) + ".tmp"
    let descriptor = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard descriptor >= 0 else { throw Failure(code: errno) }
    do throws(Failure) {
      try Self.write(bytes, to: descriptor)
      if isDurable, fsync(descriptor) != 0 { throw Failure(code: errno) }
    } catch {
      close(descriptor)
      unlink(temporary)
      throw error
    }
    guard close(descriptor) == 0, rename(temporary, path) == 0 else {
      let failure = Failure(code: errno)
      unlink(temporary)
      throw failure
    }
    guard isDurable else { return }
    let directory = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard directory >= 0 else { throw Failure(code: errno) }
    defer { close(directory) }
    // Some file systems cannot do this and say EINVAL; the rename is then as safe as they make it.
    guard fsync(directory) == 0 || errno == EINVAL else { throw Failure(code: errno) }
  }

  /// Removes the file, if it is there.
  func remove() throws(Failure) {
    guard unlink(path) == 0 || errno == ENOENT || errno == ENOTDIR else { throw Failure(code: errno) }
  }

  /// True when something has the name.
  var exists: Bool {
    var status = stat()
    return lstat(path, &status) == 0
  }

  private static func write(_ bytes: [UInt8], to descriptor: Int32) throws(Failure) {
    var start = 0
    while start < bytes.count {
      let count = bytes[start...].withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
      if count < 0 {
        if errno == EINTR { continue }
        throw Failure(code: errno)
      }
      start += count
    }
  }

  private static func makeFolder(_ folder: String) throws(Failure) {
    guard mkdir(folder, 0o700) != 0, errno != EEXIST else { return }
    guard errno == ENOENT, let slash = folder.lastIndex(of: "/"), slash != folder.startIndex else {
      throw Failure(code: errno)
    }
    try makeFolder(String(folder[..<slash]))
    guard mkdir(folder, 0o700) == 0 || errno == EEXIST else { throw Failure(code: errno) }
  }
}
