import Glibc

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
