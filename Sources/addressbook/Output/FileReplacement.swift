import AddressBookModel
import Glibc

/// A file that is written beside the one it replaces and takes its place as a whole: after a crash or a power failure the
/// name holds the old content or the new one, never a part. Its mode is 0600.
///
/// A symbolic link is replaced by the file, and what it points to is left alone.
final class FileReplacement {
  private let path: String
  private let folder: String
  private let temporary: String
  private var descriptor: Int32
  private var buffer: [UInt8] = []

  /// Opens the file beside `path`.
  /// - Throws: `CommandFailure` when the folder cannot be written, something other than a file has the name, or the book itself.
  init(path: String) throws {
    self.path = path
    let slash = path.lastIndex(of: "/")
    folder = slash.map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "."
    var status = stat()
    if lstat(path, &status) == 0, ![S_IFREG, S_IFLNK].contains(status.st_mode & S_IFMT) {
      throw CommandFailure(.failed, words("Failed/notAFile", path))
    }
    if AddressBook.isOpen(path: path) {
      throw CommandFailure(.failed, words("Failed/write", path, words("Failed/isBook")))
    }
    let name = slash.map { String(path[path.index(after: $0)...]) } ?? path
    guard !name.isEmpty else { throw CommandFailure(.failed, words("Failed/notAFile", path)) }
    // A long name leaves no room for a suffix.
    let stem = String(name.prefix(40))
    var candidate = ""
    var opened: Int32 = -1
    for _ in 0..<100 {
      let number = UInt32.random(in: 0...UInt32.max)
      candidate = folder + "/." + stem + "." + String(number, radix: 16) + ".tmp"
      opened = open(candidate, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
      if opened >= 0 || errno != EEXIST { break }
    }
    guard opened >= 0 else { throw Self.failure(path) }
    temporary = candidate
    descriptor = opened
  }

  deinit {
    if descriptor >= 0 {
      close(descriptor)
      unlink(temporary)
    }
  }

  /// Adds text.
  func write(_ text: String) throws {
    buffer += text.utf8
    if buffer.count >= 1 << 18 { try drain() }
  }

  /// Adds bytes.
  func write(_ bytes: [UInt8]) throws {
    buffer += bytes
    if buffer.count >= 1 << 18 { try drain() }
  }

  /// Makes what was written the file.
  func commit() throws {
    try drain()
    guard fsync(descriptor) == 0 else { throw Self.failure(path) }
    let isClosed = close(descriptor) == 0
    descriptor = -1
    guard isClosed, rename(temporary, path) == 0 else {
      let failure = Self.failure(path)
      unlink(temporary)
      throw failure
    }
    let directory = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard directory >= 0 else { throw Self.failure(path) }
    defer { close(directory) }
    // Some file systems cannot do this and say EINVAL; the rename is then as safe as they make it.
    guard fsync(directory) == 0 || errno == EINVAL else { throw Self.failure(path) }
  }

  private func drain() throws {
    defer { buffer.removeAll(keepingCapacity: true) }
    do {
      try FileDescriptor.writeAll(buffer, to: descriptor)
    } catch {
      throw CommandFailure(.failed, words("Failed/write", path, error.message))
    }
  }

  private static func failure(_ path: String) -> CommandFailure {
    CommandFailure(.failed, words("Failed/write", path, SystemError(code: errno).message))
  }
}
