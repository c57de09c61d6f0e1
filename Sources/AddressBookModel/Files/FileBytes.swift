import Glibc

enum FileBytes {
  /// The size of the largest file that is read, in bytes: that of the longest card that the reader accepts.
  private static let largest = 256 << 20

  /// Returns the bytes of a file; nil if it does not exist, is not a regular file, or is too large. Does not block on a
  /// pipe.
  static func read(_ path: String) throws(FileFailure) -> [UInt8]? {
    let file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard file >= 0 else {
      if errno == ENOENT || errno == ELOOP || errno == ENXIO { return nil }
      throw FileFailure(path, errno)
    }
    defer { close(file) }
    var status = stat()
    guard fstat(file, &status) == 0 else { throw FileFailure(path, errno) }
    guard status.st_mode & S_IFMT == S_IFREG, status.st_size <= largest else { return nil }
    var bytes: [UInt8] = []
    while true {
      // The whole file first, and then small reads until its end: it may have grown.
      let capacity = max(Int(status.st_size) + 1 - bytes.count, 1 << 12)
      var count = 0
      let chunk = [UInt8](unsafeUninitializedCapacity: capacity) { buffer, used in
        repeat { count = Glibc.read(file, buffer.baseAddress, capacity) } while count < 0 && errno == EINTR
        used = max(count, 0)
      }
      guard count >= 0 else { throw FileFailure(path, errno) }
      if count == 0 { return bytes }
      bytes = bytes.isEmpty ? chunk : bytes + chunk
      if bytes.count > largest { return nil }
    }
  }
}
