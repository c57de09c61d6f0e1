import Glibc

/// A temporary file that atomically replaces another file: after a crash, and with `isDurable` also after a power
/// failure, the old or the new content is there in full. Its mode is 0600, unless another one is given.
///
/// A symbolic link to a file is replaced by the file; its target is not changed. The temporary file is in the same folder, has an
/// unpredictable name and is never opened if it exists. If it is not committed, it is removed with this object, unless
/// the program is killed.
public final class FileReplacement {
  private let path: String
  private let folder: String
  private let temporary: String
  private let isDurable: Bool
  private var descriptor: Int32
  private var buffer: [UInt8] = []
  /// The offset of the next write. Every write specifies its offset, so that system call traces can be followed.
  private var end: off_t = 0

  /// Creates the temporary file for `path`.
  /// - Parameters:
  ///   - isDurable: whether `commit` waits until the bytes and the name are on disk.
  ///   - mode: the mode of the file; nil for 0600.
  /// - Throws: if the folder cannot be written, or if the name belongs or leads to something other than a file, or to an
  ///   open database.
  public init(path: String, isDurable: Bool = true, mode: mode_t? = nil) throws(FileFailure) {
    self.path = path
    self.isDurable = isDurable
    let (folder, name) = Folder.split(path)
    self.folder = folder
    if let status = stat(of: path), !status.isFile || OutputStream.isAt(path) {
      throw FileFailure(path, status.isFolder ? EISDIR : EINVAL, isNotAFile: true)
    }
    if HeldFiles.contain(path) { throw FileFailure(path, EBUSY, isOpenDatabase: true) }
    guard !name.isEmpty else { throw FileFailure(path, EISDIR, isNotAFile: true) }
    // A long name would leave no room for the suffix.
    let stem = String(name.prefix(40))
    var candidate = ""
    var opened: Int32 = -1
    for _ in 0..<100 {
      let number = UInt32.random(in: 0...UInt32.max)
      candidate = folder + "/." + stem + "." + String(number, radix: 16) + ".tmp"
      opened = open(candidate, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
      if opened >= 0 || errno != EEXIST { break }
    }
    guard opened >= 0 else { throw FileFailure(path, errno) }
    temporary = candidate
    descriptor = opened
    // The creation mode is limited by the umask.
    if let mode { try check(fchmod(opened, mode) == 0) }
  }

  deinit {
    if descriptor >= 0 {
      close(descriptor)
      unlink(temporary)
    }
  }

  /// Replaces the file at a path as a whole.
  public static func write(
    _ bytes: some Sequence<UInt8>, to path: String, isDurable: Bool = true
  ) throws(FileFailure) {
    let file = try FileReplacement(path: path, isDurable: isDurable)
    try file.write(bytes)
    try file.commit()
  }

  /// Adds bytes.
  public func write(_ bytes: some Sequence<UInt8>) throws(FileFailure) {
    buffer += bytes
    if buffer.count >= 1 << 18 { try drain() }
  }

  /// Lets code that needs a path write the file, under its temporary name.
  public func fill<Value>(_ body: (_ temporary: String) throws -> Value) rethrows -> Value { try body(temporary) }

  /// Passes all buffered bytes to the system.
  public func flush() throws(FileFailure) { try drain() }

  /// Waits until what was written so far is on the disk.
  public func sync() throws(FileFailure) {
    try drain()
    try check(fsync(descriptor) == 0)
  }

  /// Returns the stamp of what was written so far; renaming the file does not change it.
  public func stamp() throws(FileFailure) -> FileStamp {
    try drain()
    guard let status = ReadableFile(descriptor: descriptor).status else { throw FileFailure(path, errno) }
    return FileStamp(status)
  }

  /// Renames the temporary file to the final name.
  public func commit() throws(FileFailure) {
    try drain()
    if isDurable { try check(fsync(descriptor) == 0) }
    let isClosed = close(descriptor) == 0
    descriptor = -1
    guard isClosed, rename(temporary, path) == 0 else {
      let failure = FileFailure(path, errno)
      unlink(temporary)
      throw failure
    }
    if isDurable { try Folder.sync(folder) }
  }

  private func drain() throws(FileFailure) {
    defer { buffer.removeAll(keepingCapacity: true) }
    var start = 0
    while start < buffer.count {
      let count = buffer[start...].withUnsafeBytes { pwrite(descriptor, $0.baseAddress, $0.count, end) }
      if count < 0, errno == EINTR { continue }
      try check(count >= 0)
      start += count
      end += off_t(count)
    }
  }

  private func check(_ isDone: Bool) throws(FileFailure) {
    guard isDone else { throw FileFailure(path, errno) }
  }
}

/// What a path leads to, also by links, if it is not a file but something to write into: a device, a pipe, or a file
/// that this process has open, such as `/dev/stdout`. A file in its place would take it away from all other programs.
public enum OutputStream {
  /// Returns a descriptor to write to; nil if the path leads to a file, to something else that cannot be written into,
  /// or to nothing. Waits for a reader of a named pipe.
  public static func open(_ path: String) throws(FileFailure) -> Int32? {
    let descriptor: Int32
    switch kind(of: path) {
    case nil: return nil
    case .descriptor(let number): descriptor = fcntl(number, F_DUPFD_CLOEXEC, 0)
    case .device: descriptor = Glibc.open(path, O_WRONLY | O_CLOEXEC | O_NOCTTY)
    }
    guard descriptor >= 0 else { throw FileFailure(path, errno) }
    return descriptor
  }

  /// Returns whether ``open(_:)`` returns a descriptor, if the system lets it.
  static func isAt(_ path: String) -> Bool { kind(of: path) != nil }

  private enum Kind {
    case device
    /// An open file of this process.
    case descriptor(Int32)
  }

  private static func kind(of path: String) -> Kind? {
    guard let status = stat(of: path) else { return nil }
    if let number = RealPath.descriptor(path) { return .descriptor(number) }
    return [S_IFCHR, S_IFIFO].contains(status.st_mode & S_IFMT) ? .device : nil
  }
}

/// A temporary file (0600, in `TMPDIR` or /tmp) that is unlinked as soon as it is created, so that it disappears with
/// the process, however the process ends.
public final class UnlinkedFile {
  /// A failed operation on such a file.
  public struct Failure: Error {
    /// The error number (`errno`).
    public let code: Int32
  }

  private let descriptor: Int32
  /// The number of bytes.
  public private(set) var size = 0
  private var position = 0

  /// Creates an empty file.
  public init() throws(Failure) {
    let folder = getenv("TMPDIR").map { String(cString: $0) } ?? ""
    var template = Array(((folder.hasPrefix("/") ? folder : "/tmp") + "/addressbook-XXXXXX").utf8CString)
    let opened = mkstemp(&template)
    guard opened >= 0 else { throw Failure(code: errno) }
    unlink(template)
    _ = fcntl(opened, F_SETFD, FD_CLOEXEC)
    descriptor = opened
  }

  deinit { close(descriptor) }

  /// Adds bytes.
  public func append(_ bytes: [UInt8]) throws(Failure) {
    var rest = bytes[...]
    while !rest.isEmpty {
      let written = rest.withUnsafeBytes { pwrite(descriptor, $0.baseAddress, $0.count, off_t(size)) }
      if written > 0 {
        size += written
        rest = rest.dropFirst(written)
      } else if written == 0 || errno != EINTR {
        throw Failure(code: written == 0 ? ENOSPC : errno)
      }
    }
  }

  /// Returns at most `count` bytes, beginning after those of the previous call; nil at the end.
  public func next(_ count: Int) throws(Failure) -> [UInt8]? {
    let bytes = ReadableFile(descriptor: descriptor).bytes(upTo: count, at: position)
    if bytes.isEmpty, errno != 0 { throw Failure(code: errno) }
    position += bytes.count
    return bytes.isEmpty ? nil : bytes
  }

  /// Calls `body` with all bytes. No one else can shorten the file while it is mapped: it has no name.
  public func withBytes<Result>(_ body: (UnsafeRawBufferPointer) throws -> Result) throws -> Result {
    guard size > 0 else { return try body(UnsafeRawBufferPointer(start: nil, count: 0)) }
    guard let start = mmap(nil, size, PROT_READ, MAP_PRIVATE, descriptor, 0), start != MAP_FAILED else {
      throw Failure(code: errno)
    }
    defer { munmap(start, size) }
    return try body(UnsafeRawBufferPointer(start: start, count: size))
  }
}
