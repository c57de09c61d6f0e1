import AddressBookModel
import Glibc
import SystemCalls

/// The data of a pipe or a terminal until all of it has arrived: the beginning in memory, the rest in an unlinked file
/// (0600, in `TMPDIR` or /tmp), which disappears with the process, however the process ends.
struct ImportSpool {
  /// The maximum size in bytes.
  static let standardLimit = 4 << 30
  /// The maximum size in memory, in bytes.
  private static let memoryLimit = 8 << 20
  private static let chunk = 1 << 18

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
  /// - Throws: `ImportError.tooLong` past the limit, `ImportError.noSpool` if they cannot be stored.
  mutating func append(_ bytes: [UInt8]) throws(ImportError) {
    guard bytes.count <= limit - size else { throw ImportError(.tooLong, file: name, detail: "\(limit >> 20)") }
    size += bytes.count
    if file == nil, inMemory + bytes.count <= Self.memoryLimit {
      inMemory += bytes.count
      memory.append(bytes)
      return
    }
    do throws(UnlinkedFile.Failure) {
      if file == nil { file = try UnlinkedFile() }
      try file?.append(bytes)
    } catch {
      throw ImportError(.noSpool, file: name, detail: String(cString: strerror(error.code)))
    }
  }

  mutating func next() throws(ImportError) -> [UInt8]? {
    if nextInMemory < memory.count {
      defer {
        // Read only once, so free it.
        memory[nextInMemory] = []
        nextInMemory += 1
      }
      return memory[nextInMemory]
    }
    do throws(UnlinkedFile.Failure) {
      return try file?.next(Self.chunk)
    } catch {
      throw ImportError(.unreadable, file: name, detail: String(cString: strerror(error.code)))
    }
  }
}
