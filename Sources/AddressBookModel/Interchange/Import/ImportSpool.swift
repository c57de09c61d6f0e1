import Glibc

/// Stores the data of a pipe or a terminal until all of it has arrived: the beginning in memory, the rest in an
/// unlinked file (0600, in `TMPDIR` or /tmp), which disappears with the process however it ends.
struct ImportSpool {
  /// The maximum size in bytes.
  static let standardLimit = 4 << 30
  /// The maximum size in memory, in bytes.
  private static let memoryLimit = 8 << 20
  private static let chunk = 1 << 18

  /// The number of bytes so far.
  private(set) var size = 0

  private let name: String
  private let limit: Int
  private var memory: [[UInt8]] = []
  private var nextInMemory = 0
  private var inMemory = 0
  private var file: UnlinkedFile?

  /// - Parameters:
  ///   - name: the name of the input in messages.
  ///   - limit: the maximum size in bytes.
  init(name: String, limit: Int = Self.standardLimit) {
    self.name = name
    self.limit = limit
  }

  /// Appends bytes.
  /// - Throws: `ImportError.tooLong` past the limit, `ImportError.noSpool` if there is no room to store them.
  mutating func append(_ bytes: [UInt8]) throws(ImportError) {
    guard bytes.count <= limit - size else { throw ImportError(.tooLong, file: name, detail: "\(limit >> 20)") }
    size += bytes.count
    if file == nil, inMemory + bytes.count <= Self.memoryLimit {
      inMemory += bytes.count
      memory.append(bytes)
      return
    }
    do throws(SpoolFailure) {
      if file == nil { file = try UnlinkedFile() }
      try file?.append(bytes)
    } catch {
      throw ImportError(.noSpool, file: name, detail: String(cString: strerror(error.code)))
    }
  }

  /// The next bytes, in order; nil at the end.
  mutating func next() throws(ImportError) -> [UInt8]? {
    if nextInMemory < memory.count {
      defer {
        // Read only once, so free it.
        memory[nextInMemory] = []
        nextInMemory += 1
      }
      return memory[nextInMemory]
    }
    do throws(SpoolFailure) {
      return try file?.next(Self.chunk)
    } catch {
      throw ImportError(.unreadable, file: name, detail: String(cString: strerror(error.code)))
    }
  }
}

private struct SpoolFailure: Error {
  let code: Int32
}

/// A temporary file that is unlinked as soon as it was created.
private final class UnlinkedFile {
  private let descriptor: Int32
  private var end: off_t = 0
  private var position: off_t = 0

  init() throws(SpoolFailure) {
    let folder = getenv("TMPDIR").map { String(cString: $0) } ?? ""
    var template = Array(((folder.hasPrefix("/") ? folder : "/tmp") + "/addressbook-XXXXXX").utf8CString)
    let opened = mkstemp(&template)
    guard opened >= 0 else { throw SpoolFailure(code: errno) }
    unlink(template)
    _ = fcntl(opened, F_SETFD, FD_CLOEXEC)
    descriptor = opened
  }

  deinit { close(descriptor) }

  func append(_ bytes: [UInt8]) throws(SpoolFailure) {
    var rest = bytes[...]
    while !rest.isEmpty {
      let written = rest.withUnsafeBytes { pwrite(descriptor, $0.baseAddress, $0.count, end) }
      if written > 0 {
        end += off_t(written)
        rest = rest.dropFirst(written)
      } else if written == 0 || errno != EINTR {
        throw SpoolFailure(code: written == 0 ? ENOSPC : errno)
      }
    }
  }

  func next(_ count: Int) throws(SpoolFailure) -> [UInt8]? {
    while true {
      var got = 0
      let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
        got = pread(descriptor, buffer.baseAddress, buffer.count, position)
        filled = max(got, 0)
      }
      if got > 0 {
        position += off_t(got)
        return bytes
      }
      if got == 0 { return nil }
      if errno != EINTR { throw SpoolFailure(code: errno) }
    }
  }
}
